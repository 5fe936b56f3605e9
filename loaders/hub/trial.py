"""Loading a release as a stranger would: in a process of its own, with nothing in any cache."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchloom.builders.errors import InputError

if TYPE_CHECKING:
    from datasets import Features

_CACHES = ("HF_DATASETS_CACHE", "HF_HUB_CACHE", "HF_ASSETS_CACHE", "HUGGINGFACE_HUB_CACHE")
_OFFLINE = ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "TRANSFORMERS_OFFLINE")
_TOKENS = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")


@dataclass(frozen=True)
class Expected:
    """What a config must load as.

    Attributes:
        features: The declared columns.
        rows: The number of records of each split.
    """

    features: Features
    rows: Mapping[str, int]


@dataclass(frozen=True)
class Place:
    """Where a release lies: a directory, or a revision of a repository on a Hub.

    Attributes:
        name: The directory, or `org/name`.
        revision: The revision; None for a directory.
        endpoint: The Hub's address; None for a directory.
        token: What it lets us in with, handed to the process in its environment.
    """

    name: str
    revision: str | None = None
    endpoint: str | None = None
    token: str | None = None

    def environment(self, home: str) -> dict[str, str]:
        """Returns the environment of a process that knows nothing of earlier loads."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if name not in (*_CACHES, *_OFFLINE, *_TOKENS)
        }
        kept |= {"HF_HOME": home, "HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_XET": "1"}
        if self.endpoint is None:
            return kept | dict.fromkeys(_OFFLINE, "1")
        tokens = {"HF_TOKEN": self.token} if self.token else {"HF_HUB_DISABLE_IMPLICIT_TOKEN": "1"}
        return kept | {"HF_ENDPOINT": self.endpoint} | tokens


def loading_faults(place: Place, expected: Mapping[str, Expected]) -> list[str]:
    """Returns a sentence for each config that `load_dataset` does not load as it should.

    Raises:
        InputError: If the process that loads ends early.
    """
    from datasets import Features

    loaded = _loaded(place, list(expected))
    faults = []
    for config, wanted in expected.items():
        found = loaded[config]
        if "fault" in found:
            faults.append(f"load_dataset cannot load {config}: {found['fault']}")
            continue
        if found["rows"] != dict(wanted.rows):
            faults.append(
                f"load_dataset gives {_counts(found['rows'])} of {config}, "
                f"not {_counts(wanted.rows)}"
            )
        if Features.from_dict(found["features"]) != wanted.features:
            faults.append(f"load_dataset gives {config} other columns than it was built with")
    return faults


def _loaded(place: Place, configs: Sequence[str]) -> dict[str, Any]:
    """Returns what each config loads as, found out in a process of its own."""
    # -P: what lies in the user's folder must not pass for a package
    words = [sys.executable, "-P", "-m", __spec__.name, place.name, *configs]
    words += ["--revision", place.revision] if place.revision else []
    with tempfile.TemporaryDirectory(prefix="benchloom-trial-") as home:
        run = subprocess.run(
            words,
            env=place.environment(home),
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    if run.returncode != 0:
        last = (run.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise InputError(
            f"the process that was to load {place.name} ended with status {run.returncode} "
            f"({last}); run the same command again"
        )
    value: dict[str, Any] = json.loads(run.stdout)
    return value


def _counts(rows: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} records in {split}" for split, count in rows.items())


def _load(name: str, config: str, revision: str | None) -> dict[str, Any]:
    """Returns the features and numbers of records of a config, or why it cannot be loaded."""
    from datasets import load_dataset

    # a cache of its own for each config: no more than one of them is ever on the disk twice
    with tempfile.TemporaryDirectory(dir=os.environ.get("HF_HOME")) as cache:
        try:
            splits = load_dataset(name, config, revision=revision, cache_dir=cache)
            features = next(iter(splits.values())).features.to_dict()
            rows = {str(split): table.num_rows for split, table in splits.items()}
        except Exception as error:  # whatever it is, a user would meet it too
            text = (str(error).strip().splitlines() or [""])[0]
            return {"fault": f"{type(error).__name__}: {text}"}
    return {"rows": rows, "features": features}


def main() -> None:
    """Loads the named configs and prints what came of it as JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("configs", nargs="+")
    parser.add_argument("--revision")
    arguments = parser.parse_args()
    with contextlib.redirect_stdout(io.StringIO()):  # only the JSON may go there
        found = {
            config: _load(arguments.name, config, arguments.revision)
            for config in arguments.configs
        }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
