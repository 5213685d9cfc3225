"""Findings of `kiroku doctor`, and the checks of settings and their file."""

import codecs
import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from typing_extensions import override

from bot.base.config import (
    ENV_FILE,
    BadFile,
    BadSettings,
    Settings,
    find_misspelt,
    parse_settings,
    read_environment,
)

_PROXIES: Final = frozenset({"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"})
_PLACES: Final = (Path("/var/lib/kiroku"), Path(__file__).parents[2])
"""The usual places of settings: the folder of the systemd unit, and that of the source."""


class Verdict(StrEnum):
    """The mark before a line."""

    FINE = "✓"
    WRONG = "✗"
    UNTRIED = "–"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    mark: Verdict
    what: str
    sentence: str

    @override
    def __str__(self) -> str:
        return f"{self.mark} {self.what}: {self.sentence}"


def read_settings_leniently() -> tuple[Settings, list[Finding]]:
    """Read the settings, with the default in place of each invalid one."""
    wrong: list[Finding] = []
    try:
        texts = read_environment()
    except BadFile as error:
        wrong.append(Finding(Verdict.WRONG, "Settings", str(error)))
        texts = read_environment(None, opens_secrets=False)
    else:
        wrong += [
            Finding(Verdict.WRONG, name, f"There is no such setting: {meant} is meant, most likely.")
            for name, meant in find_misspelt().items()
        ]
    try:
        settings = parse_settings(texts)
    except BadSettings as error:
        wrong.append(Finding(Verdict.WRONG, "Settings", str(error)))
        settings = parse_settings({name: texts[name] for name in texts if name.upper() not in error.names})
    found = wrong or [Finding(Verdict.FINE, "Settings", "each has a value that it takes.")]
    return settings, [
        _check_env_file(is_needed=not settings.discord_token.get_secret_value()),
        *_check_proxies(),
        *found,
    ]


def _check_proxies() -> list[Finding]:
    """Report a proxy in the environment, which the bot does not use."""
    named = sorted({name.upper() for name, value in os.environ.items() if value} & _PROXIES)
    sentence = "not used: the bot connects to Discord and to the record service by itself."
    return [Finding(Verdict.UNTRIED, name, sentence) for name in named]


def _check_env_file(*, is_needed: bool) -> Finding:
    """Report where settings are looked for, and who else can read them."""
    what, here = str(ENV_FILE), Path.cwd()
    if not ENV_FILE.is_file():
        others = [each for each in (*here.parents, *_PLACES) if _is_file(each / ENV_FILE)]
        elsewhere = f" There is one in {others[0]}: start the bot there." if others else ""
        mark = Verdict.WRONG if others and is_needed else Verdict.UNTRIED
        return Finding(mark, what, f"There is none in {here}, where the bot was started.{elsewhere}")
    if os.name == "posix" and ENV_FILE.stat().st_mode & stat.S_IROTH:
        sentence = (
            f"Everybody on this machine can read it, and the bot's token stands in it: `chmod o= {what}`."
        )
        return Finding(Verdict.WRONG, what, sentence)
    with suppress(OSError):
        if ENV_FILE.read_bytes().startswith(codecs.BOM_UTF8):
            return Finding(
                Verdict.FINE, what, f"in {here}; the byte order mark that it begins with is passed over."
            )
    return Finding(Verdict.FINE, what, f"in {here}.")


def _is_file(path: Path) -> bool:
    with suppress(OSError):  # a folder that we may not read
        return path.is_file()
    return False
