"""Opens a published dataset with nothing but `datasets`, whatever its version.

    python open_everything.py EXPECTED.json NAME [NAME ...]

EXPECTED.json: config -> split -> {"rows": N, "first": {column: value}}, pictures left out.
A NAME is a directory or a repository, with `@REVISION` where one is meant. What does not agree is
printed.
"""

import gc
import json
import sys

import datasets


def faults_of(name: str, expected: dict) -> list[str]:
    """Returns a sentence for everything that is not as expected."""
    where, _, revision = name.partition("@")
    faults = []
    for config, splits in expected.items():
        loaded = datasets.load_dataset(where, config, revision=revision or None)
        if list(loaded) != list(splits):
            faults.append(f"{name} {config}: splits {list(loaded)}, not {list(splits)}")
        for split, wanted in splits.items():
            part = loaded[split]
            if part.num_rows != wanted["rows"]:
                faults.append(f"{name} {config} {split}: {part.num_rows} rows")
            # All rows are read: leaving a stream half-way can hang with some versions of pyarrow.
            stream = datasets.load_dataset(
                where, config, split=split, revision=revision or None, streaming=True
            )
            rows = list(stream)
            del stream
            gc.collect()
            if len(rows) != wanted["rows"]:
                faults.append(f"{name} {config} {split}: {len(rows)} rows streamed")
            for kind, row in (("loaded", part[0]), ("streamed", rows[0])):
                picture = row.pop("image", None)
                if picture is not None and (picture.size, picture.mode) != ((700, 700), "RGB"):
                    faults.append(f"{name} {config} {split}: picture {picture.size} {picture.mode}")
                if row != wanted["first"]:
                    faults.append(f"{name} {config} {split}: {kind} {row}, not {wanted['first']}")
    return faults


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        everything = json.load(file)
    found = [fault for name in sys.argv[2:] for fault in faults_of(name, everything)]
    print(*found, sep="\n", end="\n" if found else "")
    print(f"datasets {datasets.__version__}: {', '.join(sys.argv[2:])}: {len(found)} faults")
    sys.exit(bool(found))
