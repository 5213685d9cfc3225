"""`/compare` as an embed with its pages, and on one song."""

from typing import Final

from discord import Embed

from bot.domain.coach.prediction import Form
from bot.domain.comparison import Duel, DuelCounts
from bot.domain.ids import Region
from bot.domain.scores import Record
from bot.features.comparison import ComparisonReport, Meeting, SongComparison
from bot.ui.chances import both_chances_text, forecast_text, form_menu, next_goal_text, next_try_text
from bot.ui.kit.filters import NO_SUCH_RANK, filter_text
from bot.ui.kit.icons import difficulty_icon
from bot.ui.kit.look import Page, add_text, fetched_embed, measure_text, rating_embed_colour, song_embed
from bot.ui.kit.markdown import escape
from bot.ui.kit.orders import GAP_ORDERS, order_menu
from bot.ui.kit.pages import view_of
from bot.ui.kit.renderer import Picture
from bot.ui.kit.routes import ComparisonAddress
from bot.ui.language.text import Language
from bot.ui.lists import list_page, record_facts, record_lines, small
from bot.ui.scores import chart_heading

_NAME_COLUMNS: Final = 32


def comparison_page(
    t: Language, report: ComparisonReport, address: ComparisonAddress, picture: Picture | None = None
) -> Page:
    """Return one page of the charts that both have played, with a picture of the first of them if given."""
    menu = order_menu(t, address, GAP_ORDERS, report.part)
    if picture is None:
        page = Page(comparison_embed(t, report), audience=report.audience)
        return list_page(t, page, report.part, address, menu)
    short = comparison_embed(t, report, is_short=True)
    return Page(
        comparison_embed(t, report), view_of(menu), picture, beside=(short,), audience=report.audience
    )


def comparison_embed(t: Language, report: ComparisonReport, *, is_short: bool = False) -> Embed:
    """Return who leads, in total and by difficulty, and the largest gaps; short next to a picture, which has them."""
    me, other = _names(report)
    embed = fetched_embed(
        t,
        t("{me} and {other}", me=me, other=other),
        rating_embed_colour(report.me.rating),
        report,
        shows_rating=True,
    )
    ratings = (t.hundredths(report.me.rating), t.hundredths(report.other.rating))
    if not is_short:
        add_text(embed, t("Rating: **{mine}** and **{theirs}**", mine=ratings[0], theirs=ratings[1]))
    if report.wanted.terms:
        shown = filter_text(t, report.wanted)
        add_text(embed, t("Filter on your records: {filter}", filter=shown))
    if not report.part.items:
        add_text(embed, _nothing(t, report))
        return embed
    each = [
        f"{difficulty_icon(t, code)} {t.integer(won.wins)} : {t.integer(won.losses)}"
        for code, won in report.by_difficulty.items()
    ]
    add_text(embed, f"**{_outcome(t, report.total)}**\n{small(*each)}")
    if not is_short:
        add_text(embed, "\n".join(_line(t, place, duel, report) for place, duel in report.part.numbered))
    return embed


def _nothing(t: Language, report: ComparisonReport) -> str:
    if not report.wanted.terms:
        return t("There is no chart that both of you have played.")
    if not report.wanted.has_its_ranks(report.region):
        return t(NO_SUCH_RANK)
    return t(
        "No chart that both of you have played matches this filter. Leave one of its conditions out, or widen one."
    )


def _outcome(t: Language, outcome: DuelCounts) -> str:
    return t(
        "{wins} won, {losses} lost, {draws} drawn",
        wins=t.integer(outcome.wins),
        losses=t.integer(outcome.losses),
        draws=t.integer(outcome.draws),
    )


def _line(t: Language, place: int, duel: Duel, report: ComparisonReport) -> str:
    mine = duel.mine
    facts = [measure_text(t, mine), f"{t.integer(mine.score)} : {t.integer(duel.theirs.score)}"]
    chance = report.chances.get((mine.song_id, mine.difficulty)) if mine.song_id else None
    if chance is not None:
        facts.append(next_goal_text(t, mine.score, report.region, chance))
    return record_lines(t, place, t.points(duel.gap), mine, mine.title, facts)


def _names(report: ComparisonReport | SongComparison) -> tuple[str, str]:
    return escape(report.me.player_name, width=_NAME_COLUMNS), escape(
        report.other.player_name, width=_NAME_COLUMNS
    )


def song_comparison_page(t: Language, report: SongComparison, address: ComparisonAddress) -> Page:
    """Return both players' scores on a song, with the menu of forms for a forecast."""
    is_told = any(meeting.prediction for meeting in report.meetings)
    menu = form_menu(t, address) if is_told else []
    return Page(song_comparison_embed(t, report, address.form), view_of(menu), audience=report.audience)


def song_comparison_embed(t: Language, report: SongComparison, form: Form | None = None) -> Embed:
    """Return both players' scores on each chart of a song, and the chance that the asker's next try takes the lead."""
    embed = song_embed(t, report.song, report)
    me, other = _names(report)
    add_text(embed, t("{me} and {other}", me=f"**{me}**", other=f"**{other}**"))
    if not report.meetings:
        add_text(embed, t("Neither of you has a score on this song."))
    for meeting in report.meetings:
        lines = [
            f"{name}: {_score(t, record, report.region)}"
            for name, record in ((me, meeting.mine.played), (other, meeting.theirs))
        ]
        embed.add_field(
            name=chart_heading(t, meeting.chart),
            value="\n".join([*lines, *_prediction(t, meeting, report.region, form)]),
            inline=False,
        )
    return embed


def _score(t: Language, record: Record | None, region: Region) -> str:
    return t("not played") if record is None else f"**{record_facts(t, record, region)}**"


def _prediction(t: Language, meeting: Meeting, region: Region, form: Form | None) -> list[str]:
    mine, facts = meeting.mine.played, list[str]()
    if mine and meeting.theirs:
        facts.append(f"**{t.points(mine.score - meeting.theirs.score)}**")
    if meeting.lead_chance is not None:
        facts.append(t("ahead: {chance}", chance=next_try_text(t, meeting.lead_chance)))
    if mine and meeting.prediction:
        facts.append(both_chances_text(t, mine.score, region, meeting.prediction))
    lines = [" · ".join(fact for fact in facts if fact)]
    if meeting.prediction:
        lines.append(forecast_text(t, meeting.prediction.next_try, form))
    return [line for line in lines if line]
