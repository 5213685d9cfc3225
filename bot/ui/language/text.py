"""The languages: gettext catalogues in locales/, and the formats of numbers, days and lists."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from decimal import ROUND_FLOOR, Decimal
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import Final
from zoneinfo import ZoneInfo

from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po
from discord import Locale as DiscordLocale
from discord.app_commands import TranslationContextTypes, Translator, locale_str
from typing_extensions import override

from bot.domain.members import Preferences
from bot.domain.numbers import Hundredths
from bot.ui.language.writing import writing_of

_LOCALES: Final = Path(__file__).parent / "locales"
_DOMAIN: Final = "kiroku"
_FLOAT_DRIFT: Final = Decimal("0.000001")
"""The precision of means: a binary float errs by less, and one hundredth in one of thirty ratings changes far more."""
_QUANTA: Final = tuple(Decimal(1).scaleb(-places) for places in range(7))
"""The smallest step of numbers by their decimal places."""
DEFAULT_ZONE: Final = ZoneInfo(Preferences().timezone)
"""The zone of readers who have chosen none."""
SOURCE: Final = "en"
"""The language of the messages in the code."""
_COMMAND: Final = re.compile(r"`/([a-z]+(?: [a-z]+)*)`")
"""A command in a message: always by its English name, in every language."""


class BadTranslation(Exception):
    """A catalogue cannot be read, or a translation has fields that its message does not have."""

    def __init__(self, file: Path, reason: str) -> None:
        super().__init__(f"{file}: {reason}")


class Language:
    """Translates messages and formats values for one language."""

    def __init__(
        self,
        code: str,
        translations: NullTranslations,
        command_ids: Mapping[str, int],
        icons: Mapping[str, str],
        token_places: Mapping[str, str],
        zone: ZoneInfo = DEFAULT_ZONE,
    ) -> None:
        self.code = code
        self.zone = zone
        """The time zone of all times in an answer."""
        self._writing = writing_of(code)
        self._translations = translations
        self._command_ids = command_ids
        self.icons = icons
        """The emoji, as written in messages, by the names of their icons; those that Discord has."""
        self.token_places = token_places
        """The addresses where access tokens are created, by the name of the service; empty if unknown."""
        self._in_zones: dict[ZoneInfo, Language] = {}

    def in_zone(self, zone: ZoneInfo) -> "Language":
        """Return this language for another time zone; all readers there share one object."""
        if zone not in self._in_zones:
            self._in_zones[zone] = Language(
                self.code, self._translations, self._command_ids, self.icons, self.token_places, zone
            )
        return self._in_zones[zone]

    def __call__(self, message: str, /, **values: object) -> str:
        """Translate a message, turn its commands into mentions, and insert the values."""
        translated = self._mentioning(self._translations.gettext(message))
        return translated.format(**values) if values else translated

    def plural(self, one: str, many: str, count: int, /, **values: object) -> str:
        """Translate a message in the form for `count`, which is also one of its values."""
        translated = self._mentioning(self._translations.ngettext(one, many, count))
        return translated.format(count=self.integer(count), **values)

    def name(self, context: str, message: str) -> str:
        """Translate a message that a context tells from equal ones."""
        return self._translations.pgettext(context, message)

    def command_name(self, path: str) -> str:
        """Return the name of a command such as "daily join" in this language."""
        return " ".join(self.name("command", part) for part in path.split(" "))

    def mention(self, path: str) -> str:
        """Return a command as a mention, which opens it when pressed; as code if its id at Discord is unknown.

        Discord shows mentions in English in every language, so the translated name is added if it differs.
        """
        name, number = self.command_name(path), self._command_ids.get(path.partition(" ")[0])
        if number is None:
            return f"`/{name}`"
        mention = f"</{path}:{number}>"
        return mention if name == path else f"{mention} (/{name})"

    def _mentioning(self, message: str) -> str:
        # Runs before the values are inserted: text typed by people must not become a mention.
        if "`/" not in message:
            return message
        return _COMMAND.sub(lambda found: self.mention(found[1]), message)

    def sentences(self, sentences: Iterable[str]) -> str:
        """Join sentences with spaces, but without one after an ideographic full stop."""
        return " ".join(sentences).replace("。 ", "。")

    def address(self, named: str) -> str:
        """Return the one of several addresses that is for readers of this language.

        In "https://a.example ja=https://b.example" that is the one with the language's code, else the first.
        """
        return self._find_own(dict(map(_coded, reversed(named.split()))))

    def notice(self, texts: Mapping[str, str]) -> str:
        """Return the host's notice for readers of this language, from texts by code; empty if there is none."""
        return self._find_own(texts)

    def _find_own(self, by_code: Mapping[str, str]) -> str:
        """Return the text for this language, else the one without a code, else the last."""
        codes = (self.code, self.code.partition("-")[0], "", *list(by_code)[-1:])
        return next((by_code[code] for code in codes if code in by_code), "")

    def any_of(self, items: Sequence[str]) -> str:
        """Join alternatives: "a, b, or c"."""
        return self._writing.any_of(items)

    def all_of(self, items: Iterable[str]) -> str:
        """Join things: "a, b, c"."""
        return self._writing.all_of(items)

    def integer(self, value: int) -> str:
        """Return 1008295 as "1,008,295"."""
        return self._writing.integer(value)

    def hundredths(self, value: Hundredths) -> str:
        """Return 1677 as "16.77"."""
        whole, _point, places = f"{value / 100:,.2f}".partition(".")
        return whole.replace(",", self._writing.comma) + self._writing.point + places

    def average(self, value: Decimal) -> str:
        """Return a mean with two decimal places, truncated as in the game."""
        return f"{_cut(value, 2):f}".replace(".", self._writing.point)

    def decimal(self, value: Decimal, *, least: int = 2, most: int) -> str:
        """Return a number with `least` to `most` decimal places without further trailing zeros, truncated as in the game."""
        whole, _point, places = f"{_cut(value, most):,f}".partition(".")
        kept = places.rstrip("0").ljust(least, "0")
        return whole.replace(",", self._writing.comma) + (self._writing.point + kept if kept else "")

    def change(self, value: Hundredths) -> str:
        """Return a difference with its sign."""
        return f"{sign_of(value)}{self.hundredths(Hundredths(abs(value)))}"

    def points(self, value: int) -> str:
        """Return a difference of scores with its sign."""
        return f"{sign_of(value)}{self.integer(abs(value))}"

    def percent(self, part: int, whole: int) -> str:
        """Return a share with one decimal place; `whole` is not 0."""
        return f"{(Decimal(part) / whole).scaleb(2):.1f}%".replace(".", self._writing.point)

    def day(self, value: date) -> str:
        """Return a day; of a moment, the day in the reader's time zone."""
        day = value.astimezone(self.zone).date() if isinstance(value, datetime) else value
        return self._writing.day(day)

    def weekday(self, value: date) -> str:
        """Return a day of this year, with its day of the week."""
        return self._writing.weekday(value)

    def month(self, value: date) -> str:
        """Return the month of a day, with the year."""
        return self._writing.month(value)

    def moment(self, value: datetime) -> str:
        """Return a day and a time of day in the reader's time zone."""
        return self._writing.moment(value.astimezone(self.zone))

    @property
    def own_name(self) -> str:
        """The language's name in itself."""
        return self._writing.name

    def hour(self, value: time) -> str:
        """Return a time of day, to the minute."""
        return self._writing.hour(value)


