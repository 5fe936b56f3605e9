"""What differs between two releases, and the least bump of the version for it."""

import io
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from benchloom.builders.files import sha256_of
from benchloom.builders.manifest import SUMS, read_sums
from benchloom.builders.pipeline import build
from benchloom.builders.recipe import Recipe
from benchloom.builders.records import pixels_sha256, record_digest
from benchloom.loaders.directory import Build
from benchloom.loaders.hub.differences import (
    Differences,
    SplitDifferences,
    changed_columns,
    compare,
    compare_records,
    explain,
    least_bump,
)
from benchloom.loaders.hub.release import DirectoryRelease, RecordList, Records, open_release
from benchloom.loaders.hub.version import Bump

Change = tuple[str, str]
RECORDS = 'rows = {"train": 10, "test": 5}'
SPECS = "range(min(n, recipe.limit or n))"
FEATURES = '"evidence": List(Value("int32"))'
PLAN_END = "for split, n in rows.items()}"


@dataclass(frozen=True)
class Case:
    """A change of the numbers and what must be found: ids by kind, in even test unless told."""

    title: str
    changes: Sequence[Change]
    bump: Bump
    sentence: str
    found: Mapping[str, Any]
    configs: tuple[str, ...] = ("even",)
    reads_shards: bool = False


