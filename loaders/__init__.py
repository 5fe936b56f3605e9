"""How datasets are read, and answers to them scored."""
