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
