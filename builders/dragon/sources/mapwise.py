"""MapWise: choropleth maps of three countries in three styles, and counterfactual maps.

Layout: `<country>/json_data/<style>.json`, a list of `{map_no, template_no, question, ground_truth,
ground_truth_type, c_or_d, relative_region}`; the same questions, once for all styles, in
`<country>/qna.csv`; `<country>/images/<style>/<stem>.png`; `<country>/metadata/<stem>.json`.
Counterfactuals: `counter_factuals/<kind>/{json_data/data.json, qna.csv, maps/<stem>.png}`; the
names of the states on these maps are exchanged or made up. The source has no boxes.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchloom.builders.dragon.sources.collector import Collector
from benchloom.builders.dragon.sources.source import SOURCES, Source, subfolders
from benchloom.builders.dragon.sources.texts import is_plain, text_of
from benchloom.builders.registry import register

# How a map_id of qna.csv becomes the name of an image; counterfactuals are maps of the USA.
STEMS = {"usa": "map_{}", "china": "map{}", "india": "map{}"}
COUNTERFACTUALS = "counter_factuals"
STYLES = ("with_annotations", "wo_annotations", "hatched")
COLUMNS = ("map_id", "template_no", "question", "ground_truth", "c_or_d", "relative_region")
SHADES = ("2", "4", "5")
"""Templates of questions about shades of colour, which the source does not ask of hatched maps."""
LEGENDS = {"c": "continuous", "d": "discrete"}
NO_REGION = "None"
"""The answer where no region fits: so in the JSON files; an empty cell in qna.csv."""


@register(SOURCES, "mapwise")
class MapWise(Source):
    """Reads MapWise."""

    name = "mapwise"
    title = "MapWise"
    paper_questions = 389
    paper_images = 205
    layout = "the folders usa, china and india, each with json_data, images and metadata"

    def recognises(self, folder: Path) -> bool:
        """Tells whether a country or counterfactuals are in a folder."""
        return any(_is_set(folder / name) for name in STEMS) or (folder / COUNTERFACTUALS).is_dir()

    def find_image(self, root: Path, split: str, file_name: str) -> Path:
        """Returns the path of an image; the file names of countries begin with the style."""
        if split in STEMS:
            return root / split / "images" / file_name
        return root / COUNTERFACTUALS / split / "maps" / file_name

    def renames_places(self, split: str) -> bool:
        """Tells whether it is of counterfactuals, whose places have exchanged or made-up names."""
        return split not in STEMS

    def collect(self, into: Collector) -> None:
        """Reads the countries and the counterfactuals."""
        for country, stem in STEMS.items():
            folder = into.root / country
            if folder.is_dir():
                _Set(into, folder, stem, folder / "images", STYLES).collect()
            else:
                into.fault("missing", folder, "the folder is missing")
        counterfactuals = into.root / COUNTERFACTUALS
        if counterfactuals.is_dir():
            for folder in subfolders(counterfactuals):
                _Set(into, folder, STEMS["usa"], folder / "maps", ("",)).collect()
        else:
            into.fault("missing", counterfactuals, "the folder is missing")
        for folder in subfolders(into.root):
            if folder.name not in {*STEMS, COUNTERFACTUALS} and _is_set(folder):
                into.fault("unknown", folder, "a country that is not known; it is left out")


class _Set:
    """Reads the maps of one country, or one kind of counterfactuals, which has a single style."""

    def __init__(
        self, into: Collector, folder: Path, stem: str, images: Path, styles: tuple[str, ...]
    ) -> None:
        self._into = into
        self._folder = folder
        self._stem = stem
        self._images = images
        self._styles = styles
        self._metadata: dict[str, dict[str, Any]] = {}
        self._rows: list[dict[str, Any]] | None = None

    def collect(self) -> None:
        folder = self._folder / "json_data"
        files = {style: folder / f"{style or 'data'}.json" for style in self._styles}
        for style, file in files.items():
            path, lost = file, "qna.csv is read in its place"
            records = self._into.read_json(file, list, lost, keep_nan=True)
            if records is None:
                path, records = self._folder / "qna.csv", list(self._rows_for(style))
            for number, record in enumerate(records, 1):
                self._add(style, path, number, record)
            self._into.note_unused(self._images / style, ".png")
        for path in sorted(folder.glob("*.json")):
            if path not in files.values():
                self._into.fault("unknown", path, "a style that is not known; it is left out")

    def _rows_for(self, style: str) -> Iterator[dict[str, Any]]:
        """Yields the rows of qna.csv as the JSON file of a style would have them."""
        if self._rows is None:
            path = self._folder / "qna.csv"
            self._rows = list(self._into.read_csv(path, COLUMNS, "no questions") or ())
        for row in self._rows:
            stem = self._stem.format(text_of(row["map_id"]))
            legend = self._legend(stem, row["c_or_d"])
            # Only maps in classes are hatched; where nothing tells the class, a file does.
            if style == "hatched" and (
                legend == "continuous"
                or text_of(row["template_no"]) in SHADES
                or not (legend or self._has_image(style, stem))
            ):
                continue
            # A cell that is blank says "None"; one that the row lacks says nothing.
            cell = row["ground_truth"]
            answer = "" if cell is None else cell.strip() or NO_REGION
            yield {**row, "map_no": stem, "ground_truth": answer}

    def _has_image(self, style: str, stem: str) -> bool:
        return is_plain(stem) and (self._images / style / f"{stem}.png").is_file()

    def _add(self, style: str, path: Path, number: int, record: Any) -> None:
        values = record if isinstance(record, dict) else {}
        stem, question = text_of(values.get("map_no")), text_of(values.get("question"))
        if not (stem and question):
            self._into.fault("damaged", path, f"record {number} has no map or no question", 1)
            return
        answer = _answer(values)
        if not answer:
            given = repr(values["ground_truth"]) if "ground_truth" in values else "missing"
            reason = f"record {number} has a ground_truth that is no answer ({given[:60]})"
            self._into.fault("damaged", path, reason, 1)
            return
        file_name = f"{style}/{stem}.png" if style else f"{stem}.png"
        image = self._into.image(self._images, self._folder.name, file_name)
        if image is None:
            return
        metadata = self._read_metadata(stem)
        template = text_of(values.get("template_no"))
        self._into.add(
            image,
            question,
            answer,
            key=(template,),
            details={
                "style": style or "with_annotations",
                "template_no": template,
                "answer_type": text_of(values.get("ground_truth_type")),
                "legend": self._legend(stem, values.get("c_or_d")),
                "relative_region": text_of(values.get("relative_region")),
                "title": _title(metadata),
            },
        )

    def _legend(self, stem: str, c_or_d: Any) -> str:
        """Returns "discrete", "continuous" or "": from the metadata where the cell is blank."""
        known = LEGENDS.get(text_of(c_or_d).casefold())
        return known or text_of(self._read_metadata(stem).get("legend_type")).casefold()

    def _read_metadata(self, stem: str) -> dict[str, Any]:
        """Returns what is said of a map; nothing for counterfactuals, which have no metadata."""
        if stem not in self._metadata:
            path = self._folder / "metadata" / f"{stem}.json"
            lost = "without it neither title nor legend is known"
            there = self._folder.name in STEMS and is_plain(stem)
            self._metadata[stem] = (self._into.read_json(path, dict, lost) if there else None) or {}
        return self._metadata[stem]


def _answer(values: dict[str, Any]) -> str:
    """Returns the answer of a record, "" if it has none: null says no more than NaN does."""
    return text_of(values.get("ground_truth"))


def _title(metadata: dict[str, Any]) -> str:
    """Returns the title of a map: a text in some files, an object with one in others."""
    title = metadata.get("title")
    return text_of(title.get("text") if isinstance(title, dict) else title)


def _is_set(folder: Path) -> bool:
    """Tells whether a folder has what a country has."""
    return any((folder / name).exists() for name in ("json_data", "images", "qna.csv"))
