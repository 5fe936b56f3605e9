"""What the files of pictures say of themselves."""

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchloom.builders.dragon.opening import TooLargeError, load, open_image


def read_size(path: Path) -> tuple[int, int]:
    """Returns width and height of a picture in pixels, as they are stored, from its header alone.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If it is no picture that can be decoded; a part of a sentence.
    """
    return _look(path, decode=False)


def find_undecodable(paths: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """Decodes pictures wholly and yields for each, in their order, what is wrong: "" for nothing.

    A header may be whole while the rest of the file is cut off.
    """
    paths = list(paths)
    # Pillow decodes without Python's lock.
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        yield from zip(paths, pool.map(_try_to_decode, paths), strict=True)


def _try_to_decode(path: Path) -> str:
    try:
        _look(path, decode=True)
    except FileNotFoundError:
        return "the image is missing"
    except ValueError as error:
        return str(error)
    return ""


def _look(path: Path, decode: bool) -> tuple[int, int]:
    from PIL import UnidentifiedImageError

    if path.exists() and not path.is_file():  # a pipe would be waited for
        raise ValueError("the image cannot be decoded (it is no file)")
    try:
        with open_image(path) as image:
            size = image.size
            if decode:
                load(image)
            return size
    except FileNotFoundError:
        raise
    except TooLargeError as error:
        raise ValueError(f"the image {error}") from None
    except UnidentifiedImageError:
        raise ValueError("this is no image that can be decoded") from None
    except Exception as error:  # decoders of damaged files raise whatever they stumble over
        words = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise ValueError(f"the image cannot be decoded ({words})") from None
