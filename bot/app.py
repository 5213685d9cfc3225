"""Composition root: builds everything, closes it in reverse order."""
