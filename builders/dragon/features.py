"""What is matched: an image's edges, and keypoints on them.

Maps of one kind differ in colours, labels and legends, while borders stay. So keypoints are taken
on edge magnitude (the maximum over the colour channels), not on gray, where two fills of equal
brightness have no border. Points are (x, y) in pixels of the whole image, continuous: the centre of
its first pixel is (0.5, 0.5).
"""

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.dragon.opening import TooLargeError, is_large, open_image, read_smaller

Points = NDArray[np.float64]
"""Rows of x, y."""
Detector = Literal["sift", "orb"]

MATCHING_SIDE = 1200
"""Longest side, in pixels, of the image that is matched."""
LEAST_SIDE = 16
"""Below this, in pixels, an image has no keypoints: the detectors' smallest patches."""
MOST_KEYPOINTS = 3000
NEAREST_RATIO = {"sift": 0.75, "orb": 0.8}
"""A match is kept when its distance is below this part of the second best one's (Lowe 2004)."""
EDGE_DIVISOR = 4
"""Brings Sobel's magnitude, at most 4 × 255 along an axis, to bytes."""


class UndecodableError(ValueError):
    """A file is no image that can be read; the message says why."""


@dataclass(frozen=True, eq=False)
class Picture:
    """An image made ready for matching.

    Attributes:
        width: Width of the whole image in pixels.
        height: Height of the whole image in pixels.
        edges: Edge magnitude of the image scaled to at most 1200 px, rows × columns, uint8.
        gray: The scaled image in gray, rows × columns, uint8.
    """

    width: int
    height: int
    edges: NDArray[np.uint8]
    gray: NDArray[np.uint8]

    @property
    def scale(self) -> Points:
        """Pixels of the scaled image per pixel of the whole one, along x and y."""
        rows, columns = self.edges.shape
        return np.array([columns / self.width, rows / self.height])


@dataclass(frozen=True, eq=False)
class Keypoints:
    """Keypoints of a picture: n points (x, y) of the scaled image, n descriptors (None for 0)."""

    points: Points
    descriptors: NDArray[Any] | None


NO_KEYPOINTS = Keypoints(np.empty((0, 2)), None)


@contextmanager
def single_thread() -> Iterator[None]:
    """Lets OpenCV work in one thread: processes are the unit of parallel work here."""
    import cv2

    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(before)


def decode_image(content: bytes, side: int = MATCHING_SIDE) -> NDArray[np.uint8]:
    """Returns an image as rows × columns × 3 bytes in OpenCV's order blue, green, red.

    What is transparent is laid on white. A rotation that only the metadata asks for is not done:
    boxes are in pixels as they are stored.

    Args:
        content: The bytes of its file.
        side: The longer side, in pixels, that an image of more than 40 million pixels is shrunk to.

    Raises:
        UndecodableError: If the bytes are no image, a damaged one, or one that is too large.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        with open_image(io.BytesIO(content)) as image:
            if is_large(image):
                small = read_smaller(image, side, lambda one: Image.fromarray(_on_white(one)))
                pixels = np.asarray(small)
            else:
                image.load()
                pixels = _on_white(image)
    except UnidentifiedImageError:
        raise UndecodableError("it is no image that can be decoded") from None
    except TooLargeError as error:
        raise UndecodableError(f"it {error}") from None
    except Exception as error:  # decoders of damaged files raise whatever they stumble over
        words = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise UndecodableError(f"it cannot be decoded ({words})") from None
    return np.ascontiguousarray(pixels[:, :, ::-1])


def read_image_size(content: bytes) -> tuple[int, int]:
    """Returns width and height of a whole image, in pixels, from the bytes of its file.

    Raises:
        OSError: If it is no image; `decode_image` says why.
    """
    with open_image(io.BytesIO(content)) as image:
        return image.size


def _on_white(image: Any) -> NDArray[np.uint8]:
    from PIL import Image

    if image.mode.startswith("I"):  # 16 bits a pixel, which Pillow would cut off at 255
        deep = np.asarray(image).astype(np.int64)
        gray = np.clip(deep // 256, 0, 255).astype(np.uint8)
        return np.repeat(gray[:, :, None], 3, axis=2)
    if image.has_transparency_data:
        with_alpha = image.convert("RGBA")
        if with_alpha.getchannel("A").getextrema() != (255, 255):
            paper = Image.new("RGBA", image.size, (255, 255, 255, 255))
            with_alpha = Image.alpha_composite(paper, with_alpha)
        image = with_alpha
    return np.asarray(image.convert("RGB"))


def prepare(image: NDArray[np.uint8], size: tuple[int, int] | None = None) -> Picture:
    """Returns an image made ready for matching.

    Args:
        image: Rows × columns × 3 bytes.
        size: Width and height of the whole image, of which this is a smaller copy; None if it is
            all of it.
    """
    import cv2

    rows, columns = image.shape[:2]
    shrink = MATCHING_SIDE / max(columns, rows)
    if shrink < 1:
        scaled = max(1, round(columns * shrink)), max(1, round(rows * shrink))
        image = cv2.resize(image, scaled, interpolation=cv2.INTER_AREA)
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    width, height = size or (columns, rows)
    return Picture(width, height, edge_magnitude(image), gray)


def edge_magnitude(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Returns the magnitude of Sobel's gradient, the largest of the channels', by 4, up to 255.

    All of it is exact: integers below 2^24 in float32, and one square root.
    """
    import cv2

    across = cv2.Sobel(image, cv2.CV_32F, 1, 0)
    down = cv2.Sobel(image, cv2.CV_32F, 0, 1)
    square = cv2.add(cv2.multiply(across, across), cv2.multiply(down, down))
    strongest = np.maximum(np.maximum(square[..., 0], square[..., 1]), square[..., 2])
    magnitude = np.sqrt(strongest) / np.float32(EDGE_DIVISOR)
    return np.asarray(np.minimum(magnitude, 255).astype(np.uint8))


