"""`/score`, `/scores` and `/worldsend`: one song's scores, and lists of them."""

from discord import Embed

from bot.domain.charts import Chart
from bot.domain.chronicle.state import LampFlags
from bot.domain.coach.prediction import Form
from bot.domain.entries import ChartEntry, Order
from bot.domain.ids import Region
from bot.domain.notes import notes_to_improve
from bot.domain.overpower import OverPower, over_power
from bot.domain.ranks import next_goal
from bot.domain.scores import Record
from bot.domain.summary import Summary
from bot.features.scores import ScoresReport, SongScores
from bot.features.shared.subjects import Subject
from bot.ui.chances import both_chances_text, forecast_text, form_menu, goal_label
from bot.ui.game_ratings import slot_place_text
from bot.ui.kit.address import Address
from bot.ui.kit.filters import filter_text, no_score_text
from bot.ui.kit.icons import lamp_icon, rank_name
from bot.ui.kit.look import (
    Page,
    add_text,
    chart_title,
    constant_text,
    player_embed,
    player_heading,
    song_embed,
)
from bot.ui.kit.orders import ORDERS, order_menu
from bot.ui.kit.pages import with_leads, with_more
from bot.ui.kit.routes import (
    BorderAddress,
    ComparisonAddress,
    FriendScoresAddress,
    ScoreAddress,
    ScoresAddress,
    StoryAddress,
    WorldsEndAddress,
)
from bot.ui.language.text import Language
from bot.ui.lists import (
    list_page,
    no_records_text,
    number_of,
    record_facts,
    record_lines,
    record_rating,
    rest_of,
    small,
)
from bot.ui.overpower import over_power_words


def song_scores_embed(t: Language, scores: SongScores, form: Form | None = None) -> Embed:
    """Return a player's scores on every chart of a song, and the forecast of the next try."""
    embed = song_embed(
        t, scores.song, scores, scores.entries[-1].chart.difficulty if scores.entries else None
    )
    add_text(embed, t("Scores of {player}", player=f"**{player_heading(scores.player)}**"))
    if scores.is_removed:
        add_text(embed, removed_song_note(t))
    for entry in scores.entries:
        embed.add_field(
            name=chart_heading(t, entry.chart),
            value=_score(t, entry, scores, form),
            inline=False,
        )
    return embed


def removed_song_note(t: Language) -> str:
    """Return that a song is no longer in the catalogue."""
    return small(t("This song is no longer in the game's list of songs: what is shown comes from records."))


def song_scores_page(t: Language, scores: SongScores, address: ScoreAddress) -> Page:
    """Return a player's scores on a song, with buttons to the border and to comparisons."""
    asker, song = address.asker, scores.song.id
    others: Address = FriendScoresAddress(asker=asker, song=song)
    if address.subject != Subject():
        others = ComparisonAddress(asker=asker, subject=address.subject, song=song)
    leads: dict[str, Address] = {}
    if not scores.is_removed:
        leads = {t("Compare"): others, t("Border"): BorderAddress(asker=asker, song=song)}
    played = [entry.chart.difficulty for entry in scores.entries if entry.played]
    if played and not scores.song.is_worlds_end and address.subject.player is None:
        leads[t("History")] = StoryAddress(
            asker=asker, subject=address.subject, song=song, difficulty=played[-1]
        )
    page = with_leads(Page(song_scores_embed(t, scores, address.form), audience=scores.audience), leads)
    return with_more(page, form_menu(t, address) if scores.predictions else [])


def chart_heading(t: Language, chart: Chart) -> str:
    """Return "MASTER 14+ · Constant: 14.7"."""
    name = chart_title(chart)
    if not chart.level and not chart.constant:
        return name
    constant = t("Constant: {constant}", constant=constant_text(t, chart))
    return f"{name} · {constant}"


def _score(t: Language, entry: ChartEntry, scores: SongScores, form: Form | None) -> str:
    record, prediction = entry.played, scores.predictions.get(entry.chart.difficulty)
    if record is None:
        return t("Not played yet.")
    facts = [f"**{record_facts(t, record, entry.region)}**"]
    if rating := record_rating(t, record, entry.region):
        facts.append(t("rating {rating}", rating=rating))
    if (place := scores.places.get(entry.chart.difficulty)) is not None:
        facts.append(slot_place_text(t, place))
    power = _over_power(entry.chart, record)
    if power is not None:
        facts.append(over_power_words(t, power))
    if record.updated_at is not None:
        facts.append(t.day(record.updated_at))
    lines = [" · ".join(facts), next_rank(t, entry.chart, record, entry.region)]
    if prediction is not None:
        lines += [both_chances_text(t, record.score, entry.region, prediction)]
        lines += [forecast_text(t, prediction.next_try, form)]
    return "\n".join(line for line in lines if line)


