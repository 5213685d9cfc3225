"""Pictures, by Pillow: values already written in the reader's language go in, a PNG comes out.

They are drawn in the renderer's thread, never in the event loop. What they are made of stands once: letters, the canvas
and its tones, shapes, the faces of songs, parts, plates, tiles; a picture is a stack of blocks.
"""

from bot.ui.cards.best import BestCard, Legend, Section, best_drawing
from bot.ui.cards.comparison import ChartMeeting, ComparisonCard, Opponent, comparison_drawing
from bot.ui.cards.completion import CompletionPicture, Plate, Row, completion_drawing
from bot.ui.cards.curves import CurveLine
from bot.ui.cards.daily import DailyCard, DailyPlace, daily_drawing
from bot.ui.cards.drawn import (
    draw_best,
    draw_comparison,
    draw_completion,
    draw_daily,
    draw_session,
    draw_tiers,
)
from bot.ui.cards.faces import Face, face_of
from bot.ui.cards.heroes import Hero, RatingSum, SumRow
from bot.ui.cards.layout import Drawing
from bot.ui.cards.plates import DeltaText, LampBadge, Move, Rating
from bot.ui.cards.plays import Play
from bot.ui.cards.session import Effect, SessionCard
from bot.ui.cards.session_phone import session_drawing
from bot.ui.cards.tiers import TierChart, TierRow, TiersCard, tiers_drawing
from bot.ui.cards.tiles import Tile

__all__ = [
    "BestCard",
    "ChartMeeting",
    "ComparisonCard",
    "CompletionPicture",
    "CurveLine",
    "DailyCard",
    "DailyPlace",
    "DeltaText",
    "Drawing",
    "Effect",
    "Face",
    "Hero",
    "LampBadge",
    "Legend",
    "Move",
    "Opponent",
    "Plate",
    "Play",
    "Rating",
    "RatingSum",
    "Row",
    "Section",
    "SessionCard",
    "SumRow",
    "TierChart",
    "TierRow",
    "TiersCard",
    "Tile",
    "best_drawing",
    "comparison_drawing",
    "completion_drawing",
    "daily_drawing",
    "draw_best",
    "draw_comparison",
    "draw_completion",
    "draw_daily",
    "draw_session",
    "draw_tiers",
    "face_of",
    "session_drawing",
    "tiers_drawing",
]
