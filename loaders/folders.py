"""The authors' folder layout (VGA, Figure 8)."""

import shutil
from pathlib import Path

from benchloom.builders.errors import InputError
from benchloom.builders.progress import Progress
from benchloom.loaders.directory import Build


def export_folders(build: Build, to: Path) -> int:
    """Writes `image_{i}.png` and `labels.txt` and returns the number of pictures.

    Row i of a `labels.txt`, counted from 0, is the answer to `image_{i}.png`. All is written aside
    and takes its name at the end.

    Raises:
        InputError: If the folder is not new or empty, or cannot be written.
    """
    if to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise InputError(f"{to} is not an empty folder; choose a new one with --to")
    if faults := build.file_faults():
        raise InputError(f"{faults[0]}; see `benchloom verify`, or build again")
    aside = to.with_name(f".{to.name}.part")
    shutil.rmtree(aside, ignore_errors=True)
    total = sum(build.rows(*split) for split in build.splits())
    done = 0
    try:
        with Progress(total, "pictures") as progress:
            for config, split in build.splits():
                inputs, labels = build.benchmark.export(config, split)
                (aside / inputs).mkdir(parents=True)
                answers = []
                for index, record in build.records(config, split):
                    (aside / inputs / f"image_{index}.png").write_bytes(record["image"]["bytes"])
                    answers.append(record["answer"])
                    done += 1
                    progress.reach(done)
                (aside / labels).parent.mkdir(parents=True, exist_ok=True)
                (aside / labels).write_text("".join(f"{answer}\n" for answer in answers))
        if to.exists():
            to.rmdir()
        aside.replace(to)
    except OSError as error:
        raise InputError(f"{error.filename or to} cannot be written: {error.strerror}") from None
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return total
