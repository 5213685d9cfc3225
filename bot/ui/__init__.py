"""Turns values into Discord objects: embeds, pages, modals and pictures, in the reader's language."""
