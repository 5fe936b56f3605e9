"""What holds for all tests of builders."""

from collections.abc import Iterator

import pytest
from joblib.externals.loky import get_reusable_executor


@pytest.fixture(scope="session", autouse=True)
def ended_workers() -> Iterator[None]:
    """Ends the worker processes with the session."""
    yield
    get_reusable_executor().shutdown(kill_workers=True)
