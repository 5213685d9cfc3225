"""Felt difficulty in words."""

from collections.abc import Iterator, Mapping

from bot.domain.charts import Difficulty, difficulty_name
from bot.domain.coach.feeling import FeltChart
from bot.domain.coach.felt import Certainty, Felt
from bot.domain.numbers import format_hundredths, to_hundredths
from bot.ui.language.text import Language


def felt_lines(t: Language, felt: FeltChart) -> Iterator[str]:
    """Yield how hard a chart is for the asker, in small print; nothing if that is unknown."""
    if felt.at_rating.certainty is not Certainty.UNKNOWN:
        yield f"-# {_at_level(t, felt.at_rating)}"
    if felt.by_rank:
        ranks = (
            t("{rank} like {constant}", rank=rank.label, constant=felt_constant(each))
            for rank, each in felt.by_rank
        )
        text = t("By rank: {ranks}", ranks=" · ".join(ranks))
        yield f"-# {text}"


def not_felt_lines(t: Language, felt: Mapping[Difficulty, FeltChart], below: Difficulty) -> Iterator[str]:
    """Yield that the felt difficulty of some charts of a song is unknown: once, below the hardest of them."""
    unknown = [code for code, each in felt.items() if each.at_rating.certainty is Certainty.UNKNOWN]
    if unknown and unknown[-1] == below:
        is_clear = len(unknown) in {1, len(felt)}
        which = "" if is_clear else f"{', '.join(map(difficulty_name, unknown))}: "
        yield f"-# {which}{_at_level(t, felt[below].at_rating)}"


def felt_constant(felt: Felt) -> str:
    """Return the constant that a chart feels like, to a tenth."""
    return format_hundredths(to_hundredths(felt.felt), places=1)


def _at_level(t: Language, felt: Felt) -> str:
    constant = felt_constant(felt)
    match felt.certainty:
        case Certainty.SURE:
            return t("Plays like {constant} at your level (sure)", constant=constant)
        case Certainty.LIKELY:
            return t("Plays like {constant} at your level (likely)", constant=constant)
        case Certainty.OPEN:
            return t("Plays like its constant at your level")
        case Certainty.UNKNOWN:
            return t("How it plays at your level is not known: there are too few scores")