class Languages:
    """All languages with a catalogue; adding one needs no code."""

    def __init__(self, locales: Path = _LOCALES) -> None:
        self.command_ids: dict[str, int] = {}
        """Discord's ids of the commands by name, known once the commands are registered."""
        self.icons: dict[str, str] = {}
        """The emoji of icons, shared by all languages, known once Discord has been asked."""
        self.token_places: dict[str, str] = {}
        """The addresses for access tokens, shared by all languages, known once the settings are read."""
        self._locales = locales
        self._by_code = self._read_all()

    def reload(self) -> None:
        """Reload all catalogues; if one is broken, all stay as they were. Raises: BadTranslation."""
        for file in self._files():
            _check(file)
        _read.cache_clear()
        self._by_code = self._read_all()

    def digest(self) -> bytes:
        """Return a digest of the files of all catalogues."""
        return hashlib.blake2b(b"".join(file.read_bytes() for file in self._files()), digest_size=16).digest()

    def _files(self) -> Sequence[Path]:
        return sorted(self._locales.glob(f"*/LC_MESSAGES/{_DOMAIN}.po"))

    def _read_all(self) -> dict[str, Language]:
        known = self.command_ids, self.icons, self.token_places
        languages = {SOURCE: Language(SOURCE, NullTranslations(), *known)}
        for file in self._files():
            code = file.parent.parent.name.replace("_", "-")  # "zh_TW" in gettext is Discord's "zh-TW"
            languages[code] = Language(code, _read(file), *known)
        return languages

    def __getitem__(self, code: object) -> Language:
        """Return the language closest to a locale such as "ja" or "en-GB", else the source language."""
        return self.find(code) or self._by_code[SOURCE]

    def __iter__(self) -> Iterator[Language]:
        """Return all languages, the source language first."""
        return iter(self._by_code.values())

    def find(self, code: object) -> Language | None:
        """Return the language of a locale, else the one without a region, else one of another region, else None."""
        text = str(code)
        base = text.partition("-")[0]
        kin = (each for each in self if each.code.partition("-")[0] == base)
        return self._by_code.get(text) or self._by_code.get(base) or next(kin, None)


