"""What a member is likely to score: pure. Source: the catalogue, the statistics of all players, and the records.

A spread is one standard deviation of the logarithm of what is lost: how far one player's scores differ by luck.
"""

from bot.domain.coach.chart_features import DENSITY, ERA, TEMPO, ChartFeatureSet
from bot.domain.coach.feeling import FeltByMember, FeltChart
from bot.domain.coach.felt import Certainty, Felt, FeltDifficulty, learn
from bot.domain.coach.known_plays import KnownPlays
from bot.domain.coach.player_model import FirstTries, PlayerModel, fit_player, learn_first_try
from bot.domain.coach.population import PopulationModel
from bot.domain.coach.prediction import Chances, Form, Prediction
from bot.domain.coach.prefetch_order import next_to_fetch
from bot.domain.coach.summaries import ChartSummary
from bot.domain.coach.traits import TraitCoefficient

__all__ = [
    "DENSITY",
    "ERA",
    "TEMPO",
    "Certainty",
    "Chances",
    "ChartFeatureSet",
    "ChartSummary",
    "Felt",
    "FeltByMember",
    "FeltChart",
    "FeltDifficulty",
    "FirstTries",
    "Form",
    "KnownPlays",
    "PlayerModel",
    "PopulationModel",
    "Prediction",
    "TraitCoefficient",
    "fit_player",
    "learn",
    "learn_first_try",
    "next_to_fetch",
]
