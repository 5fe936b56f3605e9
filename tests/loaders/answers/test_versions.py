import ast
import importlib.util
from pathlib import Path

import pytest

from benchloom.loaders.answers import graphomni
from benchloom.loaders.answers.versions import code_digest

CODE = '''"""A module."""

# A comment.
LIMIT = 3


def double(x):
    """Returns twice a number."""
    return 2 * x
'''


@pytest.mark.parametrize(
    ("old", "new", "is_same"),
    [
        ("# A comment.", "# Another comment.", True),
        ('"""A module."""', '"""Words."""', True),
        ("twice a number", "a number, doubled", True),
        ("LIMIT = 3", "LIMIT    =    3", True),
        ("LIMIT = 3", "LIMIT = 4", False),
        ("2 * x", "x * 2", False),
        ("def double(x)", "def double(y)", False),
    ],
)
def test_a_digest_changes_with_the_code_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, is_same: bool
) -> None:
    assert old in CODE
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "first_of_two.py").write_text(CODE)
    before = code_digest(["first_of_two"])
    (tmp_path / "first_of_two.py").write_text(CODE.replace(old, new))
    assert (code_digest(["first_of_two"]) == before) is is_same
    assert len(before) == 8


def test_an_unknown_module_is_a_fault() -> None:
    with pytest.raises(ModuleNotFoundError, match="there is no module"):
        code_digest(["there_is_no_such_module"])


def imported(name: str) -> set[str]:
    """Returns the modules of the package that a module imports."""
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    found = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return {module for module in found if module and module.startswith("benchloom.")}


def test_a_version_covers_all_code_that_reads_answers() -> None:
    """`verdict` and `versions` decide nothing; of other packages only what verdicts are made of."""
    folder = "benchloom.loaders.answers."
    pending, seen = {f"{folder}graphomni"}, set()
    while pending:
        module = pending.pop()
        seen.add(module)
        pending |= {one for one in imported(module) if one.startswith(folder)} - seen
    seen -= {f"{folder}verdict", f"{folder}versions"}
    covered = {module for module in graphomni.MODULES if module.startswith(folder)}
    assert seen == covered
