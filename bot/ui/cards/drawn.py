"""The drawing functions for the renderer's thread: one for each kind of picture."""

from bot.domain.members import PictureStyle, Theme
from bot.ui.cards.best import BestCard, best_drawing
from bot.ui.cards.comparison import ComparisonCard, comparison_drawing
from bot.ui.cards.completion import CompletionPicture, completion_drawing
from bot.ui.cards.daily import DailyCard, daily_drawing
from bot.ui.cards.session import SessionCard
from bot.ui.cards.session_phone import session_drawing
from bot.ui.cards.tiers import TiersCard, tiers_drawing


def draw_best(card: BestCard, style: PictureStyle) -> bytes:
    """Return the card of a player as PNG."""
    return best_drawing(card, style.cut).to_png(style.theme)


def draw_session(card: SessionCard, style: PictureStyle) -> bytes:
    """Return the picture of a session as PNG."""
    return session_drawing(card, style.cut).to_png(style.theme)


def draw_comparison(card: ComparisonCard, style: PictureStyle) -> bytes:
    """Return the picture of two players as PNG."""
    return comparison_drawing(card, style.cut).to_png(style.theme)


def draw_completion(picture: CompletionPicture, style: PictureStyle) -> bytes:
    """Return the table of charts as PNG."""
    return completion_drawing(picture, style.cut).to_png(style.theme)


def draw_tiers(card: TiersCard, style: PictureStyle) -> bytes:
    """Return the picture of tiers as PNG."""
    return tiers_drawing(card, style.cut).to_png(style.theme)


def draw_daily(card: DailyCard, theme: Theme) -> bytes:
    """Return the picture of a daily post as PNG."""
    return daily_drawing(card).to_png(theme)
