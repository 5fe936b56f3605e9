"""Tokenizers, where one can be had."""

import threading
from collections.abc import Callable

from benchloom.builders.errors import InputError

DEFAULT = "cl100k_base"
"""The encoding of GPT-4, with which the GraphOmni paper counts (section B.2)."""

PATIENCE = 20.0
"""Seconds to wait for a vocabulary."""


class NoTokenizerError(Exception):
    """No tokenizer can be had; the message says in a sentence what to do."""


def token_counter(name: str, patience: float = PATIENCE) -> Callable[[str], int]:
    """Returns a function that counts the tokens of a text in an encoding of tiktoken.

    tiktoken fetches a vocabulary on its first use and keeps it in the folder that the variable
    `TIKTOKEN_CACHE_DIR` names.

    Args:
        name: The encoding, such as `cl100k_base`.
        patience: Seconds to wait for the vocabulary.

    Raises:
        NoTokenizerError: If tiktoken is not installed or the vocabulary cannot be fetched in time.
        InputError: If tiktoken knows no such encoding.
    """
    try:
        import tiktoken
    except ImportError:
        raise NoTokenizerError(
            "tokens were not counted: install the tokenizer with pip install 'benchloom[tokens]'"
        ) from None
    known = tiktoken.list_encoding_names()
    if name not in known:
        raise InputError(
            f"tiktoken has no encoding {name!r}; choose from {', '.join(sorted(known))}"
        )
    loaded: list[tiktoken.Encoding] = []
    faults: list[Exception] = []

    def load() -> None:
        try:
            loaded.append(tiktoken.get_encoding(name))
        except Exception as error:  # whatever the network or the cache has to say
            faults.append(error)

    # tiktoken waits for an answer without end, which a thread of this kind need not do.
    thread = threading.Thread(target=load, daemon=True)
    thread.start()
    thread.join(patience)
    if not loaded:
        why = type(faults[0]).__name__ if faults else f"no answer in {patience:.0f} s"
        raise NoTokenizerError(
            f"tokens were not counted: the vocabulary {name} could not be loaded ({why}); run the "
            "command once with access to the network, with TIKTOKEN_CACHE_DIR naming a folder "
            "that keeps it"
        )
    encoding = loaded[0]
    return lambda text: len(encoding.encode_ordinary(text))
