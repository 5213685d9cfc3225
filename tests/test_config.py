"""Holds `bot/base/config.py`."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from bot.base.config import (
    BadFile,
    BadSettings,
    Settings,
    parse_settings,
    read_environment,
    read_settings,
)

EXAMPLE = (Path(__file__).parents[1] / ".env.example").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in an empty folder with nothing set."""
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    return tmp_path


def test_the_environment_goes_before_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = 'DISCORD_TOKEN="a#b"\nexport DEFAULT_REGION=jp # a comment\nLOG_LEVEL=DEBUG\nLATER=1\nSHARDS\n'
    (folder / ".env").write_text(written, encoding="utf-8")
    monkeypatch.setenv("log_level", "ERROR")
    monkeypatch.setenv("DEFAULT_REGION", "")  # as good as not set
    assert read_settings() == Settings(discord_token=SecretStr("a#b"), default_region="jp", log_level="ERROR")


@pytest.mark.parametrize("content", [b"LOG_LEVEL=\xff", None])
def test_a_file_that_cannot_be_read_is_named(folder: Path, content: bytes | None) -> None:
    file = folder / ".env"
    if content is None:
        file.mkdir()  # what is no file is not read
        assert read_settings() == Settings()
    else:
        file.write_bytes(content)
        with pytest.raises(BadFile):
            read_settings()
        assert "log_level" not in read_environment(None)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("token_keys", "new, old,", (SecretStr("new"), SecretStr("old"))),
        ("shards", "3", 3),
        ("shards", "auto", "auto"),
        ("alias_file", "aliases.txt", Path("aliases.txt")),
        ("alias_file", "packs, own.txt", (Path("packs"), Path("own.txt"))),
        ("fresh_seconds", "0", 0.0),
        ("patience_seconds", " 0.5 ", 0.5),
        ("reserve_percents", "0, 100,1", (0, 100, 1)),
        ("history_days", "1,2", (1, 2)),
        ("history_days", "7,7", (7, 7)),
        ("owner_ids", "123, 456", (123, 456)),
        ("metrics_port", "65535", 65535),
        ("chart_url", "https://c.example/{id}", "https://c.example/{id}"),
    ],
)
def test_what_a_setting_takes(name: str, text: str, value: Any) -> None:
    assert parse_settings({name: text}) == Settings(**{name: value})


@pytest.mark.parametrize(
    "texts",
    [
        {"shards": "0"},
        {"shards": "many"},
        {"fresh_seconds": "604801"},
        {"patience_seconds": "0"},
        {"patience_seconds": "nan"},
        {"reserve_percents": "15,30"},
        {"reserve_percents": "15,30,101"},
        {"history_days": "0,1"},
        {"history_days": "1095,400"},
        {"owner_ids": "@me"},
        {"metrics_port": "65536"},
        {"chart_url": "http://charts.example/{id}"},
        {"chart_url": "https://charts.example/{song}"},
        {"video_url": "https://v.example/{title"},
        {"log_level": "info"},
        {"log_format": "xml", "metrics_port": "x", "shards": "2"},
    ],
)
def test_all_that_is_wrong_is_named_and_not_told(texts: Mapping[str, str]) -> None:
    with pytest.raises(BadSettings) as caught:
        parse_settings(texts)
    assert caught.value.names == sorted(name.upper() for name in texts if texts[name] != "2")
    assert caught.value.__context__ is None


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("shards", "a whole number from 1 on or auto"),
        ("fresh_seconds", "a number from 0 to 604800"),
        ("patience_seconds", "a number above 0 and at most 840"),
        ("reserve_percents", "3 numbers, each a whole number from 0 to 100, with commas between them"),
        (
            "history_days",
            "2 numbers, each a whole number from 1 on, with commas between them, none below the one before it",
        ),
        ("owner_ids", "numbers, each a whole number from 1 on, with commas between them"),
        ("metrics_port", "a whole number from 0 to 65535"),
        ("log_format", "auto, text or json"),
        (
            "video_url",
            "an address that begins with https://, with {id}, {title} or {difficulty} where they belong",
        ),
    ],
)
def test_what_would_be_right_is_told(name: str, taken: str) -> None:
    with pytest.raises(BadSettings) as caught:
        parse_settings({name: "nothing"})
    shown = name.upper()
    assert str(caught.value) == f"These settings are not right: {shown}. {shown} takes {taken}."


