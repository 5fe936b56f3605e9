"""What a push sends: the repository and branch, one commit, a tag.

Each step may be tried again, and each looks first whether an earlier try was carried out though its
reply never came.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from benchloom.builders.errors import InputError
from benchloom.loaders.hub.client import Hub
from benchloom.loaders.hub.faults import HubFault
from benchloom.loaders.hub.head import MAIN
from benchloom.loaders.hub.plan import MissingTag, PushPlan

AGAIN = "run the same command again"


def create_places(hub: Hub, plan: PushPlan, private: bool) -> None:
    """Makes the repository and the branch, where they are not there."""
    if plan.is_public is None:
        hub.call(
            f"make {plan.repo}",
            lambda: hub.api.create_repo(
                plan.repo, repo_type="dataset", private=private, exist_ok=True
            ),
        )
    if plan.branch != MAIN:
        hub.call(
            f"make the branch {plan.branch} of {plan.repo}",
            lambda: hub.api.create_branch(
                plan.repo, branch=plan.branch, repo_type="dataset", exist_ok=True
            ),
        )


def commit_release(hub: Hub, plan: PushPlan) -> str:
    """Returns the commit by which a branch has become the release, in one step.

    The client first sends the large files that the Hub does not have, which no commit names yet.
    Before a second try, and after a failure, the branch is looked at: the reply may have been lost
    after the commit was made.

    Raises:
        InputError: If the branch is as it was, or someone else has pushed.
    """
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete

    what = f"push to {plan.repo}"
    additions = [
        CommitOperationAdd(path, source if isinstance(source, bytes) else str(source))
        for path in plan.additions
        for source in (plan.files[path].source,)
    ]
    deletions = [CommitOperationDelete(path, is_folder=False) for path in plan.deletions]
    tried = False

    def send() -> str:
        nonlocal tried
        if tried and (landed := _landed(hub, plan)):
            return landed
        tried = True
        with _worded(hub, what):
            info = hub.api.create_commit(
                plan.repo,
                [*additions, *deletions],
                commit_message=f"Release {plan.version}",
                commit_description=plan.entry,
                repo_type="dataset",
                revision=plan.branch,
                parent_commit=plan.head.commit,
            )
        return str(info.oid)

    try:
        return hub.call(what, send)
    except HubFault as fault:
        landed = _landed(hub, plan, fault)
        if landed is None:
            raise InputError(f"{fault}; {plan.repo} is as it was") from None
        return landed


@contextmanager
def _worded(hub: Hub, what: str) -> Iterator[None]:
    """Gives what the client raises without a type of its own one that `Hub.call` knows.

    The client takes every reply about a card for JSON, reports what the Hub has against a card or a
    file as a bare ValueError, and wraps what went wrong with one file of several.
    """
    from huggingface_hub.utils import HfHubHTTPError

    try:
        yield
    except RuntimeError as error:
        cause = error.__cause__
        if not isinstance(cause, Exception):
            raise
        status = getattr(getattr(cause, "response", None), "status_code", 0)
        if isinstance(cause, HfHubHTTPError) and 400 <= status < 429:  # sent anew, it may pass
            raise ConnectionError("a file did not arrive whole, or too late") from None
        raise cause from None
    except json.JSONDecodeError:
        raise ConnectionError("the reply is none of a Hub that is well") from None
    except ValueError as error:
        if isinstance(error, InputError | OSError):  # these say what they are
            raise
        said = " ".join(str(error).split())[:200]
        raise HubFault(f"cannot {what}: {hub.host} does not take it ({said})") from None


def _landed(hub: Hub, plan: PushPlan, fault: HubFault | None = None) -> str | None:
    """Returns the commit at which a branch is the release, None when the branch is as it was.

    Raises:
        InputError: If the branch is neither, for someone else has pushed; or it cannot be read.
    """
    try:
        commit = hub.refs(plan.repo).branches.get(plan.branch)
        if commit == plan.head.commit:
            return None
        is_ours = commit is not None and plan.is_carried_out(hub.tree(plan.repo, commit))
    except HubFault as other:
        if fault is None:
            raise
        raise InputError(
            f"{fault}, and whether the release is there cannot be seen now; {plan.repo} is wholly "
            f"as it was or wholly {plan.version}"
        ) from other
    if not is_ours:
        raise InputError(
            f"someone else has pushed to {plan.repo} meanwhile (commit {str(commit)[:8]}), and "
            f"nothing of this push is there; {AGAIN} to go on from what is there now"
        )
    return commit


def set_tag(hub: Hub, plan: PushPlan, tag: MissingTag) -> None:
    """Sets a tag that is not there; one that is there stays where it is.

    Raises:
        InputError: If it cannot be set, or is at other content.
    """

    def send() -> None:
        from huggingface_hub.utils import HfHubHTTPError

        try:
            hub.api.create_tag(
                plan.repo,
                tag=tag.name,
                tag_message=tag.message,
                revision=tag.commit,
                repo_type="dataset",
            )
        except HfHubHTTPError as error:
            if getattr(error.response, "status_code", None) != 409:  # else it is there
                raise

    def where() -> str | None:
        return hub.refs(plan.repo).tags.get(tag.name)

    what = f"set the tag {tag.name} of {plan.repo}"
    try:
        hub.call(what, send)
        at = where()
    except HubFault as fault:
        with suppress(HubFault):  # the reply may have been lost after it was set
            if where() == tag.commit:
                return
        raise InputError(
            f"{fault}; {plan.branch} is wholly {tag.name.removeprefix('v')} and only its tag may "
            f"be missing, so {AGAIN} to set it"
        ) from None
    if at != tag.commit:
        raise InputError(
            f"cannot {what}: someone else has set it at another commit, and a tag is never moved; "
            f"{AGAIN} with another --version"
        )