CASES = (
    Case("nothing", [], Bump.NONE, "nothing differs", {}),
    Case(
        "config added",
        [],
        Bump.MINOR,
        "10 records added in odd train (new); 5 records added in odd test (new)",
        {},
        ("even", "odd"),
    ),
    Case(
        "record appended",
        [(RECORDS, RECORDS.replace("5", "6"))],
        Bump.MINOR,
        "1 record added in even test",
        {"added": ["even-test-5"]},
    ),
    Case(
        "label changed",
        [('"label": i % 2', '"label": (i + (name == "even-test-3")) % 2')],
        Bump.MAJOR,
        "1 record changed in even test",
        {"changed": ["even-test-3"]},
    ),
    Case(
        "two records swapped",
        [(SPECS, f"(lambda n: [0, 3, 2, 1, *range(4, n)])(len({SPECS}))")],
        Bump.MAJOR,
        "2 records moved in each of even train and even test",
        {"moved": ["even-test-3", "even-test-1"]},
    ),
    Case(
        "record inserted in the middle",
        [
            (
                SPECS,
                f'(lambda n: [0, 1, 2, *([77] * (split == "test")), *range(3, n)])(len({SPECS}))',
            )
        ],
        Bump.MAJOR,
        "2 records moved, 1 added in even test",
        {"added": ["even-test-77"], "moved": ["even-test-3", "even-test-4"]},
    ),
    Case(
        "record removed",
        [(SPECS, f'(lambda n: [0, *range(1 + (split == "test"), n)])(len({SPECS}))')],
        Bump.MAJOR,
        "1 record removed in even test",
        {"removed": ["even-test-1"]},
    ),
    Case(
        "record moved between splits",
        [
            ("return {split:", "plan = {split:"),
            (
                PLAN_END,
                f"{PLAN_END}\n        plan['test'].append(plan['train'].pop(0)); return plan",
            ),
        ],
        Bump.MAJOR,
        "1 record moved in even test",
        {"moved": ["even-train-0"]},
    ),
    Case(
        "column dropped",
        [('"number": Value("int64"),', ""), ('"number": int(rng(*key).integers(2**40)), ', "")],
        Bump.MAJOR,
        "column number dropped in each of even train and even test",
        {
            "columns_removed": ["number"],
            "changed": [f"even-test-{i}" for i in range(5)],
        },
    ),
    Case(
        "column renamed",
        [
            ('"number": Value("int64"),', '"value": Value("int64"),'),
            ('"number": int', '"value": int'),
        ],
        Bump.MAJOR,
        "column number dropped in each of even train and even test; "
        "column value added in each of even train and even test",
        {
            "columns_removed": ["number"],
            "columns_added": ["value"],
            "changed": [f"even-test-{i}" for i in range(5)],
        },
    ),
    Case(
        "column added",
        [
            (FEATURES, f'{FEATURES}, "weight": Value("float64")'),
            ('"evidence": []', '"evidence": [], "weight": i / 7'),
        ],
        Bump.MINOR,
        "column weight added in each of even train and even test",
        {"columns_added": ["weight"]},
        reads_shards=True,
    ),
    Case(
        "column added and a label changed",
        [
            (FEATURES, f'{FEATURES}, "weight": Value("float64")'),
            ('"evidence": []', '"evidence": [], "weight": i / 7'),
            ('"label": i % 2', '"label": (i + (name == "even-test-3")) % 2'),
        ],
        Bump.MAJOR,
        "column weight added in each of even train and even test; 1 record changed in even test",
        {"columns_added": ["weight"], "changed": ["even-test-3"]},
        reads_shards=True,
    ),
    Case(
        "classes swapped",
        [('names=["low", "high"]', 'names=["high", "low"]')],
        Bump.MAJOR,
        "column label declared anew in each of even train and even test",
        {"columns_redeclared": ["label"]},
    ),
    Case(
        "only the card",
        [('"Numbers", 1', '"Figures", 1')],
        Bump.PATCH,
        "the same records, other bytes in README.md",
        {},
    ),
    Case(
        "only the bytes of shards",
        [("row_group_rows, packages = 2, 2,", "row_group_rows, packages = 2, 1,")],
        Bump.PATCH,
        "the same records, other bytes in ",
        {},
    ),
)
KINDS = [kind.name for kind in fields(SplitDifferences)[4:]]


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keeps builds of the unchanged numbers."""
    return tmp_path_factory.mktemp("unchanged")


@pytest.fixture
def make_build(
    load_numbers: Callable[..., Any], tmp_path: Path, unchanged: Path
) -> Callable[..., Path]:
    """Builds the numbers with changes to their source: `make_build("name", changes, configs)`."""

    def make(name: str, changes: Sequence[Change] = (), configs: Sequence[str] = ("even",)) -> Path:
        load_numbers(*changes)
        kept = unchanged / " ".join(configs)
        if changes or not kept.exists():
            made = tmp_path / name if changes else kept
            build(Recipe.of("numbers"), made, configs, jobs=1, quiet=True)
        return tmp_path / name if changes else Path(shutil.copytree(kept, tmp_path / name))

    return make


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_the_least_bump_is_worked_out_from_records(
    make_build: Callable[..., Path], case: Case
) -> None:
    old, new = make_build("old"), make_build("new", case.changes, case.configs)
    for directory in [old] if case.reads_shards else [old, new]:
        for shard in directory.glob("*/*-of-*.parquet"):
            shard.unlink()
    found = compare(open_release(str(old)), open_release(str(new)))
    assert least_bump(found) is case.bump
    assert explain(found).startswith(case.sentence)
    test = next(of for of in found.splits if (of.config, of.split) == ("even", "test"))
    assert {kind: list(getattr(test, kind)) for kind in KINDS if getattr(test, kind)} == case.found
    assert bool(found) == (case.bump is not Bump.NONE)


def test_a_config_that_is_gone_is_major(make_build: Callable[..., Path]) -> None:
    old, new = make_build("old", configs=("even", "odd")), make_build("new")
    found = compare(open_release(str(old)), open_release(str(new)))
    assert least_bump(found) is Bump.MAJOR
    assert (
        explain(found)
        == "10 records removed in odd train (gone); 5 records removed in odd test (gone)"
    )


def test_a_split_that_takes_anothers_name_moves_its_records(
    make_build: Callable[..., Path],
) -> None:
    renamed = [
        ('("train", "test")', '("training", "test")'),
        ('"train": 10', '"training": 10'),
        ('f"{config}-{split}-{i}"', 'f"{config}-{split[:5]}-{i}"'),
    ]
    old, new = make_build("old"), make_build("new", renamed)
    found = compare(open_release(str(old)), open_release(str(new)))
    assert least_bump(found) is Bump.MAJOR
    training = found.splits[0]
    assert (training.split, training.before, len(training.moved)) == ("training", None, 10)
    train = found.splits[-1]
    assert (train.split, train.before, train.after, list(train.removed)) == ("train", 10, None, [])


def test_changed_columns_are_named(make_build: Callable[..., Path]) -> None:
    changes = [
        ('"label": i % 2', '"label": (i + (i in (1, 3))) % 2'),
        ("seed, i)", "seed, i + 10 * (i > 2))"),
    ]
    old, new = (open_release(str(make_build(*of))) for of in (("old",), ("new", changes)))
    test = compare(old, new).splits[1]
    assert changed_columns(old, new, test) == {
        "even-test-1": ["label"],
        "even-test-3": ["number", "label", "seed_key"],
        "even-test-4": ["number", "seed_key"],
    }
    assert list(changed_columns(old, new, test, 2)) == ["even-test-1", "even-test-3"]


def test_pictures_are_compared_by_their_pixels(vga_build: Path, vga_copy: Path) -> None:
    """One picture is stored in other bytes, of another a pixel is changed."""
    path = next(vga_copy.glob("hard_iso/test-*.parquet"))
    table = pq.read_table(path)
    images = table.column("image").to_pylist()
    for place, dot in ((3, None), (5, (350, 350))):
        with Image.open(io.BytesIO(images[place]["bytes"])) as picture:
            changed = picture.convert("RGB")
        if dot is not None:
            red, *rest = changed.getpixel(dot)
            changed.putpixel(dot, (255 - red, *rest))
        file = io.BytesIO()
        changed.save(file, "png", compress_level=0)
        images[place]["bytes"] = file.getvalue()
    column = table.schema.get_field_index("image")
    field = table.schema.field("image")
    pq.write_table(table.set_column(column, field, pa.array(images, field.type)), path)
    old, new = open_release(str(vga_build)), open_release(str(vga_copy))
    names = [old.records()["hard_iso", "test"].ids[place] for place in (3, 5)]
    split = SplitDifferences("hard_iso", "test", 24, 24, changed=names)
    assert changed_columns(old, new, split) == {names[0]: [], names[1]: ["image"]}


def test_a_new_column_beside_a_picture_is_minor(vga_build: Path) -> None:
    """The digests over the old columns are made anew from pixels, not from the files' bytes."""

    class Older(DirectoryRelease):
        """The build as it would have been without the column `answer`."""

        def records(self) -> Records:
            lists = super().records()
            config, split = of = ("hard_iso", "test")
            return {**lists, of: self._without_answer(config, split, lists[of])}

        def _without_answer(self, config: str, split: str, of: RecordList) -> RecordList:
            columns = {name: kind for name, kind in of.columns.items() if name != "answer"}
            digests = []
            for _, record in Build(vga_build).records(config, split):
                del record["answer"]
                pixels = pixels_sha256(record["image"]["bytes"])
                digests.append(record_digest(record, {"image": pixels}))
            return RecordList(columns, of.ids, digests)

    found = compare(Older(vga_build), open_release(str(vga_build)))
    assert least_bump(found) is Bump.MINOR
    assert explain(found) == "column answer added in hard_iso test"