def test_secrets_do_not_show_in_the_repr() -> None:
    settings = parse_settings({"discord_token": "abc.def", "record_token": "0123456789", "token_keys": "k3y"})
    shown = f"{settings!r} {settings} {settings.discord_token}"
    assert not any(secret in shown for secret in ("abc.def", "0123456789", "k3y"))


def test_the_example_names_every_setting_and_no_other() -> None:
    named = re.findall(r"^# ([A-Z_]+)=", EXAMPLE, re.MULTILINE)
    fields = [name.upper() for name in Settings.model_fields]
    assert set(named) == {*fields}, "a field of bot/base/config.py has its line in .env.example, and no other"
    assert named == fields, "the lines of .env.example stand in the order of bot/base/config.py"


def test_the_example_with_its_signs_taken_away_gives_the_defaults(folder: Path) -> None:
    written = re.sub(r"^# (?=[A-Z_]+=)", "", EXAMPLE, flags=re.MULTILINE)
    (folder / ".env").write_text(written, encoding="utf-8")
    assert set(read_environment()) >= {"shards", "log_format"}
    assert read_settings() == Settings()


def test_a_secret_may_stand_in_a_file_of_its_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("discord_token", "record_token", "token_keys", "database_url", "database_password"):
        (folder / name).write_text(f"  {name}\n")
        monkeypatch.setenv(f"{name}_FILE".upper(), str(folder / name))
    (folder / "database_url").write_text("postgresql+asyncpg://kiroku@database/kiroku")
    (folder / "record_token").write_text("")  # as where there is none
    monkeypatch.setenv("TOKEN_KEYS", "its own value goes first")
    assert read_settings() == Settings(
        discord_token=SecretStr("discord_token"),
        token_keys=(SecretStr("its own value goes first"),),
        database_url="postgresql+asyncpg://kiroku@database/kiroku",
        database_password=SecretStr("database_password"),
    )


def test_a_secret_whose_file_cannot_be_read_is_named_by_its_setting(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(folder / "nowhere"))
    with pytest.raises(BadFile, match=r"^The file that DISCORD_TOKEN_FILE names cannot be read"):
        read_settings()
    assert "discord_token" not in read_environment(opens_secrets=False)


@pytest.mark.parametrize(
    ("url", "whole"),
    [
        ("postgresql+asyncpg://kiroku@host/kiroku", "postgresql+asyncpg://kiroku:p%40%3A%2Fw@host/kiroku"),
        ("postgresql+asyncpg://kiroku:own@host/kiroku", "postgresql+asyncpg://kiroku:own@host/kiroku"),
        ("sqlite+aiosqlite:///data/a@b.db", "sqlite+aiosqlite:///data/a@b.db"),
    ],
)
def test_a_password_is_put_where_none_stands(url: str, whole: str) -> None:
    settings = Settings(database_url=url, database_password=SecretStr("p@:/w"))
    assert settings.database_url == whole
    assert "p%40" not in repr(settings.database_password)


@pytest.mark.parametrize(
    ("url", "whole"),
    [
        ("sqlite+aiosqlite:///~/bot/kiroku.db", "sqlite+aiosqlite:////home/host/bot/kiroku.db"),
        ("sqlite+aiosqlite:///data/~kiroku.db", "sqlite+aiosqlite:///data/~kiroku.db"),
        ("sqlite+aiosqlite://", "sqlite+aiosqlite://"),
    ],
)
def test_a_database_stands_in_the_home_folder_where_its_path_says_so(
    url: str, whole: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/host")
    assert Settings(database_url=url).database_url == whole


@pytest.mark.parametrize("given", ["abc", SecretStr("abc")])
def test_a_program_gives_secrets_as_it_has_them(given: Any) -> None:
    settings = Settings(discord_token=given, record_token=given, token_keys=(given, given))
    assert settings.discord_token == settings.record_token == SecretStr("abc")
    assert settings.token_keys_in_clear == ("abc", "abc")
    assert "abc" not in repr(settings)
