"""Catalogues as pybabel and those who translate leave them."""

from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from bot.ui.language.messages import Translations, read_messages

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


def test_a_catalogue_is_read_as_babel_reads_it(tmp_path: Path) -> None:
    (file := tmp_path / "kiroku.po").write_text(CATALOGUE, encoding="utf-8")
    write_mo(compiled := BytesIO(), read_po(BytesIO(CATALOGUE.encode())))
    compiled.seek(0)
    ours, theirs = Translations(read_messages(file)), GNUTranslations(compiled)
    for message in ("song", 'A "word"\nof two lines', "Back", "Next", "gone", "nowhere"):
        assert ours.gettext(message) == theirs.gettext(message)
        assert ours.pgettext("command", message) == theirs.pgettext("command", message)
    assert ours.pgettext("command", "song") != ours.gettext("song")
    for count in range(30):
        for one in ("{count} song", "unknown"):
            assert ours.ngettext(one, "many", count) == theirs.ngettext(one, "many", count)
