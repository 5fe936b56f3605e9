"""A file of templates to which one is added, or in which one is changed."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchloom.builders.dragon.templates import Template, check_ids
from benchloom.builders.errors import InputError
from benchloom.builders.files import dump_json, write_whole


@dataclass(frozen=True)
class TemplateFile:
    """A file of templates in our own JSON; may be new.

    Attributes:
        path: The file.
    """

    path: Path

    def read(self) -> list[Template]:
        """Returns its templates in their order, none if there is no such file.

        Raises:
            InputError: If it cannot be read, or is another file.
        """
        return self._templates(self._read())

    def put(self, template: Template) -> None:
        """Writes a template in place of the one of its id, or after all others.

        The others stay as they are, also what they hold besides.

        Raises:
            InputError: If the file cannot be read or written, or is another file.
        """
        value = self._read()
        ids = [one.id for one in self._templates(value)]
        entries = value["templates"]
        if template.id in ids:
            at = ids.index(template.id)
            entries[at] = {**entries[at], **template.to_json()}
        else:
            entries.append(template.to_json())
        try:
            write_whole(self.path, dump_json(value))
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written ({error.strerror})") from None

    def _read(self) -> dict[str, Any]:
        try:
            value = json.loads(self.path.read_text(encoding="utf-8-sig"))
        except FileNotFoundError:
            return {"templates": []}
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read ({error.strerror})") from None
        except (ValueError, RecursionError):
            raise InputError(f"{self.path}: is no JSON; name another file") from None
        if not isinstance(value, dict) or not isinstance(value.get("templates"), list):
            raise InputError(
                f"{self.path}: is no file of templates as this command writes it; name another file"
            )
        return value

    def _templates(self, value: dict[str, Any]) -> list[Template]:
        try:
            templates = [Template.from_json(one) for one in value["templates"]]
        except InputError as error:
            raise InputError(f"{self.path}: {error}") from None
        except AttributeError:
            raise InputError(f"{self.path}: one of its templates is no object") from None
        check_ids(templates, str(self.path))
        return templates


@contextmanager
def open_file(path: Path) -> Iterator[TemplateFile]:
    """Opens a file of templates for one session; the lock goes with the process, even a killed one.

    Raises:
        InputError: If another session has it, or it cannot be written.
    """
    from filelock import FileLock, Timeout

    if path.is_dir():
        raise InputError(f"{path}: is a folder; name a file in it")
    lock = FileLock(path.with_name(f".{path.name}.lock"), timeout=0)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise InputError(f"{path}: another session writes to it; end that one first") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
    try:
        yield TemplateFile(path)
    finally:
        lock.release()
