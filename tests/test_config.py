import re
from pathlib import Path

import pytest

from bot.config import Settings


def test_token_keys_are_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN_KEYS", "new, old,")
    assert [key.get_secret_value() for key in Settings().token_keys] == ["new", "old"]


def test_secrets_do_not_show_in_the_repr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "abc.def")
    monkeypatch.setenv("RECORD_TOKEN", "0123456789")
    shown = repr(Settings())
    assert "abc.def" not in shown
    assert "0123456789" not in shown


def test_the_example_names_every_setting_and_no_other() -> None:
    example = (Path(__file__).parents[1] / ".env.example").read_text(encoding="utf-8")
    named = re.findall(r"^# ([A-Z_]+)=", example, re.MULTILINE)
    assert named == [name.upper() for name in Settings.model_fields]


def test_the_example_with_its_signs_taken_away_gives_the_defaults(tmp_path: Path) -> None:
    example = (Path(__file__).parents[1] / ".env.example").read_text(encoding="utf-8")
    env = tmp_path / ".env"
    env.write_text(re.sub(r"^# (?=[A-Z_]+=)", "", example, flags=re.MULTILINE), encoding="utf-8")
    assert Settings(_env_file=env) == Settings(_env_file=None)  # pyright: ignore[reportCallIssue]  # pydantic's own keyword