def test_texts_that_state_the_version_differ_with_it_only(
    make_build: Callable[..., Path], tmp_path: Path
) -> None:
    old = make_build("old")
    new = Path(shutil.copytree(old, tmp_path / "released"))
    replace_text(new, "README.md", "0.0.0", "1.0.0")
    found = compare(open_release(str(old)), open_release(str(new)))
    assert (found.files, least_bump(found)) == (["README.md"], Bump.PATCH)
    replace_text(new, "manifest.json", '"version": "0.0.0"', '"version": "1.0.0"')
    assert not compare(open_release(str(old)), open_release(str(new)))
    replace_text(new, "manifest.json", '"numpy": "', '"numpy": "9')
    assert compare(open_release(str(old)), open_release(str(new))).files == ["manifest.json"]


def test_a_sentence_names_a_few_of_many_splits() -> None:
    splits = [SplitDifferences("even", f"part{i}", 1, 1, changed=["x"]) for i in range(9)]
    assert explain(Differences(splits)) == (
        "1 record changed in each of even part0, even part1, even part2 and 6 more"
    )


def replace_text(directory: Path, file: str, old: str, new: str) -> None:
    """Changes the text of a file in a build, and its checksum."""
    text = (directory / file).read_text()
    assert old in text
    (directory / file).write_text(text.replace(old, new))
    sums = read_sums(directory) | {file: sha256_of(directory / file)}
    (directory / SUMS).write_text("".join(f"{sums[name]}  {name}\n" for name in sorted(sums)))


