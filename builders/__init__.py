"""How datasets are made: the engine any benchmark is built with, and one folder per benchmark."""
