"""The page on which people review evidence."""
