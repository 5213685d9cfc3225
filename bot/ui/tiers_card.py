"""The alternative text of the picture of tiers."""

from bot.ui.cards.tiers import TierRow, TiersCard
from bot.ui.kit.alternative import Listed, alternative, said
from bot.ui.language.text import Language


def tiers_card_alt(t: Language, card: TiersCard) -> str:
    """Return the alternative text: how much is done, and what comes next in each tier."""
    facts = t.all_of(f"{value} {label}" for value, label in card.facts)
    return alternative(
        t,
        t("{heading}: {facts}.", heading=said(card.title), facts=facts),
        Listed(t("From easy to hard: {list}."), [_row_words(t, row) for row in card.rows]),
    )


def _row_words(t: Language, row: TierRow) -> str:
    if not row.open_charts:
        return f"{row.label}: {row.count_text}"
    nearest = row.open_charts[0]
    return t(
        "{constant}: {count}, next {title} ({missing})",
        constant=row.label,
        count=row.count_text,
        title=f"{said(nearest.title)} {nearest.difficulty}",
        missing=nearest.missing,
    )
