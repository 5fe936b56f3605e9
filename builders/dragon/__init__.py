"""DRAGON: evidence boxes for questions about diagrams."""