def find_keypoints(
    image: NDArray[np.uint8], detector: Detector, mask: NDArray[np.uint8] | None = None
) -> Keypoints:
    """Returns the keypoints of an image of one channel, those inside a mask where there is one."""
    import cv2

    if min(image.shape) < LEAST_SIDE:
        return NO_KEYPOINTS
    finder: cv2.Feature2D
    if detector == "sift":
        finder = cv2.SIFT.create(nfeatures=MOST_KEYPOINTS, enable_precise_upscale=True)
    else:
        finder = cv2.ORB.create(nfeatures=MOST_KEYPOINTS, fastThreshold=10)
    return _keypoints(*finder.detectAndCompute(image, mask))


def _keypoints(found: Sequence[Any], descriptors: NDArray[Any] | None) -> Keypoints:
    if not found:
        return NO_KEYPOINTS
    # OpenCV counts from the centre of the first pixel.
    return Keypoints(np.array([point.pt for point in found]) + 0.5, descriptors)


def find_plain_keypoints(image: NDArray[np.uint8]) -> Keypoints:
    """Returns all keypoints of an image of one channel by SIFT as OpenCV has it."""
    import cv2

    if min(image.shape) < LEAST_SIDE:
        return NO_KEYPOINTS
    return _keypoints(*cv2.SIFT.create().detectAndCompute(image, None))


def match_keypoints(
    template: Keypoints, target: Keypoints, detector: Detector, one_to_one: bool = True
) -> tuple[Points, Points]:
    """Returns the matched points of template and target, row by row, sorted.

    Every keypoint of the template is matched with its nearest of the target by comparing all pairs
    (an approximate index would not be deterministic), and kept where the second nearest is
    clearly farther.

    Args:
        template: The template's keypoints.
        target: The target's.
        detector: What both were found by.
        one_to_one: Whether only the nearest stays of several that match one keypoint of the target:
            a crowd on one point would agree on a map that is shrunk to it.
    """
    import cv2

    if template.descriptors is None or target.descriptors is None or len(target.points) < 2:
        return NO_KEYPOINTS.points, NO_KEYPOINTS.points
    norm = cv2.NORM_L2 if detector == "sift" else cv2.NORM_HAMMING
    kept = [
        (near.distance, near.queryIdx, near.trainIdx)
        for near, second in cv2.BFMatcher(norm).knnMatch(
            template.descriptors, target.descriptors, k=2
        )
        if near.distance < NEAREST_RATIO[detector] * second.distance
    ]
    if one_to_one:  # the last of equal keys stays, which is the nearest
        kept = list({match[2]: match for match in sorted(kept, reverse=True)}.values())
    source = template.points[[query for _, query, _ in kept]]
    points = target.points[[train for _, _, train in kept]]
    order = match_order(source, points)
    return source[order], points[order]


def match_order(source: Points, target: Points) -> NDArray[np.intp]:
    """Returns the order of matches by their coordinates, in which RANSAC is to see them."""
    return np.lexsort((target[:, 1], target[:, 0], source[:, 1], source[:, 0]))
