"""What a member is likely to score: pure. Source: the catalogue, the statistics of all players, and the records."""

from bot.domain.coach.crowd import Expectation, PopulationModel
from bot.domain.coach.exercises import DENSITY, ERA, TEMPO, ChartFeatures, ChartFeatureSet
from bot.domain.coach.gists import ChartSummary
from bot.domain.coach.outlook import Coach, KnownPlays, coach
from bot.domain.coach.prediction import Chances, Prediction
from bot.domain.coach.traits import TraitCoefficient
from bot.domain.coach.turns import next_turns

__all__ = [
    "DENSITY",
    "ERA",
    "TEMPO",
    "Chances",
    "ChartFeatureSet",
    "ChartFeatures",
    "ChartSummary",
    "Coach",
    "Expectation",
    "KnownPlays",
    "PopulationModel",
    "Prediction",
    "TraitCoefficient",
    "coach",
    "next_turns",
]
