"""Transferred boxes drawn on their image, to be looked at."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.dragon.regions import Region
from benchloom.builders.dragon.transfers import Transfer
from benchloom.loaders.boxes import xyxy_from_xywh

# Blue, green, red, as OpenCV has them; told apart by people who see no red or no green, too.
PLACED = (160, 100, 0)
TO_REDRAW = (0, 80, 230)
PAPER = (255, 255, 255)
FONT_SIZE = 0.45


def draw_overlay(image: NDArray[np.uint8], transfer: Transfer) -> bytes:
    """Returns a PNG of an image with its boxes: blue where placed, orange to be drawn anew.

    Each box has its region's id; below the image a line says what became of it.

    Args:
        image: The image, or a smaller copy: rows × columns × 3 bytes in OpenCV's order blue, green,
            red.
        transfer: What became of it.
    """
    import cv2

    shrink = image.shape[1] / transfer.width
    footer = np.full((24, image.shape[1], 3), 255, np.uint8)
    canvas = np.vstack([image, footer])
    for region in transfer.regions:
        _draw_region(canvas, region, shrink)
    words = f"{transfer.status}: {transfer.template_id}, {transfer.origin}"
    if transfer.inliers is not None:
        words += f", {transfer.inliers} inliers"
    if transfer.score is not None:
        words += f", edges {transfer.score:.2f}"
    colour = PLACED if transfer.status == "placed" else TO_REDRAW
    _write(canvas, f"{words} {transfer.reason}", (4, canvas.shape[0] - 7), colour)
    done, png = cv2.imencode(".png", canvas)
    if not done:
        raise RuntimeError(f"OpenCV could not write the overlay of {transfer.file_name}")
    return png.tobytes()


def _draw_region(canvas: Any, region: Region, shrink: float) -> None:
    import cv2

    colour = TO_REDRAW if region.needs_redraw else PLACED
    left, top, right, bottom = (round(shrink * edge) for edge in xyxy_from_xywh(region.bbox))
    cv2.rectangle(canvas, (left, top), (right - 1, bottom - 1), colour, 1, cv2.LINE_8)
    _write(
        canvas, region.id + (" (clipped)" if region.clipped else ""), (left + 2, top + 12), colour
    )


def _write(canvas: Any, text: str, at: tuple[int, int], colour: tuple[int, int, int]) -> None:
    import cv2

    for ink, thickness in ((PAPER, 3), (colour, 1)):
        cv2.putText(
            canvas, text, at, cv2.FONT_HERSHEY_SIMPLEX, FONT_SIZE, ink, thickness, cv2.LINE_AA
        )
