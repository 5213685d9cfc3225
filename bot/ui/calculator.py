"""`/calc` as an embed."""

from discord import Embed

from bot.domain.numbers import format_hundredths
from bot.domain.ranks import MAX_SCORE
from bot.features.calculator import Calculation, Rated
from bot.ui.kit.look import BRAND, add_text, base_embed
from bot.ui.language.text import Language
from bot.ui.overpower import over_power_words


def calculation_embed(t: Language, calculation: Calculation) -> Embed:
    """Return the requested rating or score, and every rank from S on."""
    constant = format_hundredths(calculation.constant, places=1 if calculation.constant % 10 == 0 else 2)
    embed = base_embed(t, t("Constant: {constant}", constant=constant), BRAND, region=calculation.region)
    if calculation.rated is not None:
        embed.add_field(
            name=t("Rating of {score}", score=t.integer(calculation.rated.score)),
            value=_asked(t, calculation.rated),
        )
    if calculation.wanted is not None:
        needed = (
            _asked(t, calculation.needed)
            if calculation.needed
            else t("No score is worth that much on this constant.")
        )
        embed.add_field(
            name=t("Least score for {rating}", rating=t.hundredths(calculation.wanted)), value=needed
        )
    add_text(embed, "\n".join(_line(t, rated) for rated in calculation.ranks))
    return embed


def _asked(t: Language, rated: Rated) -> str:
    power = over_power_words(t, rated.over_power)
    return f"**{t.integer(rated.score)}** {rated.rank.label} · **{t.hundredths(rated.rating)}**\n{power}"


def _line(t: Language, rated: Rated) -> str:
    label = t("maximum") if rated.score >= MAX_SCORE else rated.rank.label
    power = over_power_words(t, rated.over_power)
    return f"**{label}** {t.integer(rated.score)} · **{t.hundredths(rated.rating)}** · {power}"
