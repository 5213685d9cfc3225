"""Plausible careers: what a player of a given skill has scored, the same for the same seed.

A record is the best of several tries. Tries vary by luck, the charts that suit a player stay the same, and people stop at
the borders of ranks. Above a player's skill there is a cliff; far below it charts do not get easier any more.
"""

from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, tee
from math import exp, log
from random import Random
from typing import Final

from bot.domain.charts import WORLDS_END, Difficulty
from bot.domain.ids import Region, SongId
from bot.domain.notes import Judgement
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE, Rank
from bot.domain.rating import song_rating
from service.model import Flags, StoredCatalogue, StoredChart, StoredSong
from service.rating_data import RECENT_SIZE, RatedScore, player_rating

CAREER_SECONDS: Final = 2 * 365 * 24 * 3600
_LOG_LOSS_KNOTS: Final = (
    (-6.0, 11.6),
    (-2.0, 10.6),
    (-1.0, 9.8),
    (-0.4, 8.8),
    (0.0, 8.2),
    (1.0, 7.35),
    (2.0, 6.7),
    (4.0, 6.1),
    (10.0, 5.6),
)
"""The logarithm of the points that a try usually loses, by how far the skill is above the constant."""
_TRY_SPREAD: Final = 0.45
"""The standard deviation of that logarithm that luck makes."""
_SUITS_SPREAD: Final = 0.35
"""The standard deviation of how well charts suit a player, which does not change."""
_MAX_TRIES: Final = 15
_STOP_CHANCE: Final = 0.35
"""The probability that somebody stops playing a chart after a try."""
_STOP_CHANCE_ABOVE: Final = 0.8
"""The same just above the border of a rank."""
_STOP_CHANCE_BELOW: Final = 0.1
"""The same just below the border of a rank."""
_PASSED_BORDER_POINTS: Final = 600
_NEARED_BORDER_POINTS: Final = 1_200
_BORDERS: Final = sorted(rank.least_score for rank in Rank if rank.least_score >= Rank.S.least_score)
_RISE_HUNDREDTHS: Final = 20
"""Hundredths of the constant that skill rises in a year."""
_YEAR_SECONDS: Final = 365 * 24 * 3600
_LEANING_SPREAD: Final = 22.0
_CHART_SPREAD: Final = 20.0
"""Hundredths of the constant, standard deviations: how far players, and charts, are from the usual."""
_NOTES_STEP: Final = 3.0
_TEMPO_STEP: Final = 3.0
_USUAL_BPM: Final = 17_500
_MAX_STEPS: Final = 1.5
"""Steps beyond which nothing gets easier or harder."""
_MIN_CLEAR_SCORE: Final = 800_000
_LOST_POINTS_PER_MISS: Final = 4_000
"""Lost points per expected MISS: the more is lost, the fewer plays are full combos."""
_MIN_MOSTLY_JUSTICE_SCORE: Final = 1_009_000
_ATTACK_SHARE: Final = 0.5
"""The share of what a full combo loses that is lost to ATTACK."""
_BUCKET_UNITS: Final = 0.1
"""Charts are treated alike for all players whose skill exceeds them by the same amount, to this many units of the constant."""
_PLAYS_PER_BUCKET: Final = 40
"""The number of different outcomes that are drawn for charts treated alike."""
_UNKNOWN_TIME_SHARE: Final = 0.01
_RECENT_POOL_SIZE: Final = 60


@dataclass(frozen=True, slots=True)
class CareerPlay:
    """A record before it has a place in the database."""

    chart: StoredChart
    score: int
    flags: int
    updated_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """All that one player did in one region."""

    records: Sequence[CareerPlay]
    recents: Sequence[CareerPlay]
    rating: Hundredths


