"""The images of a folder, transferred in parallel, with equal results for any number of workers."""

import hashlib
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from benchloom.builders.dragon.features import UndecodableError, decode_image, single_thread
from benchloom.builders.dragon.overlay import draw_overlay
from benchloom.builders.dragon.templates import Template
from benchloom.builders.dragon.transfer import PreparedTemplate, prepare_template, transfer
from benchloom.builders.dragon.transfers import Method, Transfer
from benchloom.builders.errors import InputError
from benchloom.builders.files import write_whole

IMAGE_SUFFIXES = frozenset(
    (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff")
)  # fmt: skip


OVERLAY_SIDE = 1600
"""Longer side, in pixels, of the overlay of a large image."""


def list_images(folder: Path) -> list[str]:
    """Returns the paths of all images in a folder and those in it, relative, with slashes, sorted.

    What is called like an image and is none, such as a link that leads nowhere, is among them: it
    will be found unreadable.

    Raises:
        InputError: If it is no folder or holds no image.
    """
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder")
    found = []
    for path in folder.rglob("*"):
        name = path.relative_to(folder)
        hidden = any(part.startswith(".") for part in name.parts)
        if path.suffix.lower() in IMAGE_SUFFIXES and not hidden and not path.is_dir():
            found.append(name.as_posix())
    if not found:
        raise InputError(f"{folder} holds no image ({', '.join(sorted(IMAGE_SUFFIXES))})")
    return sorted(found)


def transfer_folder(
    source: str,
    folder: Path,
    images: Sequence[str],
    templates: Sequence[tuple[Template, Path]],
    method: Method,
    jobs: int,
    overlay: Path | None = None,
) -> Iterator[Transfer]:
    """Yields what became of each image, in order.

    Args:
        source: The source that the images are of.
        folder: The folder of images.
        images: Their paths in it.
        templates: Templates with the paths of their images.
        method: `auto` or `paper`.
        jobs: Number of processes; 1 works in this one.
        overlay: Where to write each image with its boxes; None for nowhere.

    Raises:
        InputError: If the image of a template cannot be read, an overlay cannot be written, or a
            process was killed.
    """
    both = tuple(templates)
    if jobs == 1:
        for name in images:
            yield _transfer_file(source, folder, name, both, method, overlay)
        return
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import BrokenProcessPool

    run = Parallel(n_jobs=jobs, backend="loky", return_as="generator", batch_size=1)
    parent = os.getpid()
    try:
        yield from run(
            delayed(_transfer_file)(source, folder, name, both, method, overlay, parent)
            for name in images
        )
    except BrokenProcessPool:
        raise InputError(
            "a process was killed, perhaps for want of memory; try again with a smaller --jobs"
        ) from None


@lru_cache(maxsize=64)
def _prepared(template: Template, path: Path) -> PreparedTemplate:
    """Returns a template made ready, once a process."""
    try:
        return prepare_template(template, path)
    except (UndecodableError, OSError) as error:
        raise InputError(f"template {template.id!r}: its image {path}: {error}") from None


def _transfer_file(
    source: str,
    folder: Path,
    name: str,
    templates: tuple[tuple[Template, Path], ...],
    method: Method,
    overlay: Path | None,
    parent: int | None = None,
) -> Transfer:
    if parent is not None and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent sees to Ctrl-C
    with single_thread():
        prepared = [_prepared(template, path) for template, path in templates]
        content = b""
        path = folder / name
        try:
            if path.exists() and not path.is_file():  # a pipe would be waited for
                raise UndecodableError("it is no file")
            content = path.read_bytes()
            done = transfer(content, source, name, prepared, method)
        except (UndecodableError, OSError) as error:
            words = getattr(error, "strerror", None) or str(error)
            sha256 = hashlib.sha256(content).hexdigest() if content else ""
            return Transfer(source, name, sha256, 0, 0, method, "unreadable", reason=words)
        if overlay is not None:
            target = overlay / f"{name}.png"
            try:
                write_whole(target, draw_overlay(decode_image(content, OVERLAY_SIDE), done))
            except OSError as error:
                raise InputError(
                    f"--overlay: {target} cannot be written ({error.strerror})"
                ) from None
    return done
