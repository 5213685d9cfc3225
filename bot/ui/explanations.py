"""Texts on whether the records explain a profile's rating, what is in doubt, and what an upload may lack."""

from collections.abc import Sequence
from typing import Final

from bot.domain.errors import BotError
from bot.domain.game_rating import Explanation, Reason, SlotEntry, WorkedOut
from bot.domain.game_versions import Formula
from bot.domain.missing_records import MissingRecords, find_gap
from bot.domain.numbers import Hundredths
from bot.ui.game_ratings import entry_rating
from bot.ui.kit.errors import error_sentence
from bot.ui.kit.look import listed_title
from bot.ui.language.text import Language

_MAX_NAMED_CHARTS: Final = 3
"""The most charts that are named; the others are counted."""


def explanation_lines(t: Language, explanation: Explanation, rating: Hundredths) -> list[str]:
    """Return by which rules a rating was calculated, whether that explains it, and what is in doubt."""
    worked_out = explanation.worked_out
    version = worked_out.version
    if worked_out.formula is Formula.BEST_AND_RECENT or version is None or version.new_since is None:
        return []
    lines = [
        t(
            "Rules of {version}: songs since {day} are new.",
            version=version.name,
            day=t.day(version.new_since),
        )
    ]
    if explanation.is_explained is False:
        lines += _difference(t, explanation, rating)
    return [*lines, *doubt_lines(t, worked_out)]


def _difference(t: Language, explanation: Explanation, rating: Hundredths) -> list[str]:
    worked_out = explanation.worked_out
    found = worked_out.rating or Hundredths(0)
    values = {
        "rating": t.hundredths(found),
        "difference": t.hundredths(Hundredths(abs(found - rating))),
    }
    match explanation.reason:
        case Reason.CONSTANT_IN_DOUBT:
            entries = (*worked_out.best, *worked_out.new)
            doubtful = [listed_title(each.record.title) for each in entries if each.record.is_estimated]
            return [
                t(
                    "The records come to {rating}, {difference} off the profile's rating: a constant is in doubt.",
                    **values,
                ),
                *(
                    [t("Estimated: {charts}.", charts=named_charts(t, doubtful, len(doubtful)))]
                    if doubtful
                    else []
                ),
            ]
        case Reason.RECORDS_OLDER:
            return [
                t(
                    "The records come to {rating}, {difference} less than the profile's rating, which is most likely newer than they are: upload again.",
                    **values,
                ),
                *_gap(t, worked_out, rating),
            ]
        case Reason.FORMULA_OLDER:
            return [
                t(
                    "The records come to {rating} by these rules; the profile is older than they are, and its rating came from another formula: upload again.",
                    **values,
                )
            ]
        case _:
            return [
                t(
                    "The records come to {rating}, {difference} more than the profile's rating: in that edition of the game, other songs may be new.",
                    **values,
                )
            ]


def _gap(t: Language, worked_out: WorkedOut, rating: Hundredths) -> list[str]:
    """Return the rating that one more record would need to close a gap, or that several are missing."""
    gap = find_gap(worked_out, rating)
    if gap is None:
        return []
    if not gap.is_of_one:
        return [t("Most likely several records are not here yet.")]
    new, old = t.hundredths(gap.on_new), t.hundredths(gap.on_old)
    if not gap.may_be_old:
        return [
            t("It may be one record that is not here: one on a new song that counts {new} or more.", new=new)
        ]
    if not gap.may_be_new:
        return [
            t(
                "It may be one record that is not here: one on an older song that counts {old} or more.",
                old=old,
            )
        ]
    return [
        t(
            "It may be one record that is not here: one that counts {new} or more on a new song, or {old} on an older one.",
            new=new,
            old=old,
        )
    ]


def missing_charts_text(t: Language, missing: MissingRecords) -> str:
    """Return on which charts the missing record may be, and from which scores on."""
    charts: list[str] = []
    for each in missing.likeliest:
        score = t("from {score}", score=t.integer(each.score))
        charts.append(f"{listed_title(each.song.title)} {each.chart.difficulty} ({score})")
    return t("Likeliest: {charts}.", charts=named_charts(t, charts, missing.total))


def named_charts(t: Language, named: Sequence[str], count: int) -> str:
    """Return the first few charts, and how many others there are."""
    shown = [*named[:_MAX_NAMED_CHARTS]]
    if more := count - len(shown):
        shown.append(t.plural("{count} chart more", "{count} charts more", more))
    return t.all_of(shown)


def trouble_text(t: Language, trouble: BotError) -> str:
    """Return that the slots are not the game's, and why."""
    return t(
        "This is the record service's own best 30 of all songs. The game counts new songs apart, but the "
        "records for that could not be read. {reason}",
        reason=error_sentence(t, trouble),
    )


def doubt_lines(t: Language, worked_out: WorkedOut) -> list[str]:
    """Return what is uncertain about the slots: constants, release days, and charts that count nowhere."""
    lines: list[str] = []
    doubtful = [entry for entry in (*worked_out.best, *worked_out.new) if not entry.is_certain]
    if doubtful and worked_out.rating is not None and worked_out.highest_rating is not None:
        lines.append(_constants_text(t, doubtful, worked_out.rating, worked_out.highest_rating))
    elif not doubtful and worked_out.highest_sum > worked_out.sum:
        lines.append(
            t(
                "A range stands where charts outside the slots may belong in them: nobody knows their constants."
            )
        )
    if worked_out.undated:
        count = len(worked_out.undated)
        lines.append(
            t.plural(
                "{count} chart counts as old, because its song has no known release day.",
                "{count} charts count as old, because their songs have no known release day.",
                count,
            )
        )
    if worked_out.left_out:
        count = len(worked_out.left_out)
        lines.append(
            t.plural(
                "{count} chart counts nowhere, because neither constant nor level is known.",
                "{count} charts count nowhere, because neither constant nor level is known.",
                count,
            )
        )
    return lines


def _constants_text(t: Language, doubtful: Sequence[SlotEntry], least: Hundredths, most: Hundredths) -> str:
    """Return the charts of the slots with unknown constants, and the range of the rating that follows."""
    named = [
        t("{title} (counts {rating})", title=listed_title(each.record.title), rating=entry_rating(t, each))
        for each in doubtful
    ]
    charts = named_charts(t, named, len(named))
    if least == most:
        return t.plural(
            "Nobody knows the constant of {charts}; whatever it is, the rating is {rating}.",
            "Nobody knows the constants of {charts}; whatever they are, the rating is {rating}.",
            len(doubtful),
            charts=charts,
            rating=t.hundredths(least),
        )
    return t.plural(
        "Nobody knows the constant of {charts}; with it the rating is {least} to {most}.",
        "Nobody knows the constants of {charts}; with all of them the rating is {least} to {most}.",
        len(doubtful),
        charts=charts,
        least=t.hundredths(least),
        most=t.hundredths(most),
    )
