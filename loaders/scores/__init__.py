"""Scores: many answers judged, and what they tell of a model.

Each module `vga`, `graphomni`, `dragon` offers `score(predictions, references, **options)`, which
returns a `Result`, and `OPTIONS`, the options that the command line offers for it alone.
"""