def _over_power(chart: Chart, record: Record) -> OverPower | None:
    constant = record.constant or chart.constant
    return None if constant is None else over_power(constant, record.score, record.lamps)


def next_rank(t: Language, chart: Chart, record: Record, region: Region) -> str:
    """Return what a score lacks to the next rank or the theoretical maximum; empty at the maximum."""
    goal = next_goal(record.score, region)
    if goal is None:
        return ""
    label = goal_label(t, goal, region)
    missing = goal - record.score
    if chart.max_combo is None:
        return t.plural("{count} point to {rank}", "{count} points to {rank}", missing, rank=label)
    counts = notes_to_improve(record.score, goal, chart.max_combo, record.lamps)
    notes = [
        t("{count} {judgement}", count=t.integer(count), judgement=each.name)
        for each, count in counts.items()
    ]
    return t.plural(
        "{count} point to {rank}: improve {notes}",
        "{count} points to {rank}: improve {notes}",
        missing,
        rank=label,
        notes=t.any_of(notes),
    )


def scores_page(t: Language, report: ScoresReport, address: ScoresAddress) -> Page:
    """Return one page of the scores that match a filter."""
    embed = _list_embed(t, report, t("Scores of {player}", player=player_heading(report.player)))
    asked = [t("Order: {order}", order=t(ORDERS[address.order]))]
    if report.wanted.terms:
        asked.insert(0, t("Filter: {filter}", filter=filter_text(t, report.wanted)))
    add_text(embed, small(*asked))
    empty = no_score_text(t, report.wanted, report.region) if report.wanted.terms else no_records_text(t)
    add_text(embed, _list(t, report, address.order) or empty)
    page = list_page(t, Page(embed, audience=report.audience), report.part, address)
    return with_more(page, order_menu(t, address, ORDERS, report.part))


def worlds_end_page(t: Language, report: ScoresReport, address: WorldsEndAddress) -> Page:
    """Return one page of World's End scores."""
    title = t("World's End scores of {player}", player=player_heading(report.player))
    embed = _list_embed(t, report, title)
    add_text(embed, _list(t, report, Order.SCORE_DOWN) or t("No World's End score yet."))
    return list_page(t, Page(embed, audience=report.audience), report.part, address)


def _list_embed(t: Language, report: ScoresReport, title: str) -> Embed:
    embed = player_embed(t, title, report)
    if report.part.items:
        add_text(embed, summary_text(t, report.summary))
    return embed


def summary_text(t: Language, summary: Summary) -> str:
    """Return a summary of scores: counts, averages, ranks, lamps."""
    count = t.plural("{count} record", "{count} records", summary.count)
    facts = [f"**{count}**"]
    if summary.average_score is not None:
        facts.append(t("average score {score}", score=t.integer(summary.average_score)))
    if summary.average_rating is not None:
        facts.append(t("average rating {rating}", rating=t.hundredths(summary.average_rating)))
    lamps = {
        t("maximum"): summary.maximum,
        lamp_icon(t, LampFlags.ALL_JUSTICE): summary.all_justice,
        lamp_icon(t, LampFlags.FULL_COMBO): summary.full_combo,
        "FAILED": summary.failed,
    }
    ranks = [f"{rank_name(t, rank)} {t.integer(count)}" for rank, count in summary.ranks.items()]
    marks = [f"{name} {t.integer(count)}" for name, count in lamps.items() if count]
    return "\n".join([" · ".join(facts), *(small(*each) for each in (ranks, marks) if each)])


def _list(t: Language, report: ScoresReport, order: Order) -> str:
    return "\n".join(_line(t, place, entry, order) for place, entry in report.part.numbered)


def _line(t: Language, place: int, entry: ChartEntry, order: Order) -> str:
    number = number_of(t, entry, order)
    return record_lines(t, place, number, entry.chart, entry.song.title, rest_of(t, entry, number))
