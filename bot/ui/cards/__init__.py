"""Cards, by Pillow: values already written in the reader's language go in, a PNG comes out.

They are drawn in the studio's worker, never in the event loop.
"""

from bot.ui.cards.best import BestCard, Cell, Move, Section, draw_best

__all__ = ["BestCard", "Cell", "Move", "Section", "draw_best"]
