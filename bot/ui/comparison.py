"""`/compare` as an embed with its pages."""

from typing import Final

from discord import Embed

from bot.domain.charts import difficulty_name
from bot.domain.comparison import Duel, Outcome
from bot.features.comparison import ComparisonReport
from bot.ui.filters import filter_text
from bot.ui.look import Page, add_text, chart_text, fetched_card, listed_title, rating_embed_colour
from bot.ui.markdown import escape
from bot.ui.pages import turn_buttons, view_of
from bot.ui.routes import ComparisonAddress
from bot.ui.text import Language

_NAME_WIDTH: Final = 32


def comparison_page(t: Language, report: ComparisonReport, address: ComparisonAddress) -> Page:
    """Return one page of the charts that both have played."""
    embed = comparison_embed(t, report)
    if not address.fits:
        add_text(embed, t("The filter is too long for buttons that turn pages; a shorter one has them."))
        return Page(embed, audience=report.audience)
    return Page(embed, view_of(turn_buttons(t, address, report.part)), audience=report.audience)


def comparison_embed(t: Language, report: ComparisonReport) -> Embed:
    """Return who leads, in total and by difficulty, and the greatest gaps."""
    me, other = (escape(player.player_name, width=_NAME_WIDTH) for player in (report.me, report.other))
    embed = fetched_card(
        t,
        t("{me} and {other}", me=me, other=other),
        rating_embed_colour(report.me.rating),
        report,
        shows_rating=True,
    )
    ratings = (t.hundredths(report.me.rating), t.hundredths(report.other.rating))
    add_text(embed, t("Rating: **{mine}** and **{theirs}**", mine=ratings[0], theirs=ratings[1]))
    if report.wanted.terms:
        shown = filter_text(t, report.wanted)
        add_text(embed, t("Filter on your records: {filter}", filter=shown))
    if not report.part.items:
        add_text(embed, t("There is no chart that both have played."))
        return embed
    lines = [f"**{_outcome(t, report.total)}**"]
    lines += [f"{difficulty_name(code)}: {_outcome(t, each)}" for code, each in report.by_difficulty.items()]
    add_text(embed, "\n".join(lines))
    add_text(embed, "\n".join(_line(t, place, duel) for place, duel in report.part.numbered))
    return embed


def _outcome(t: Language, outcome: Outcome) -> str:
    return t(
        "{wins} won, {losses} lost, {draws} drawn",
        wins=t.integer(outcome.wins),
        losses=t.integer(outcome.losses),
        draws=t.integer(outcome.draws),
    )


def _line(t: Language, place: int, duel: Duel) -> str:
    mine, theirs = duel.mine, duel.theirs
    sign = "+" if duel.gap > 0 else "−" if duel.gap < 0 else "±"
    return (
        f"**{place}.** {listed_title(mine.title)}\n"
        f"{chart_text(t, mine)} · {t.integer(mine.score)} : {t.integer(theirs.score)} · "
        f"**{sign}{t.integer(abs(duel.gap))}**"
    )
