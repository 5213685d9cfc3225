"""Catalogues as pybabel and those who translate leave them: what is not translated is said in English."""

from pathlib import Path
from typing import Final

from bot.ui.language.text import Languages

CATALOGUE: Final = """
# As pybabel writes it, and as whoever translates may leave it.
msgid ""
msgstr ""
"Language: pl\\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || "
"n%100>=20) ? 1 : 2);\\n"

#: cogs/here.py:7
#, python-brace-format
msgid "{count} song"
msgid_plural "{count} songs"
msgstr[0] "{count} utwór"
msgstr[1] "{count} utwory"
msgstr[2] "{count} utworów"

msgctxt "command"
msgid "song"
msgstr "utwór"

msgid "song"
msgstr "piosenka"
msgid "A \\"word\\"\\n"
"of two lines"
msgstr ""
"\\"Słowo\\"\\n"
"z dwóch linii"

#, fuzzy
msgid "Back"
msgstr "Plecy"

msgid "Next"
msgstr ""

#~ msgid "gone"
#~ msgstr "nie ma"
"""


def test_what_is_translated_is_shown_and_all_else_is_english(tmp_path: Path) -> None:
    folder = tmp_path / "pl" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "kiroku.po").write_text(CATALOGUE, encoding="utf-8")
    t = Languages(tmp_path)["pl"]
    assert t("song") == "piosenka"
    assert t('A "word"\nof two lines') == '"Słowo"\nz dwóch linii'
    assert [t(message) for message in ("Back", "Next", "gone", "nowhere")] == [
        "Back",
        "Next",
        "gone",
        "nowhere",
    ]
    assert [t.name("command", message) for message in ("song", "Next")] == ["utwór", "Next"]
    said = [t.plural("{count} song", "{count} songs", count) for count in (1, 2, 5, 22)]
    assert said == ["1 utwór", "2 utwory", "5 utworów", "22 utwory"]
    assert [t.plural("{count} chart", "{count} charts", count) for count in (1, 2)] == ["1 chart", "2 charts"]
