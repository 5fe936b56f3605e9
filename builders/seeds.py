"""The one source of randomness."""

import hashlib

import numpy as np

Key = str | int


def seed_key(*key: Key) -> str:
    """Returns the text of a random key, parts joined by `/`, as records store it in `seed_key`.

    Raises:
        TypeError: If a part is not a str or an int (None and floats are refused: a forgotten seed
            must not pass for a seed).
        ValueError: If a part is empty or contains a slash: two keys could then read the same.
    """
    for part in key:
        if isinstance(part, bool) or not isinstance(part, str | int):
            raise TypeError(f"a random key is made of str and int, not {part!r}")
        if isinstance(part, str) and (not part or "/" in part):
            raise ValueError(f"a part of a random key is a word without a slash, not {part!r}")
    return "/".join(str(part) for part in key)


def rng(*key: Key) -> np.random.Generator:
    """Returns the random generator of a key: equal keys, equal numbers, on any machine.

    The seed is the 128-bit BLAKE2b of the key's text, so neighbouring seeds share nothing, `[1]`
    and `[1, 0]` differ, and no order of calls matters.

    Args:
        *key: What the numbers are for, from the general to the particular: benchmark, generation,
            config, split, purpose, user seed, index.

    Raises:
        TypeError: If a part is neither str nor int.
        ValueError: If a part is empty or contains a slash.
    """
    digest = hashlib.blake2b(seed_key(*key).encode(), digest_size=16).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest, "big")))
