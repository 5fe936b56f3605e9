"""GraphOmni: questions about random graphs, written out in seven formats and nine prompt schemes."""
