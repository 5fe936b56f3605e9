"""Dataset cards: the README.md of a build, made from its manifest."""
