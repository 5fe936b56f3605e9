"""How far a long job is: a bar on a terminal, plain lines elsewhere."""

import sys
import time
from types import TracebackType

LINE_SECONDS = 10.0


class Progress:
    """Shows how many of a number of things are done, with rate and time left, on standard error."""

    def __init__(self, total: int, unit: str, done: int = 0, quiet: bool = False) -> None:
        from tqdm import tqdm

        self.total = total
        self.begun_with = done
        self.started = time.monotonic()
        self._unit = unit
        self._quiet = quiet
        self._done = done
        self._next_line = self.started + LINE_SECONDS
        terminal = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._bar = (
            tqdm(total=total, initial=done, unit=f" {unit}", smoothing=0.1, dynamic_ncols=True)
            if terminal
            else None
        )

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.close()

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.started

    def reach(self, done: int) -> None:
        """Shows that so many things are done."""
        if self._bar is not None:
            self._bar.update(done - self._done)
        self._done = done
        now = time.monotonic()
        if (
            self._bar is None
            and not self._quiet
            and done > self.begun_with
            and now >= self._next_line
        ):
            self._next_line = now + LINE_SECONDS
            rate = (done - self.begun_with) / self.seconds
            left = f"{(self.total - done) / rate:.0f} s left"
            print(
                f"{done:,} of {self.total:,} {self._unit}, {rate:,.0f} a second, {left}",
                file=sys.stderr,
                flush=True,
            )

    def say(self, text: str) -> None:
        """Prints a line without disturbing the bar."""
        if self._bar is not None:
            self._bar.write(text, file=sys.stderr)
        elif not self._quiet:
            print(text, file=sys.stderr, flush=True)
