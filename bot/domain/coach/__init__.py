"""What a member is likely to score: pure. Source: the catalogue, the statistics of all players, and the records."""

from bot.domain.coach.crowd import Expectation, PopulationModel
from bot.domain.coach.exercises import DENSITY, ERA, TEMPO, ChartFeatures, ChartFeatureSet
from bot.domain.coach.feeling import FeltByMember, FeltChart
from bot.domain.coach.felt import Certainty, Felt, FeltDifficulty, learn
from bot.domain.coach.gists import ChartSummary
from bot.domain.coach.outlook import FIRST_TRY_PRIOR, USUAL_FIRST_TRY, Coach, FirstTries, KnownPlays, coach
from bot.domain.coach.prediction import Chances, Form, Prediction
from bot.domain.coach.traits import TraitCoefficient
from bot.domain.coach.turns import next_turns

__all__ = [
    "DENSITY",
    "ERA",
    "FIRST_TRY_PRIOR",
    "TEMPO",
    "USUAL_FIRST_TRY",
    "Certainty",
    "Chances",
    "ChartFeatureSet",
    "ChartFeatures",
    "ChartSummary",
    "Coach",
    "Expectation",
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
    "next_turns",
]
