"""What a model meant: claims read out of free text, and judged."""
