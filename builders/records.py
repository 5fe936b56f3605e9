"""The digest of a record: what makes two records the same, whatever bytes they are stored in."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

DIGEST_BYTES = 16
COLUMNS = "columns"
"""Key in the metadata of a file of `records/`: JSON of each column's name and declared type."""


def record_digest(record: Mapping[str, Any], images: Mapping[str, str]) -> bytes:
    """Returns the 16-byte BLAKE2b digest of a record's canonical JSON.

    Canonical: sorted keys, UTF-8, no NaN, floats by `repr`; each image stands as the hexadecimal
    SHA-256 of its height × width × 3 uint8 RGB array, so that a recompressed picture is the same.

    Args:
        record: Column names to plain values.
        images: For each image column the SHA-256 of its pixels.

    Raises:
        ValueError: If a value is NaN or infinite.
    """
    text = json.dumps(
        {**record, **images},
        sort_keys=True,
        ensure_ascii=False,
        allow_nan=False,
        separators=(",", ":"),
    )
    return hashlib.blake2b(text.encode(), digest_size=DIGEST_BYTES).digest()


def split_digest(digests: Iterable[bytes]) -> str:
    """Returns the hexadecimal digest of a split: of its records' digests, in order."""
    total = hashlib.blake2b(digest_size=DIGEST_BYTES)
    for digest in digests:
        total.update(digest)
    return total.hexdigest()


def pixels_sha256(png: bytes) -> str:
    """Returns the hexadecimal SHA-256 of a picture's height × width × 3 uint8 RGB array.

    Raises:
        OSError: If the bytes are no picture.
    """
    import io

    import numpy as np
    from PIL import Image

    with Image.open(io.BytesIO(png)) as image:
        return hashlib.sha256(np.asarray(image.convert("RGB")).tobytes()).hexdigest()
