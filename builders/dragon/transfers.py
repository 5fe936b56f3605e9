"""What became of images in a transfer, and the file that says so."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from benchloom.builders.dragon.features import Detector
from benchloom.builders.dragon.regions import SCORE_DECIMALS, Origin, Region
from benchloom.builders.errors import InputError
from benchloom.builders.files import write_whole

Method = Literal["auto", "paper"]
METHODS: tuple[Method, ...] = get_args(Method)
Status = Literal["placed", "flagged", "unreadable"]


@dataclass(frozen=True)
class Transfer:
    """What became of one image.

    Attributes:
        source: The source that the image is of.
        file_name: The image's path, relative to the folder of images, with slashes.
        sha256: Of its bytes, hexadecimal.
        width: In pixels; 0 if it is unreadable.
        height: In pixels; 0 if it is unreadable.
        method: `auto` or `paper`.
        status: `placed` if a transformation was accepted, `flagged` if the boxes were only scaled,
            `unreadable` if it is no image.
        template_id: The template that its regions are from.
        origin: How the regions on the map came.
        detector: Of the keypoints that were matched.
        inliers: Matches that agree with the transformation.
        score: Correlation of the edges over the map, by the gate; None where nothing came so far.
        reason: Why it was flagged, or is unreadable; else "".
        regions: The regions, in the template's order.
        left_out: Ids of the template's regions of which no place is known (anchor `none`).
    """

    source: str
    file_name: str
    sha256: str
    width: int
    height: int
    method: Method
    status: Status
    template_id: str | None = None
    origin: Origin | None = None
    detector: Detector | None = None
    inliers: int | None = None
    score: float | None = None
    reason: str = ""
    regions: tuple[Region, ...] = ()
    left_out: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Returns plain JSON values: boxes rounded to 0.01 px, scores to 0.0001."""
        return {
            "source": self.source,
            "file_name": self.file_name,
            "sha256": self.sha256,
            "width": self.width,
            "height": self.height,
            "method": self.method,
            "status": self.status,
            "template_id": self.template_id,
            "origin": self.origin,
            "detector": self.detector,
            "inliers": self.inliers,
            "score": None if self.score is None else round(self.score, SCORE_DECIMALS) + 0.0,
            "reason": self.reason,
            "regions": [region.to_json() for region in self.regions],
            "left_out": list(self.left_out),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Transfer":
        """Returns the transfer that `to_json` wrote.

        Raises:
            KeyError: If a field is missing.
            InputError: If a region is not what it should be.
        """
        names = cls.__dataclass_fields__
        plain = {name: value[name] for name in names if name not in ("regions", "left_out")}
        regions = tuple(Region.from_json(region) for region in value["regions"])
        return cls(**plain, regions=regions, left_out=tuple(value["left_out"]))


def write_transfers(path: Path, transfers: Sequence[Transfer]) -> None:
    """Writes transfers as JSON lines.

    Raises:
        OSError: If the file cannot be written; what stood there is then untouched.
    """
    lines = (json.dumps(one.to_json(), ensure_ascii=False, allow_nan=False) for one in transfers)
    write_whole(path, "".join(f"{line}\n" for line in lines))


def read_transfers(path: Path) -> list[Transfer]:
    """Returns the transfers of a file of JSON lines.

    Raises:
        InputError: If it cannot be read, or a line is not what it should be.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        words = getattr(error, "strerror", None) or "it is no text"
        raise InputError(f"{path}: cannot be read ({words})") from None
    transfers = []
    for number, line in enumerate(lines, 1):
        try:
            transfers.append(Transfer.from_json(json.loads(line)))
        except InputError as error:
            raise InputError(f"{path}, line {number}: {error}") from None
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise InputError(
                f"{path}, line {number}: is no line of `dragon transfer` ({error}); run it again"
            ) from None
    return transfers