Listing = dict[str, list[tuple[int, int]]]
"""The splits of one config: the number of each record in order, and of its content."""
SPLITS = ("train", "test")


@st.composite
def listings(draw: st.DrawFn) -> Listing:
    """Any records in any order in up to two splits, each in one of them."""
    order = draw(st.permutations(range(6)))[: draw(st.integers(0, 6))]
    rows = [(number, draw(st.integers(0, 1))) for number in order]
    cut = draw(st.integers(0, len(rows)))
    return {"train": rows[:cut], "test": rows[cut:]}


@st.composite
def edits(draw: st.DrawFn, before: Listing) -> Listing:
    """A listing that came from another by up to three small changes."""
    after = {split: list(rows) for split, rows in before.items()}
    for _ in range(draw(st.integers(0, 3))):
        rows, others = draw(st.permutations(list(after.values())))
        place = draw(st.integers(0, max(0, len(rows) - 1)))
        edit = draw(st.sampled_from(["append", "remove", "change", "swap", "send"]))
        if edit == "append":
            number = 10 + sum(map(len, after.values()))
            rows.append((number, 0))
        elif rows:
            if edit == "remove":
                del rows[place]
            elif edit == "change":
                rows[place] = (rows[place][0], 1 - rows[place][1])
            elif edit == "swap":
                rows[0], rows[place] = rows[place], rows[0]
            else:
                others.append(rows.pop(place))
    return after


pairs = listings().flatmap(
    lambda before: st.tuples(st.just(before), st.one_of(edits(before), listings()))
)


def as_records(listing: Listing) -> Records:
    """Returns a listing as `records/` would hold it."""
    return {
        ("even", split): RecordList(
            {"id": {}},
            [str(number) for number, _ in rows],
            [bytes([content]) for _, content in rows],
        )
        for split, rows in listing.items()
    }


def find(before: Listing, after: Listing) -> dict[str, SplitDifferences]:
    """Returns what is found between two listings, by split."""

    def redigest(*of: Any) -> Sequence[bytes]:
        raise AssertionError(f"no column was added to {of}")

    found = compare_records(as_records(before), as_records(after), redigest)
    return {split.split: split for split in found}


@given(pairs)
def test_nothing_is_major_but_what_is_no_continuation(pair: tuple[Listing, Listing]) -> None:
    """Naive: a user's rows stay as they are if each old split begins the new one."""
    before, after = pair
    found = find(before, after).values()
    continues = all(after[split][: len(rows)] == rows for split, rows in before.items())
    expected = Bump.NONE if before == after else Bump.MINOR if continues else Bump.MAJOR
    assert max(split.bump for split in found) is expected


@given(pairs)
def test_differences_agree_with_a_naive_count(pair: tuple[Listing, Listing]) -> None:
    before, after = pair
    old = {
        number: (split, place, content)
        for split in SPLITS
        for place, (number, content) in enumerate(before[split])
    }
    new = {
        number: (split, place, content)
        for split in SPLITS
        for place, (number, content) in enumerate(after[split])
    }
    for split, found in find(before, after).items():
        here = [number for number in new if new[number][0] == split]
        assert found.added == [str(number) for number in here if number not in old]
        gone = [number for number in old if old[number][0] == split and number not in new]
        assert found.removed == list(map(str, gone))
        both = [number for number in here if number in old]
        assert found.changed == [str(n) for n in both if old[n][2] != new[n][2]]
        moved = []
        for number in both:
            was, place, _ = old[number]
            left = sum(
                old[other][:2] < (split, place) and old[other][0] == split
                for other in old
                if other not in new or new[other][0] != split
            )
            if was != split or new[number][1] != place - left:
                moved.append(str(number))
        assert found.moved == moved


@given(pairs)
def test_what_is_added_one_way_is_removed_the_other_way(pair: tuple[Listing, Listing]) -> None:
    before, after = pair
    there, back = find(before, after), find(after, before)
    for split in SPLITS:
        assert sorted(there[split].added) == sorted(back[split].removed)
        assert (there[split].before, there[split].after) == (back[split].after, back[split].before)
    changed = [
        sorted(name for split in SPLITS for name in way[split].changed) for way in (there, back)
    ]
    assert changed[0] == changed[1]
