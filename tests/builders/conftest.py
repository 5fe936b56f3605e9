"""A small benchmark of numbers, to try the engine on without waiting for drawings."""

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cloudpickle
import pytest
from joblib.externals.loky import get_reusable_executor

from benchloom.builders.benchmark import BENCHMARKS, Benchmark

SOURCE = """
import os, time
from pathlib import Path
from benchloom.builders.benchmark import Benchmark
from benchloom.builders.seeds import rng, seed_key

class Numbers(Benchmark):
    name, title, generation = "numbers", "Numbers", 1
    configs, default_config = ("even", "odd"), "even"
    combined_configs = {"all": ("even", "odd")}
    shard_rows, row_group_rows, packages = 2, 2, ("numpy", "pyarrow")
    folder = None  # where faults are switched on

    def resolve(self, options): return dict(options)
    def splits(self, config): return ("train", "test")
    def outline(self, config, split): return (10, "low, high", "")
    def features(self, config):
        from datasets import ClassLabel, Features, List, Value
        return Features({"id": Value("string"), "number": Value("int64"),
                         "label": ClassLabel(names=["low", "high"]),
                         "evidence": List(Value("int32")), "seed_key": Value("string")})
    def plan(self, recipe, config):
        rows = {"train": 10, "test": 5}
        return {split: [(config, split, recipe.seed, i, self.folder)
                        for i in range(min(n, recipe.limit or n))] for split, n in rows.items()}
    def make(self, spec):
        config, split, seed, i, folder = spec
        name = f"{config}-{split}-{i}"
        if folder is not None:
            (Path(folder) / f"made-{name}-{os.getpid()}").touch()
            fault = Path(folder) / f"fault-{name}"
            if fault.exists():
                words = fault.read_text().split()
                if "once" in words: fault.unlink()
                if "exit" in words: os._exit(9)
                if "raise" in words: raise ZeroDivisionError("planted")
                if "wait" in words:
                    (Path(folder) / f"waiting-{os.getpid()}").touch()
                    time.sleep(60)
        key = ("numbers", config, split, seed, i)
        return {"id": name, "number": int(rng(*key).integers(2**40)), "label": i % 2,
                "evidence": [], "seed_key": seed_key(*key)}
    def audit(self, record, config, recipe): return []
    def statistics(self, columns, config, split): return [("records", len(columns["id"]), "")]
    def show(self, record, config): return str(record["number"])
    def picture(self, record, config): return b""
    def preview(self, record, config): return {"text": str(record["number"]), "caption": ""}
    def export(self, config, split): return (f"{config}/{split}", f"{config}/{split}.txt")
    def bench(self, limit): return []
"""


@pytest.fixture(scope="session", autouse=True)
def ended_workers() -> Iterator[None]:
    """Ends the worker processes with the session."""
    yield
    get_reusable_executor().shutdown(kill_workers=True)


@pytest.fixture
def numbers_source() -> str:
    """The source of the benchmark of numbers, for tests that run it in a process of its own."""
    return SOURCE


@pytest.fixture
def load_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Benchmark]:
    """Loads the benchmark of numbers with changes to its source; faults are in tmp_path/faults."""
    folder = tmp_path / "numbers"
    (tmp_path / "faults").mkdir()

    def load(*changes: tuple[str, str]) -> Benchmark:
        text = SOURCE
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        folder.mkdir(exist_ok=True)
        (folder / "numbers_benchmark.py").write_text(text)
        spec = importlib.util.spec_from_file_location(
            "numbers_benchmark", folder / "numbers_benchmark.py"
        )
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, "numbers_benchmark", module)
        spec.loader.exec_module(module)
        if "numbers_benchmark" not in cloudpickle.list_registry_pickle_by_value():
            cloudpickle.register_pickle_by_value(module)
        made: Any = module.Numbers()
        made.folder = str(tmp_path / "faults")
        monkeypatch.setitem(BENCHMARKS, "numbers", made)
        return made  # type: ignore[no-any-return]

    return load
