"""What a member is likely to score: pure. Source: the catalogue, the statistics of all players, and the records."""

from bot.domain.coach.crowd import Expectation, PopulationModel
from bot.domain.coach.exercises import DENSITY, ERA, TEMPO, ChartFeatures, ChartFeatureSet
from bot.domain.coach.gists import ChartSummary
from bot.domain.coach.outlook import Coach, Prediction, TraitCoefficient, coach
from bot.domain.coach.turns import next_turns

__all__ = [
    "DENSITY",
    "ERA",
    "TEMPO",
    "ChartFeatureSet",
    "ChartFeatures",
    "ChartSummary",
    "Coach",
    "Expectation",
    "PopulationModel",
    "Prediction",
    "TraitCoefficient",
    "coach",
    "next_turns",
]
