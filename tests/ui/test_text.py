"""Languages, and commands in sentences: pressed where they can be, and found in the reader's own list."""

from pathlib import Path

from discord import Locale

from bot.domain.filters import parse_filter
from bot.ui.filters import filter_choices, filter_text
from bot.ui.text import Languages

NOBODY = "Nobody is in this post yet. Join it with `/daily join`."


def test_a_command_is_named_as_its_reader_sees_it_before_discord_has_given_it_an_id() -> None:
    languages = Languages()
    assert languages["en"](NOBODY) == NOBODY
    assert languages["ja"](NOBODY).endswith("。`/デイリー 参加` で参加できます。")


def test_a_command_is_mentioned_with_its_own_name_beside() -> None:
    languages = Languages()
    languages.command_ids["daily"] = 7
    assert languages["en"](NOBODY).endswith(" Join it with </daily join:7>.")
    assert languages["ja"](NOBODY).endswith("。</daily join:7> (/デイリー 参加) で参加できます。")
    assert languages["ja"].mention("daily off") == "</daily off:7> (/デイリー 停止)"


def test_plurals_mention_too() -> None:
    languages = Languages()
    languages.command_ids["account"] = 8
    one = "{count} member could not be asked about today: see `/account`."
    many = "{count} members could not be asked about today: see `/account`."
    assert languages["en"].plural(one, many, 2).endswith("see </account:8>.")


def test_what_people_typed_mentions_nothing() -> None:
    languages = Languages()
    languages.command_ids["link"] = 9
    assert languages["en"]("Filter: {filter}", filter="`/link`") == "Filter: `/link`"


def test_a_language_more_is_a_folder_more(tmp_path: Path) -> None:
    folder = tmp_path / "zh_TW" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "kiroku.po").write_text('msgid "Back"\nmsgstr "返回"\n', encoding="utf-8")
    t = Languages(tmp_path)[Locale.taiwan_chinese]
    assert t.code == "zh-TW"
    assert t("Back") == "返回"
    assert t.own_name == "中文 (繁體, 台灣)"
    assert filter_text(t, parse_filter("定数:13")) == "const\\:13.0"
    assert filter_choices(t, "")[0].name == "const>="
