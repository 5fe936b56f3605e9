"""The six diagram datasets that DRAGON draws from, one reader a file.

A new one is a new file in this folder: copy `circuit_vqa.py`.
"""

import importlib
import pkgutil

from benchloom.builders.dragon.sources.reading import Fault, SourceReading
from benchloom.builders.dragon.sources.source import SOURCES, Source, source

__all__ = ["SOURCES", "Fault", "Source", "SourceReading", "source"]

for _module in sorted(module.name for module in pkgutil.iter_modules(__path__)):
    importlib.import_module(f"{__name__}.{_module}")
