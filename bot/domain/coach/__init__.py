"""What a member is likely to score: pure. Source: the catalogue, the statistics of all players, and the records."""

from bot.domain.coach.crowd import PopulationModel
from bot.domain.coach.exercises import DENSITY, ERA, TEMPO, ChartFeatureSet
from bot.domain.coach.feeling import FeltByMember, FeltChart
from bot.domain.coach.felt import Certainty, Felt, FeltDifficulty, learn
from bot.domain.coach.gists import ChartSummary
from bot.domain.coach.outlook import Coach, FirstTries, KnownPlays, coach, learn_first_try
from bot.domain.coach.prediction import Chances, Form, Prediction
from bot.domain.coach.traits import TraitCoefficient
from bot.domain.coach.turns import next_turns

__all__ = [
    "DENSITY",
    "ERA",
    "TEMPO",
    "Certainty",
    "Chances",
    "ChartFeatureSet",
    "ChartSummary",
    "Coach",
    "Felt",
    "FeltByMember",
    "FeltChart",
    "FeltDifficulty",
    "FirstTries",
    "Form",
    "KnownPlays",
    "PopulationModel",
    "Prediction",
    "TraitCoefficient",
    "coach",
    "learn",
    "learn_first_try",
    "next_turns",
]
