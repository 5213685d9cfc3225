"""The texts on the picture of `/compare`, in the reader's language."""

from collections.abc import Sequence
from typing import Final

from bot.domain.comparison import Duel, GapOrder
from bot.domain.game_rating import WorkedOut
from bot.domain.game_versions import Formula
from bot.features.comparison import ComparisonReport
from bot.ui.card_words import chart_name, rating_text
from bot.ui.cards.comparison import ChartMeeting, ComparisonCard, Opponent
from bot.ui.cards.faces import face_of
from bot.ui.game_ratings import slot_averages
from bot.ui.kit.alternative import LIST, Listed, alternative, said
from bot.ui.kit.markdown import one_line
from bot.ui.language.text import Language, mark

_HEADINGS: Final = {GapOrder.CLOSEST: mark("The closest"), GapOrder.WIDEST: mark("The widest gaps")}


def comparison_card(t: Language, report: ComparisonReport, order: GapOrder) -> ComparisonCard:
    """Return the texts on the picture of a comparison."""
    total = report.total
    both = total.wins + total.losses + total.draws
    mine, theirs = (
        Opponent(
            name=one_line(player.player_name),
            rating=rating_text(t, player.rating),
            averages=_averages(t, worked_out),
            wins=wins,
            wins_text=t.integer(wins),
        )
        for player, worked_out, wins in zip(
            (report.me, report.other), report.worked_out, (total.wins, total.losses), strict=True
        )
    )
    return ComparisonCard(
        opponents=(mine, theirs),
        versus=t("vs"),
        note=t.plural("ahead, of {count} chart both played", "ahead, of {count} charts both played", both),
        heading=t(_HEADINGS[order]),
        heading_note=t("points ahead"),
        meetings=tuple(_meeting(t, duel) for duel in report.first),
        foot=t.moment(report.age.fetched_at),
        sign=f"Kiroku · /{t.command_name('compare')}",
    )


def _averages(t: Language, found: WorkedOut | None) -> Sequence[str]:
    """Return the averages of the slots of older and new songs; empty if there is no new slot, or they are unknown."""
    if found is None or found.formula is not Formula.BEST_AND_NEW:
        return ()
    best, new = slot_averages(t, found)
    return t("best {best}", best=best), t("new {new}", new=new)


def _meeting(t: Language, duel: Duel) -> ChartMeeting:
    mine, title = duel.mine, one_line(duel.mine.title)
    return ChartMeeting(
        title=title,
        face=face_of(mine.song_id or title, title, mine.genre),
        difficulty=mine.difficulty,
        chart=chart_name(mine),
        scores=(t.integer(mine.score), t.integer(duel.theirs.score)),
        gap=duel.gap,
        gap_text=t.points(abs(duel.gap)),
    )


def comparison_alt(t: Language, card: ComparisonCard) -> str:
    """Return the alternative text of the picture."""
    players = [f"{said(each.name)} {each.rating.text}" for each in card.opponents]
    wins = " : ".join(each.wins_text for each in card.opponents)
    met = [f"{said(each.title)} {each.difficulty} {' : '.join(each.scores)}" for each in card.meetings]
    return alternative(
        t,
        t("{players}: {wins} {note}.", players=" – ".join(players), wins=wins, note=card.note),
        Listed(t("{heading}: {list}.", heading=card.heading, list=LIST), met),
    )
