"""Versions of graders: a number, and a digest of the code that a verdict depends on."""

import ast
import hashlib
import importlib.util
from collections.abc import Sequence
from pathlib import Path


def code_digest(modules: Sequence[str]) -> str:
    """Returns 8 hex digits that change when the code of one of the modules does.

    Comments, docstrings and the layout of the code do not count.

    Args:
        modules: Full names of modules; they are not imported.
    """
    digest = hashlib.blake2b(digest_size=4)
    for name in modules:
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None:
            raise ModuleNotFoundError(f"there is no module {name}")
        tree = ast.parse(Path(spec.origin).read_bytes())
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                node.body = [part for part in node.body if not _is_text(part)] or [ast.Pass()]
        digest.update(f"{name}\0{ast.dump(tree)}\0".encode())
    return digest.hexdigest()


def _is_text(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
