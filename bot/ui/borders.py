"""`/border`: the judgements that may be lost for each rank."""

from collections.abc import Mapping

from discord import Embed

from bot.domain.borders import MIN_PLAYS, Border
from bot.domain.gains import PlayEffect
from bot.domain.notes import Judgement, loss_of_one
from bot.domain.ranks import MAX_SCORE, rank_of
from bot.features.borders import BorderReport
from bot.ui.game_ratings import gain_text
from bot.ui.kit.errors import error_sentence
from bot.ui.kit.look import add_text, chart_text, song_embed
from bot.ui.language.text import Language


def border_embed(t: Language, report: BorderReport) -> Embed:
    """Return the judgements that may be lost on a chart for each rank from S on."""
    embed = song_embed(t, report.song, report, report.chart.difficulty)
    notes = report.chart.max_combo
    if not notes:
        add_text(embed, f"**{chart_text(t, report.chart)}**")
        add_text(
            embed,
            t("Nobody has entered the notes of this chart yet, so what you can afford to lose is not known."),
        )
        return embed
    count = t.plural("{count} note", "{count} notes", notes)
    add_text(embed, f"**{chart_text(t, report.chart)}** · {count}")
    add_text(embed, "\n".join(_line(t, border, report.gains.get(border.score)) for border in report.borders))
    add_text(embed, "\n".join(_lamp_lines(t, report, notes)))
    add_text(embed, f"-# {t.sentences(_notes(t, report))}")
    return embed


def _line(t: Language, border: Border, effect: PlayEffect | None) -> str:
    gain = "" if effect is None else f" · **{gain_text(t, effect)}**"
    line = f"**{border.rank.label}** {t.integer(border.score)}{gain} · {counts_text(t, border.alone, ' / ')}"
    return line if border.mixed is None else f"{line}\n→ {counts_text(t, border.mixed, ' + ')}"


def counts_text(t: Language, counts: Mapping[Judgement, int], between: str) -> str:
    """Return "JUSTICE 70 + ATTACK 1"; counts of 0 are left out unless all are 0."""
    shown = {each: count for each, count in counts.items() if count} or {Judgement.JUSTICE: 0}
    return between.join(f"{each.name}\N{NO-BREAK SPACE}{t.integer(count)}" for each, count in shown.items())


def _lamp_lines(t: Language, report: BorderReport, notes: int) -> list[str]:
    worst = MAX_SCORE - Judgement.JUSTICE.value
    return [
        t(
            "**maximum** {score}: not one JUSTICE, which would cost {points}.",
            score=t.integer(MAX_SCORE),
            points=t.hundredths(loss_of_one(Judgement.JUSTICE, notes)),
        ),
        t(
            "**ALL JUSTICE**: no ATTACK and no MISS, and then never below {score} {rank}.",
            score=t.integer(worst),
            rank=rank_of(worst, report.region).label,
        ),
        t("**FULL COMBO**: no MISS."),
    ]


def _notes(t: Language, report: BorderReport) -> list[str]:
    notes = [t("Between slashes: the most you can have of each kind if nothing else is lost.")]
    if report.gains:
        notes.append(t("A number with a plus is what the score would add to your rating."))
    if report.has_mix:
        notes.append(t("After the arrow: all together in your usual mix, as estimated from your lamps."))
    elif report.trouble is not None:
        notes.append(t("Your own mix is missing: {reason}", reason=error_sentence(t, report.trouble)))
    elif report.is_linked:
        notes.append(
            t(
                "Your own mix is not known well enough yet. It is estimated from which of your scores are FULL "
                "COMBO or ALL JUSTICE, and that takes {count} of rank S or better, often more.",
                count=t.integer(MIN_PLAYS),
            )
        )
    return notes
