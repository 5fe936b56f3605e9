"""The pages on which people review evidence and draw templates."""
