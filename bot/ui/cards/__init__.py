"""Pictures, by Pillow: values already written in the reader's language go in, a PNG comes out.

They are drawn in the renderer's thread, never in the event loop. What they are made of stands once: letters, the canvas
and its tones, the faces of songs, parts, tiles.
"""

from bot.ui.cards.best import BestCard, Column, Hero, Legend, draw_best
from bot.ui.cards.completion import CompletionPicture, Plate, Row, draw_completion
from bot.ui.cards.daily import DailyBar, DailyPicture, DailyStep, DayScore, draw_daily
from bot.ui.cards.faces import Face, face_of
from bot.ui.cards.parts import CurveLine, DeltaText, LampBadge, Move, Rating
from bot.ui.cards.phone import draw_phone, phone_pictures
from bot.ui.cards.session import SessionPicture, draw_session
from bot.ui.cards.tiles import Tile

__all__ = [
    "BestCard",
    "Column",
    "CompletionPicture",
    "CurveLine",
    "DailyBar",
    "DailyPicture",
    "DailyStep",
    "DayScore",
    "DeltaText",
    "Face",
    "Hero",
    "LampBadge",
    "Legend",
    "Move",
    "Plate",
    "Rating",
    "Row",
    "SessionPicture",
    "Tile",
    "draw_best",
    "draw_completion",
    "draw_daily",
    "draw_phone",
    "draw_session",
    "face_of",
    "phone_pictures",
]