class CommandTranslator(Translator):
    """Translates the names, descriptions and choices of commands for Discord."""

    def __init__(self, languages: Languages) -> None:
        found = {locale: languages.find(locale) for locale in DiscordLocale}
        self._languages = {locale: language for locale, language in found.items() if language is not None}
        self.digest = languages.digest()
        """The digest of the catalogues that translate."""

    @override
    async def translate(
        self,
        string: locale_str,
        locale: DiscordLocale,
        context: TranslationContextTypes,
    ) -> str | None:
        language = self._languages.get(locale)
        if language is None:  # as for most locales: this is called some thousand times at each start
            return None
        meaning = string.extras.get("context")
        translated = language.name(meaning, string.message) if meaning else language(string.message)
        return None if translated == string.message else translated


def sign_of(value: int) -> str:
    """Return the sign of a difference, "±" for 0."""
    return "+" if value > 0 else "−" if value < 0 else "±"


def _coded(address: str) -> tuple[str, str]:
    """Split an address into the language's code before it, empty if there is none, and the address itself."""
    code, equals, rest = address.partition("=")
    return (code, rest) if equals and "/" not in code else ("", address)


def _cut(value: Decimal, places: int) -> Decimal:
    return value.quantize(_FLOAT_DRIFT).quantize(_QUANTA[places], rounding=ROUND_FLOOR)


@cache
def _read(file: Path) -> GNUTranslations:
    """Return the translations of a catalogue, without those marked as fuzzy."""
    write_mo(compiled := BytesIO(), _read_catalogue(file))
    compiled.seek(0)
    return GNUTranslations(compiled)


def _read_catalogue(file: Path) -> Catalog:
    """Parse a catalogue's .po file. Raises: OSError, PoFileError, ValueError."""
    with file.open("rb") as written:
        return read_po(written, abort_invalid=True)


def _check(file: Path) -> None:
    """Check that a catalogue can be read, and every translation be formatted. Raises: BadTranslation."""
    try:
        for message in _read_catalogue(file):
            sources, forms = _texts(message.id), _texts(message.string)
            if message.id and not _fields(forms) <= _fields(sources):
                reason = f"line {message.lineno}: a name in braces that the message does not have"
                raise BadTranslation(file, reason)
    except (OSError, PoFileError, ValueError) as error:
        raise BadTranslation(file, str(error)) from None


def _texts(said: str | Sequence[str | None] | None) -> list[str]:
    """Return the forms of a message or its translation; only a plural has several."""
    return [said or ""] if isinstance(said, str | None) else [form or "" for form in said]


def _fields(forms: Iterable[str]) -> set[str]:
    """Return the fields in braces of all forms of a message. Raises: ValueError for an unmatched brace."""
    return {name for text in forms for _, name, _, _ in Formatter().parse(text) if name is not None}


def mark(message: str) -> str:
    """Mark a message for extraction; it is translated where it is used."""
    return message


def described(message: str) -> locale_str:
    """Mark a command's or parameter's description, or a choice, for translation."""
    return locale_str(message)


def named(context: str, name: str) -> locale_str:
    """Mark a command's or parameter's name for translation; the context tells it from the same word elsewhere."""
    return locale_str(name, context=context)
