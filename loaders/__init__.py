"""How datasets are read, checked and shown, and answers are scored."""

from benchloom.loaders.dataset import load
from benchloom.loaders.images import attach_images

__all__ = ["attach_images", "load"]
