"""`/best` as an embed with its pages and its menu of slots."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Final

from discord import Embed

from bot.domain.errors import BotError
from bot.domain.ids import Region
from bot.domain.rating import rating_bounds
from bot.domain.scores import Record, SlotName
from bot.domain.slots import ideal_average
from bot.features.best import BestReport
from bot.ui.explanations import explanation_lines, trouble_text
from bot.ui.game_ratings import no_new_songs_text
from bot.ui.kit.filters import filter_text, no_score_text
from bot.ui.kit.look import Page, add_text, measure_text, player_embed, player_heading, range_text
from bot.ui.kit.pages import Component, PageMenu, turn_buttons, view_of
from bot.ui.kit.renderer import Picture
from bot.ui.kit.routes import BestAddress
from bot.ui.language.text import Language, mark
from bot.ui.lists import no_records_text, record_facts, record_lines, record_rating, small

SLOTS: Final[Mapping[SlotName, str]] = {
    SlotName.BEST: mark("Best"),
    SlotName.NEW: mark("New songs"),
    SlotName.RECENT: mark("Recent"),
    SlotName.CANDIDATES: mark("Candidates"),
    SlotName.CANDIDATES_BELOW_SSS: mark("Candidates below SSS"),
    SlotName.OUTSIDE: mark("Outside best"),
}
MEANINGS: Final[Mapping[SlotName, str]] = {
    SlotName.BEST: mark("The highest song ratings: they make up the rating"),
    SlotName.NEW: mark("The highest song ratings on songs of this version: they make up the rating too"),
    SlotName.RECENT: mark("The best of the latest plays, as the record service lists them"),
    SlotName.CANDIDATES: mark("What can still enter the best slot, the fewest missing points first"),
    SlotName.CANDIDATES_BELOW_SSS: mark("The same without charts that are SSS already"),
    SlotName.OUTSIDE: mark("The highest song ratings that are not in the best slot"),
}
"""The content and order of each slot, within Discord's limit of 100 characters in all languages."""

FILTERED_MEANING: Final = mark(
    "The highest song ratings among these charts: not your rating, and no part of how it is made"
)


def best_page(t: Language, report: BestReport, address: BestAddress) -> Page:
    """Return one page of a slot's list."""
    items = [_menu(t, report, address), *turn_buttons(t, address, report.part)]
    return Page(best_embed(t, report), view_of(items), audience=report.audience)


def card_page(t: Language, report: BestReport, address: BestAddress, picture: Picture) -> Page:
    """Return a slot as a picture, with a note if data is old or the slot is not the game's; the list has the rest."""
    return Page(
        best_embed(t, report),
        view_of([_menu(t, report, address)]),
        picture,
        beside=() if report.age.trouble is None and not _troubled(report) else (_heading(t, report),),
        audience=report.audience,
    )


def _menu(t: Language, report: BestReport, address: BestAddress) -> Component:
    slots = {name: replace(address, slot=name, wanted="", number=0) for name in SLOTS}
    return PageMenu(
        {slots[name]: t(label) for name, label in SLOTS.items()},
        None if report.wanted else slots[report.name],
        placeholder=t("Choose a slot"),
        descriptions={slots[name]: t(meaning) for name, meaning in MEANINGS.items()},
    )


def best_embed(t: Language, report: BestReport) -> Embed:
    """Return the records on one page of a slot."""
    embed = _heading(t, report)
    if not report.part.items:
        add_text(embed, _empty(t, report))
        return embed
    meaning = t(FILTERED_MEANING) if report.wanted else t(MEANINGS[report.name])
    notes = [] if _troubled(report) else [meaning]
    ideal = ideal_average(report.slot, report.region) if report.wanted else None
    if ideal is not None:
        notes.append(t("Ideal, with the highest score on each: {average}.", average=t.average(ideal)))
    if report.explanation and not report.wanted and report.name in {SlotName.BEST, SlotName.NEW}:
        notes += explanation_lines(t, report.explanation, report.player.rating)
    if report.is_new_sent and report.name is SlotName.NEW:
        notes.append(t("This slot is the record service's own."))
    add_text(embed, "\n".join([_summary(t, report), *map(small, notes)]))
    add_text(
        embed, "\n".join(_line(t, place, record, report.region) for place, record in report.part.numbered)
    )
    return embed


def _heading(t: Language, report: BestReport) -> Embed:
    slot = t("Best of a filter") if report.wanted else t(SLOTS[report.name])
    embed = player_embed(t, t("{player}: {slot}", player=player_heading(report.player), slot=slot), report)
    if report.wanted:
        add_text(embed, t("Filter: {filter}", filter=filter_text(t, report.wanted)))
    if (trouble := _troubled(report)) is not None:
        add_text(embed, small(trouble_text(t, trouble)))
    return embed


def _troubled(report: BestReport) -> BotError | None:
    """Return why the best slot shown is not the game's; None if it is, or another is shown."""
    return report.trouble if report.name is SlotName.BEST and not report.wanted else None


def _summary(t: Language, report: BestReport) -> str:
    count = t.plural("{count} record", "{count} records", report.part.total)
    if report.slot.average is None:
        return count
    filled = t("Filled: {count} of {places}", count=report.part.total, places=len(report.slot.entries))
    least = t.average(report.slot.average)
    average = t(
        "Average: {average}", average=f"**{range_text(t, least, _highest_average(t, report) or least)}**"
    )
    return f"{average} · {count if report.wanted else filled}"


def _highest_average(t: Language, report: BestReport) -> str:
    """Return the average if each unknown constant were the highest of its level; empty unless the slot is worked out."""
    if report.wanted:
        most = sum(rating_bounds(record, report.region)[1] for record in report.slot.records)
        return t.average(Decimal(most).scaleb(-2) / len(report.slot.entries))
    found = report.explanation and report.explanation.worked_out
    total = found and {SlotName.BEST: found.highest_best, SlotName.NEW: found.highest_new}.get(report.name)
    if not total or found is None or found.version is None:
        return ""
    return t.average(Decimal(total).scaleb(-2) / len(report.slot.entries))


def _line(t: Language, place: int, record: Record, region: Region) -> str:
    rest = [measure_text(t, record), record_facts(t, record, region)]
    return record_lines(t, place, record_rating(t, record, region), record, record.title, rest)


def no_recent_text(t: Language, report: BestReport) -> str:
    """Return why no recent plays are shown."""
    if report.is_recent_sent:
        return t("No recent plays.")
    return t("The record service has no recent plays of this game.")


def _empty(t: Language, report: BestReport) -> str:
    if report.wanted and any(slot.records for slot in (report.best, report.new) if slot):
        return no_score_text(t, report.wanted, report.region)
    if report.name is SlotName.RECENT:
        return no_recent_text(t, report)
    if report.name is SlotName.NEW and report.new is None:
        return no_new_songs_text(t)
    if report.name is SlotName.NEW:
        return t("No record on a song of this version yet: each place counts 0.")
    if report.name is SlotName.BEST or report.wanted:
        return no_records_text(t)
    return t("Nothing in this slot.")
