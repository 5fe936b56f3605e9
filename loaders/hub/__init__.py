"""Releases on the Hub: reading them, comparing them, pushing them."""
