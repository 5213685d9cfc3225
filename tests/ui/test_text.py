"""Languages, and commands in sentences: pressed where they can be, and found in the reader's own list."""

from datetime import datetime
from decimal import ROUND_FLOOR, Decimal
from gettext import NullTranslations
from pathlib import Path
from zoneinfo import ZoneInfo

import babel
import pytest
from babel.dates import format_date, format_datetime, format_skeleton, format_time
from babel.lists import format_list
from babel.numbers import format_decimal, format_percent
from discord import Locale
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.filters import parse_filter
from bot.domain.numbers import Hundredths
from bot.ui.kit.filters import filter_choices, filter_text
from bot.ui.language.text import BadTranslation, Language, Languages

CODES = (
    "en",
    "ja",
    "de",
    "en-GB",
    "es-ES",
    "es-419",
    "fr",
    "hi",
    "pt-BR",
    "sv-SE",
    "tr",
    "zh-TW",
)
WRITERS = [Language(code, NullTranslations(), {}, {}, {}) for code in CODES]
"""Points and commas, spaces and apostrophes, groups of three, of two, and none."""
WHOLES = st.integers(-(10**12), 10**12)
NUMBERS = st.decimals(-(10**9), 10**9, places=5).map(lambda number: number + 0)  # no zero has a sign
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
    folder = tmp_path / "pt_BR" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "kiroku.po").write_text('msgid "Back"\nmsgstr "Voltar"\n', encoding="utf-8")
    t = Languages(tmp_path)[Locale.brazil_portuguese]
    assert t.code == "pt-BR"
    assert t("Back") == "Voltar"
    assert t.own_name == "Português (Brasil)"
    assert filter_text(t, parse_filter("定数:13")) == "const\\:13.0"
    assert filter_choices(t, "")[0].name == "const>="


def test_of_several_addresses_each_reads_that_of_their_language() -> None:
    first, second, third = "https://a.example/p?l=en", "https://a.example/ja", "https://a.example/zh"
    english, japanese, chinese = (WRITERS[CODES.index(code)] for code in ("en", "ja", "zh-TW"))
    named = f"{first} ja={second} zh-TW={third}"
    assert [t.address(named) for t in (english, japanese, chinese)] == [first, second, third]
    assert japanese.address(first) == first
    assert english.address(f"ja={second} zh={third}") == second
    assert english.address("") == ""


def test_catalogues_are_read_anew_all_or_none(tmp_path: Path) -> None:
    files = {code: tmp_path / code / "LC_MESSAGES" / "kiroku.po" for code in ("de", "ja")}
    for file in files.values():
        file.parent.mkdir(parents=True)
        file.write_text('msgid "{count} songs"\nmsgstr "{count}"\n', encoding="utf-8")
    languages = Languages(tmp_path)
    files["de"].write_text('msgid "{count} songs"\nmsgstr "{count} Lieder"\n', encoding="utf-8")
    for broken in (
        'msgstr "{number}曲"\n',
        'msgstr "{count曲"\n',
        "what is this\n",
        'msgstr "{}曲"\n',
    ):
        files["ja"].write_text(f'msgid "{{count}} songs"\n{broken}', encoding="utf-8")
        with pytest.raises(BadTranslation, match="ja"):
            languages.reload()
        assert [languages[code]("{count} songs", count=1) for code in files] == ["1", "1"]
    files["ja"].write_bytes(b"\xff\xfe")
    with pytest.raises(BadTranslation, match="ja"):
        languages.reload()
    files["ja"].unlink()
    languages.reload()
    assert languages["de"]("{count} songs", count=1) == "1 Lieder"
    assert languages["ja"] is languages["en"]


def test_the_catalogues_that_ship_are_read_anew() -> None:
    languages = Languages()
    before = languages["ja"]
    languages.reload()
    assert languages["ja"] is not before


def floor(number: Decimal, places: int) -> Decimal:
    return number.quantize(Decimal(1).scaleb(-places), rounding=ROUND_FLOOR)


@pytest.mark.parametrize("t", WRITERS, ids=CODES)
@given(whole=WHOLES, number=NUMBERS, part=st.integers(0, 10**7), of=st.integers(1, 10**7))
def test_numbers_are_written_as_babel_writes_them(
    t: Language, whole: int, number: Decimal, part: int, of: int
) -> None:
    locale = babel.Locale.parse(t.code, sep="-")
    assert t.integer(whole) == format_decimal(whole, locale=locale)
    assert t.hundredths(Hundredths(whole)) == format_decimal(Decimal(whole) / 100, "#,##0.00", locale)
    assert t.average(number) == format_decimal(floor(number, 2), "0.00", locale)
    for least, most, pattern in ((2, 3, "#,##0.00#"), (4, 4, "#,##0.0000"), (0, 2, "#,##0.##")):
        written = format_decimal(floor(number, most), pattern, locale)
        assert t.decimal(number, least=least, most=most) == written
    assert t.percent(part, of) == format_percent(Decimal(part) / of, "0.0%", locale)


def spaced(text: str) -> str:
    """Return a text with plain spaces alone; ours keep a Korean date from becoming a numbered list."""
    return text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("t", WRITERS, ids=CODES)
@given(moment=st.datetimes(datetime(1900, 1, 1), timezones=st.just(ZoneInfo("Asia/Tokyo"))))  # noqa: DTZ001 - the zone comes beside
def test_times_are_written_as_babel_writes_them(t: Language, moment: datetime) -> None:
    locale = babel.Locale.parse(t.code, sep="-")
    assert t.day(moment) == t.day(moment.date())
    assert spaced(t.day(moment)) == spaced(format_date(moment.date(), "medium", locale))
    assert t.weekday(moment.date()) == format_skeleton("MMMEd", moment.date(), locale=locale)
    assert t.month(moment.date()) == format_skeleton("yMMM", moment.date(), locale=locale)
    if t.code not in {"ko", "zh-TW"}:  # where Babel says AM, or tells eight parts of the day, and we two
        assert t.moment(moment) == format_datetime(moment, "short", locale=locale)
        assert t.hour(moment.time()) == format_time(moment.time(), "short", locale=locale)


@pytest.mark.parametrize("t", WRITERS, ids=CODES)
def test_lists_are_written_as_babel_writes_them(t: Language) -> None:
    for count in range(6):
        things = [*"abcde"[:count]]
        listed = format_list(things, "or", babel.Locale.parse(t.code, sep="-"))
        assert t.any_of(things) == (listed.replace("或", " 或 ") if t.code == "zh-TW" else listed)


def test_a_list_in_chinese_keeps_latin_letters_apart_from_han() -> None:
    notes = ["71 個 JUSTICE", "2 個 ATTACK", "1 個 MISS"]
    assert Languages()["zh-TW"].any_of(notes) == "71 個 JUSTICE、2 個 ATTACK 或 1 個 MISS"


@pytest.mark.parametrize(("code", "listed"), [("en", "Neon, 深海, a, b"), ("ja", "Neon、深海、a, b")])
def test_things_one_after_another(code: str, listed: str) -> None:
    assert Languages()[code].all_of(["Neon", "深海", "a, b"]) == listed
    assert Languages()[code].all_of([]) == ""
