"""Answers that the coach gives: what is likely to be scored, and which way leads to a rating."""

from collections.abc import Mapping
from datetime import date
from typing import Final

from bot.domain.age import Age
from bot.domain.charts import Chart, Song, difficulty_name
from bot.domain.coach.chart_features import ChartFeatureSet
from bot.domain.coach.known_plays import KnownPlays
from bot.domain.coach.player_model import PlayerModel, fit_player
from bot.domain.coach.population import PopulationModel
from bot.domain.coach.prediction import Prediction
from bot.domain.entries import catalogue_entries
from bot.domain.gains import RatingSlots
from bot.domain.game_rating import explain
from bot.domain.game_versions import VersionTable
from bot.domain.history import ChartKey
from bot.domain.numbers import Hundredths, format_hundredths
from bot.domain.ranks import Rank, ranks_of
from bot.domain.tries import Climb, ClimbTarget, climb_to
from bot.mcp.answers import MAX_ITEMS, ChanceLine, ExpectAnswer, OthersText, PlanAnswer, PlanLine
from bot.mcp.lines import aged, counted, number, possible_song
from bot.mcp.reader import PlayerData

_LOWEST: Final = Rank.S.least_score
"""Chances of ranks below are not told."""


def _fit_model(data: PlayerData) -> PlayerModel:
    """Return what the player is likely to score, by their records alone: statistics would cost a request for each chart."""
    features = ChartFeatureSet.of(data.catalogue)
    return fit_player(
        features, PopulationModel.unknown(), data.player.rating / 100, KnownPlays.of(data.records)
    )


def _predictions(data: PlayerData) -> Mapping[ChartKey, Prediction]:
    """Return the predictions for the player; none if neither a rating nor a score is known."""
    return _fit_model(data).predictions if data.player.rating or _scores(data) else {}


def climb_of(data: PlayerData, target: Hundredths, day: date, versions: VersionTable) -> Climb:
    """Return the way to a rating."""
    rating = data.player.rating
    found = explain(data.records, data.catalogue, day, rating, versions).worked_out
    predictions = _predictions(data)
    entries = [*catalogue_entries(data.catalogue, data.records)]
    return climb_to(RatingSlots.of(found), rating, entries, predictions, ClimbTarget(target))


def plan_answer(data: PlayerData, found: Climb, age: Age) -> PlanAnswer:
    """Return a climb as an answer for an assistant."""
    return PlanAnswer(
        sentence=_plan_sentence(data.player.rating, found),
        **aged(age),
        rating=data.player.rating / 100,
        target=found.target.value / 100,
        is_reachable=found.is_possible,
        rating_after=found.after / 100,
        tries_half=found.tries.half,
        tries_nine_in_ten=found.tries.nine_in_ten,
        total_steps=len(found.steps),
        steps=tuple(
            PlanLine(
                song_id=step.entry.song.id,
                title=OthersText.of(step.entry.song.title),
                difficulty=difficulty_name(step.entry.chart.difficulty),
                constant=(step.entry.chart.constant or 0) / 100,
                score_now=step.entry.played and step.entry.played.score,
                score_to_reach=step.score,
                chance=round(step.chance, 3),
                gain=step.effect.thousandths / 1000,
            )
            for step in found.steps[:MAX_ITEMS]
        ),
    )


def _plan_sentence(rating: Hundredths, found: Climb) -> str:
    target, now = format_hundredths(found.target.value), format_hundredths(rating)
    if found.is_reached:
        return f"The rating is {now} already, so {target} is reached."
    if not found.is_possible:
        return f"No scores make {target}: the highest rating that there is now is {format_hundredths(found.highest)}."
    if not found.steps:
        return (
            "Nothing can be planned: too little is known of the player's scores, or nothing that is likely enough leads"
            f" from {now} to {target}."
        )
    after = format_hundredths(found.after)
    if not found.leads_there and found.is_cut_short:
        first = counted(len(found.steps), "chart")
        return f"{first} first, from {now} to {after}; how far {target} is can be said once they are played."
    if not found.leads_there:
        return f"Nothing that is likely enough leads from {now} to {target}; {counted(len(found.steps), 'chart')} to {after}."
    tries = "more tries than can be told" if found.tries.half is None else counted(found.tries.half, "try")
    return (
        f"From {now} to {target} it takes, in one case of two, at most {tries}: one on each of"
        f" {counted(len(found.steps), 'chart')} in turn, until it is there."
    )


def expect_answer(song: Song, chart: Chart, data: PlayerData, age: Age) -> ExpectAnswer:
    """Return what is likely to be scored on a chart."""
    key = song.id, chart.difficulty
    prediction = _predictions(data).get(key)
    score = _scores(data).get(key)
    if prediction is None:
        sentence = (
            "Nothing can be expected: too little is known of the player, or the chart's constant is unknown."
        )
        chances: tuple[ChanceLine, ...] = ()
    else:
        sentence = (
            f"The next try reaches {prediction.next_try.score:,} as often as not;"
            f" in the end {prediction.in_the_end.score:,} is likely."
        )
        chances = tuple(
            ChanceLine(
                rank=rank.label,
                score=rank.least_score,
                next_try=round(prediction.next_try.chance(rank.least_score), 3),
                in_the_end=round(prediction.in_the_end.chance(rank.least_score), 3),
            )
            for rank in ranks_of(data.catalogue.region)
            if rank.least_score >= _LOWEST
        )
    return ExpectAnswer(
        sentence=sentence,
        **aged(age),
        song=possible_song(song),
        difficulty=difficulty_name(chart.difficulty),
        constant=number(chart.constant),
        score_now=score,
        next_try=prediction and prediction.next_try.score,
        in_the_end=prediction and prediction.in_the_end.score,
        chances=chances,
    )


def _scores(data: PlayerData) -> dict[ChartKey, int]:
    return {
        (record.song_id, record.difficulty): record.score
        for record in data.records
        if record.is_played and record.song_id is not None
    }
