"""Every fault at every request of a push: what is there after it, and after a second run.

    python tests/support/push_faults.py

prints the table for two small builds of VGA, of which the second has one more config.
"""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from loopback_hub import LoopbackHub

from benchloom.builders.errors import InputError
from benchloom.loaders.hub.client import Hub
from benchloom.loaders.hub.push import push

REPO, TOKEN = "org/data", "hf_secrettoken"
UPLOADS = ("lfs_upload", "lfs_verify")
SENDING = ("create_repo", "validate_yaml", "preupload", "lfs_batch", *UPLOADS, "commit", "tag")
READING = ("whoami", "repo_info", "refs", "tree", "resolve", "download")
FAULTS = {
    "429 once": ("status", {"status": 429, "times": 1}),
    "503 three times": ("status", {"status": 503, "times": 3}),
    "500 for ever": ("status", {"status": 500, "times": None}),
    "503 for ever": ("status", {"status": 503, "times": None}),
    "connection dropped for ever": ("drop", {"times": None}),
    "reply lost once": ("lost_reply", {"times": 1}),
    "reply lost for ever": ("lost_reply", {"times": None}),
    "dropped in the upload": ("drop_upload", {"times": 1}),
    "dropped in every upload": ("drop_upload", {"times": None}),
    "reply cut short": ("cut_reply", {"times": 1}),
    "upload corrupted": ("corrupt", {"times": 1}),
    "every upload corrupted": ("corrupt", {"times": None}),
    "head moved": ("head_moves", {"times": 1}),
}
_FOR_ALL = ("429 once", "503 for ever")
_FOR_SOME = {
    "create_repo": ("reply lost once", "connection dropped for ever"),
    "refs": ("connection dropped for ever",),
    "tree": ("reply cut short",),
    "resolve": ("reply cut short",),
    "preupload": ("reply lost once",),
    "lfs_batch": ("reply lost once",),
    "lfs_upload": (
        "reply lost once",
        "dropped in the upload",
        "dropped in every upload",
        "upload corrupted",
        "every upload corrupted",
    ),
    "lfs_verify": ("reply lost once",),
    "commit": (
        "503 three times",
        "500 for ever",
        "reply lost once",
        "reply lost for ever",
        "connection dropped for ever",
        "dropped in the upload",
        "head moved",
    ),
    "tag": ("connection dropped for ever", "reply lost once", "reply lost for ever"),
}
HEAD = ("request", "fault", "main after", "tags after", "main then", "tags then", "it said")


def faults_of(request: str) -> tuple[str, ...]:
    """Returns which faults a kind of request is tried with."""
    return (*_FOR_ALL, *_FOR_SOME.get(request, ()))


@dataclass(frozen=True)
class Outcome:
    """A push that met a fault, and the same push once more without one.

    `main` is "none", "old", "new", "another push" (old and what somebody else has pushed) or
    "MIXTURE"; `tags` are those that are where they belong, and "WRONG" where one is not.
    """

    request: str
    fault: str
    main: str
    tags: str
    main_then: str
    tags_then: str
    said: str


