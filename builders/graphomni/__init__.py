"""GraphOmni: questions about random graphs, in seven formats and nine prompt schemes."""
