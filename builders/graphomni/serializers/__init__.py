"""The serialisations: each file here has one way to write a graph as text and to read it back.

A new one is a new file in this folder: copy `edge_list.py`.
"""

import importlib
import pkgutil

from benchloom.builders.graphomni.serializers.serializer import SERIALIZERS, Serializer

__all__ = ["SERIALIZERS", "Serializer"]

for _module in sorted(module.name for module in pkgutil.iter_modules(__path__)):
    importlib.import_module(f"{__name__}.{_module}")