class PushTable:
    """Pushes of a build over an older release of it; the clients' waiting is to be made short."""

    def __init__(self, hub: LoopbackHub, old: Path, new: Path) -> None:
        self.hub, self.old, self.new = hub, old, new
        hub.add_user("ada", TOKEN, orgs=["org"])
        assert self.push(old) == ""
        self.base = deepcopy(hub.repositories[REPO])
        assert self.push(new) == ""
        _, self.first, self.second = hub.commits(REPO)

    def push(self, build: Path) -> str:
        """Returns what a push says that is not done, nothing when it is."""
        client = Hub(self.hub.url, TOKEN, sleep=lambda seconds: None)
        try:
            faults = push(
                client, build, REPO, say=lambda line: None, trial=lambda place, expected: []
            )
        except InputError as error:
            return str(error)
        return "; ".join(faults)

    def outcomes(self, request: str) -> Iterator[Outcome]:
        """Yields what comes of each fault of a kind of request."""
        for name in faults_of(request):
            yield self.outcome(request, name)

    def outcome(self, request: str, name: str) -> Outcome:
        """Returns what comes of one fault."""
        what, options = FAULTS[name]
        is_first = request == "create_repo"
        return self.meet(request, name, what, is_first=is_first, **options)

    def meet(
        self, request: str, name: str, what: str, *, is_first: bool = False, **options: Any
    ) -> Outcome:
        """Returns what comes of a fault of the Hub's, called by a name."""
        hub = self.hub
        self.reset(is_first)
        build = self.old if is_first else self.new
        fault = hub.fault(request, what, **options)
        said = self.push(build)
        assert fault.fired, f"a push sends no {request}"
        hub.clear_faults()
        main, tags = self.main(), self.tags()
        again = self.push(build)
        assert again == "", f"{request}, {name}: the second run said {again}"
        history = hub.commits(REPO)
        states = {self.word(hub.tree(REPO, commit.id)) for commit in history}
        assert "MIXTURE" not in states, f"{request}, {name}: {states}"
        assert len({commit.title for commit in history}) == len(history), f"{request}, {name}"
        return Outcome(request, name, main, tags, self.main(), self.tags(), said)

    def reset(self, is_first: bool = False) -> None:
        """Goes back to the older release, or to no repository at all."""
        self.hub.clear_faults()
        self.hub.repositories.clear()
        if not is_first:
            self.hub.repositories[REPO] = deepcopy(self.base)

    def main(self) -> str:
        """Returns what stands at main."""
        return self.word(self.hub.tree(REPO)) if REPO in self.hub.repositories else "none"

    def word(self, tree: dict[str, str]) -> str:
        """Returns what a tree is."""
        files = {path: sha256 for path, sha256 in tree.items() if path != "another_push.txt"}
        moved = " + another push" if len(files) < len(tree) else ""
        for word, commit in (("new", self.second), ("old", self.first)):
            if files == {path: entry.sha256 for path, entry in commit.tree.items()}:
                return word + moved
        return "empty" if set(files) == {".gitattributes"} else "MIXTURE"

    def tags(self) -> str:
        """Returns the tags, those that are at anything but their release as WRONG."""
        if REPO not in self.hub.repositories:
            return ""
        right = {"v1.0.0": self.first, "v1.1.0": self.second}
        words = []
        for name, tag in sorted(self.hub.tags(REPO).items()):
            tree = self.hub.tree(REPO, tag.commit)
            tree.pop("another_push.txt", None)
            wanted = {path: entry.sha256 for path, entry in right[name].tree.items()}
            words.append(name if tree == wanted else f"{name} WRONG")
        return " ".join(words)


def main() -> None:
    """Prints the table."""
    import os
    import tempfile
    import time

    with tempfile.TemporaryDirectory() as name:
        hub = LoopbackHub()
        os.environ.update(hub.environment(Path(name, "home")))
        from huggingface_hub.utils import disable_progress_bars, logging

        from benchloom.builders.pipeline import build
        from benchloom.builders.recipe import Recipe
        from benchloom.scripts.arguments import print_table

        disable_progress_bars()
        logging.set_verbosity_error()
        old, new = Path(name, "old"), Path(name, "new")
        build(Recipe.of("vga", limit=6), old, ["hard_iso"], quiet=True)
        build(Recipe.of("vga", limit=6), new, ["hard_iso", "ham_path"], quiet=True)
        hub.start()
        time.sleep = lambda seconds: None  # the client would wait as for a real Hub
        table = PushTable(hub, old, new)
        rows = [
            astuple(outcome)
            for request in (*READING, *SENDING)
            for outcome in table.outcomes(request)
        ]
        print_table(HEAD, rows)
        print(f"{len(rows)} combinations")
        hub.stop()


if __name__ == "__main__":
    main()
