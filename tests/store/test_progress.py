"""Of `bot.database.progress`: how far an upgrade is; that it is told while it goes on, tests/store/test_migrate.py holds."""

import pytest

from bot.database import progress
from bot.database.migrate import known_revisions
from bot.database.progress import UpgradeProgress


def test_it_says_how_much_is_done_and_how_long_it_will_take(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(progress, "monotonic", lambda: now[0])
    upgrade = UpgradeProgress(["0005", "0006", "0007"])
    assert str(upgrade) == "the database is brought up to date: 0% done"
    upgrade.note("0005")
    upgrade.note("0006", 0.5)
    now[0] += 110
    assert str(upgrade) == "the database is brought up to date: 50% done, about 2 min left"
    upgrade.note("0007", 0.5)  # not its turn
    assert upgrade.share == pytest.approx(0.5)
    upgrade.note("0006")
    now[0] += 110
    assert str(upgrade).endswith("100% done, about 0 seconds left")
    upgrade.note("0007")
    assert upgrade.share == 1


def test_what_only_adds_columns_weighs_next_to_nothing_beside_what_writes_all_days_anew() -> None:
    steps = known_revisions()
    upgrade = UpgradeProgress(steps[steps.index("0006") :])
    upgrade.note("0006")
    assert upgrade.share > 0.98
    upgrade = UpgradeProgress(["0025"])
    assert upgrade.share == 0
    upgrade.note("0025")
    assert upgrade.share == 1
