"""What a member is likely to score: pure. Source: the catalogue, the statistics of all players, and the records."""

from bot.domain.coach.crowd import Crowd, Expectation
from bot.domain.coach.exercises import DENSITY, ERA, TEMPO, Exercise, Syllabus
from bot.domain.coach.gists import Gist
from bot.domain.coach.outlook import Coach, Leaning, Outlook, coach
from bot.domain.coach.turns import next_turns

__all__ = [
    "DENSITY",
    "ERA",
    "TEMPO",
    "Coach",
    "Crowd",
    "Exercise",
    "Expectation",
    "Gist",
    "Leaning",
    "Outlook",
    "Syllabus",
    "coach",
    "next_turns",
]