@dataclass(frozen=True, slots=True, kw_only=True)
class Leanings:
    """What a player is better at, in hundredths of the constant per step; below 0 worse."""

    notes: float
    """Hundredths on charts of many notes for their constant."""
    tempo: float
    """Hundredths on fast songs."""
    taste: str
    """The taste that decides which genres they like: equal tastes have equal likings."""

    @classmethod
    def of(cls, taste: str) -> "Leanings":
        """Return the leanings drawn for a taste, independent of all other draws."""
        random = Random(taste)
        return cls(
            notes=random.gauss(0, _LEANING_SPREAD), tempo=random.gauss(0, _LEANING_SPREAD), taste=taste
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Talent:
    """The parameters of a career."""

    skill: Hundredths
    """The chart constant on which they reach SSS more often than not."""
    share: float
    """The part of the charts within reach that they have played."""
    max_records: int | None = None
    leanings: Leanings | None = None


def career(random: Random, catalogue: StoredCatalogue, talent: Talent, until: int) -> Career:
    """Return a career of the two years before `until`, in Unix seconds."""
    plays = list(_plays(random, catalogue, _chosen(random, catalogue, talent), talent, until))
    rated = sorted(
        ((_rating(play, catalogue.region), play) for play in plays if play.chart.constant),
        key=lambda pair: -pair[0],
    )
    pool = [_again(random, play) for _, play in rated[:_RECENT_POOL_SIZE]]
    recents = sorted(random.sample(pool, min(RECENT_SIZE, len(pool))), key=lambda play: -play.score)
    return Career(records=plays, recents=recents, rating=_player_rating(catalogue, plays, recents, until))


def _player_rating(
    catalogue: StoredCatalogue, plays: Iterable[CareerPlay], recents: Iterable[CareerPlay], until: int
) -> Hundredths:
    scores = (RatedScore(catalogue.charts[play.chart.chart_id][0], play.chart, play.score) for play in plays)
    ratings = [_rating(play, catalogue.region) for play in recents]
    return player_rating(scores, ratings, catalogue.region, until)


def crowd(
    random: Random, catalogue: StoredCatalogue, talents: Iterable[Talent], until: int
) -> Iterator[Career]:
    """Yield careers for the statistics of all players: outcomes are drawn once for charts treated alike.

    So thousands of records are cheap; they have no times, and no player has leanings.
    """
    alike: dict[int, list[CareerPlay]] = {}
    for talent in talents:
        plays: list[CareerPlay] = []
        for chart in _chosen(random, catalogue, talent):
            song, _ = catalogue.charts[chart.chart_id]
            harder = _harder(song.song_id, chart.difficulty)
            at = round((_ahead(talent.skill, chart) - harder / 100) / _BUCKET_UNITS)
            if at not in alike:
                alike[at] = [
                    _play_of_many(random, chart, at * _BUCKET_UNITS) for _ in range(_PLAYS_PER_BUCKET)
                ]
            play = random.choice(alike[at])
            plays.append(CareerPlay(chart, play.score, play.flags, 0))
        yield Career(records=plays, recents=(), rating=_player_rating(catalogue, plays, (), until))


def _play_of_many(random: Random, chart: StoredChart, ahead: float) -> CareerPlay:
    score = _best(_tries(random), _usual_log_loss(ahead) + random.gauss(0, _SUITS_SPREAD))
    return CareerPlay(chart, score, flags_of(random, chart, score, score), 0)


def _rating(play: CareerPlay, region: Region) -> Hundredths:
    return song_rating(play.chart.constant, play.score, region)


def _chosen(random: Random, catalogue: StoredCatalogue, talent: Talent) -> list[StoredChart]:
    """Return the charts played: those near the player's skill more likely than the easy ones."""
    chosen: list[StoredChart] = []
    for song in catalogue.songs:
        for chart in song.charts:
            distance = abs(talent.skill + 50 - (chart.constant or chart.level or talent.skill - 300)) / 100
            if random.random() < talent.share * exp(-0.22 * distance):
                chosen.append(chart)
    if talent.max_records is not None and len(chosen) > talent.max_records:
        chosen = random.sample(chosen, talent.max_records)
    return chosen


def _plays(
    random: Random, catalogue: StoredCatalogue, charts: Iterable[StoredChart], talent: Talent, until: int
) -> Iterator[CareerPlay]:
    """Yield plays; the random draws do not depend on leanings, nor on a chart's real difficulty."""
    chance = Random(0)
    for chart in charts:
        luck = random.random()
        is_perfect = random.random() < _ahead(talent.skill, chart) * 0.01
        ago = 0 if random.random() < _UNKNOWN_TIME_SHARE else int(CAREER_SECONDS * random.random() ** 2)
        skill = Hundredths(talent.skill - _RISE_HUNDREDTHS * ago // _YEAR_SECONDS)
        plain = score = MAX_SCORE
        if not is_perfect:
            song = catalogue.charts[chart.chart_id][0]
            chance.seed(luck)  # a new Random would be seeded twice, which takes longer than all draws
            drawn, drawn_again = tee(_tries(chance))
            plain = _best(drawn, _usual_log_loss(_ahead(skill, chart)))
            score = _best(drawn_again, _log_loss(talent, skill, song, chart))
        yield CareerPlay(chart, score, flags_of(random, chart, plain, score), until - ago if ago else 0)


def _tries(chance: Random) -> Iterator[tuple[float, float]]:
    """Yield per try its luck, and the draw that decides whether it is the last one."""
    while True:
        yield chance.gauss(0, _TRY_SPREAD), chance.random()


def _best(drawn: Iterable[tuple[float, float]], usual: float) -> int:
    """Return the best score on a chart, given the usual logarithm of the loss."""
    best = 0
    for luck, patience in islice(drawn, _MAX_TRIES):
        best = max(best, _score(usual + luck))
        if patience < _stop(best):
            break
    return best


def _stop(best: int) -> float:
    """Return the probability that somebody stops playing a chart with this best score."""
    at = bisect(_BORDERS, best)
    if at and best < _BORDERS[at - 1] + _PASSED_BORDER_POINTS:
        return _STOP_CHANCE_ABOVE
    if at < len(_BORDERS) and best >= _BORDERS[at] - _NEARED_BORDER_POINTS:
        return _STOP_CHANCE_BELOW
    return _STOP_CHANCE


def _score(log_points_lost: float) -> int:
    return MAX_SCORE - min(MAX_SCORE, max(1, int(exp(log_points_lost))))


def try_once(random: Random, talent: Talent, song: StoredSong, chart: StoredChart) -> int:
    """Return the score of one try."""
    return next(tries(random, talent, song, chart))


def tries(random: Random, talent: Talent, song: StoredSong, chart: StoredChart) -> Iterator[int]:
    """Yield the score of one try after another."""
    usual = _log_loss(talent, talent.skill, song, chart)
    while True:
        yield _score(usual + random.gauss(0, _TRY_SPREAD))


def usual_loss(talent: Talent, song: StoredSong, chart: StoredChart) -> float:
    """Return the median of the points that a player's try loses on a chart."""
    return exp(_log_loss(talent, talent.skill, song, chart))


def _log_loss(talent: Talent, skill: Hundredths, song: StoredSong, chart: StoredChart) -> float:
    harder = _harder(song.song_id, chart.difficulty)
    ahead = _ahead(skill, chart) + (_leaning(talent, song, chart) - harder) / 100
    return _usual_log_loss(ahead) + _suiting(talent, chart)


def _suiting(talent: Talent, chart: StoredChart) -> float:
    if talent.leanings is None:
        return 0.0
    return Random(f"{talent.leanings.taste} {chart.chart_id}").gauss(0, _SUITS_SPREAD)


def _usual_log_loss(ahead: float) -> float:
    """Interpolate the usual logarithm of the loss between knots; beyond the ends the line continues."""
    at = min(max(1, bisect(_LOG_LOSS_KNOTS, (ahead,))), len(_LOG_LOSS_KNOTS) - 1)
    (least, lower), (most, upper) = _LOG_LOSS_KNOTS[at - 1 : at + 1]
    return lower + (upper - lower) * (ahead - least) / (most - least)


def _leaning(talent: Talent, song: StoredSong, chart: StoredChart) -> float:
    """Return by how much easier a chart is for a player than for others of their skill, in hundredths."""
    leanings = talent.leanings
    if leanings is None:
        return 0.0
    usual_notes = 260 + 45 * (chart.constant or chart.level) / 100
    notes = _step(_NOTES_STEP * log(chart.max_combo / usual_notes)) if chart.max_combo else 0.0
    tempo = _step(_TEMPO_STEP * log(song.bpm / _USUAL_BPM)) if song.bpm else 0.0
    return leanings.notes * notes + leanings.tempo * tempo + _liking(leanings.taste, song.genre)


def _step(value: float) -> float:
    return max(-_MAX_STEPS, min(_MAX_STEPS, value))


@cache
def _liking(taste: str, genre: str) -> float:
    return Random(f"{taste} {genre}").gauss(0, _LEANING_SPREAD)


@cache
def _harder(song: SongId, difficulty: Difficulty) -> float:
    """Return by how much harder a chart is than its constant says, in hundredths: the same for everybody."""
    return Random(f"{song} {difficulty}").gauss(0, _CHART_SPREAD)


def _ahead(skill: Hundredths, chart: StoredChart) -> float:
    return (skill - (chart.constant or chart.level or skill - 100)) / 100


def flags_of(random: Random, chart: StoredChart, plain: int, score: int) -> int:
    """Return the flags of a play; `plain` is the score that it would have without leanings."""
    flags = Flags.PLAYED
    if score >= _MIN_CLEAR_SCORE or chart.difficulty == WORLDS_END:
        flags |= Flags.CLEAR
    mostly_justice = plain == MAX_SCORE or (plain > _MIN_MOSTLY_JUSTICE_SCORE and random.random() < 0.5)
    combo = exp((plain - MAX_SCORE) / _LOST_POINTS_PER_MISS)
    if mostly_justice or (plain >= Rank.SS.least_score and random.random() < combo):
        flags |= Flags.FULL_COMBO
    if flags & Flags.FULL_COMBO and _is_without_attack(chart, score):
        flags |= Flags.ALL_JUSTICE
    if flags & Flags.FULL_COMBO and random.random() < 0.05:
        flags |= Flags.FULL_CHAIN
    return flags


def _is_without_attack(chart: StoredChart, score: int) -> bool:
    """Whether what a full combo lost is all JUSTICE: certain where no ATTACK fits in, by chance less likely the more do."""
    fitting = (MAX_SCORE - score) * chart.max_combo / Judgement.ATTACK.value
    draw = Random(f"{chart.chart_id} {score}").random()
    return fitting < 1 or draw < exp(-_ATTACK_SHARE * fitting)


def _again(random: Random, play: CareerPlay) -> CareerPlay:
    """Return a recent play of a chart: seldom as good as the record."""
    return CareerPlay(
        play.chart, max(0, play.score - int(random.expovariate(1 / 1500))), play.flags, play.updated_at
    )
