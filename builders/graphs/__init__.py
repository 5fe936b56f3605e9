"""Labelled graphs, the catalogue of connected graphs, and exact answers about graphs."""
