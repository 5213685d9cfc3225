"""What the demo's page says, in each language."""

import re
from importlib.resources import files

import pytest

from bot.demo.patches import CHANGED, SCRIPTS, patched
from bot.demo.words import IMPORT, OWN, WORDS, dictionary, said_in
from bot.ui.language.text import Languages

LANGUAGES = dictionary(Languages())


def served(path: str) -> str:
    name = "index.html" if path == "/" else path.removeprefix("/")
    return patched(path, files("simcord.preview").joinpath("static", name).read_text(encoding="utf-8"))


def test_the_demos_own_scripts_say_what_is_listed() -> None:
    said = {message for script in SCRIPTS.values() for message in said_in(script.read_text(encoding="utf-8"))}
    patched_in = {message for path in WORDS for message in said_in(served(path))}
    assert said - set(OWN) == set()
    assert set(OWN) - said - patched_in == set()


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "en"])
def test_all_that_is_said_can_be_said_in_every_language(code: str) -> None:
    words = LANGUAGES[code]["words"]
    scripts = [script.read_text(encoding="utf-8") for script in SCRIPTS.values()]
    said = set[str]().union(*map(said_in, [*scripts, *map(served, CHANGED)]))
    assert len(said) > 100
    assert said - set(words) == set()
    assert [message for message, translated in words.items() if message == translated] == []


@pytest.mark.parametrize("path", WORDS)
def test_a_script_knows_what_it_says_its_words_with(path: str) -> None:
    script = served(path)
    assert script.startswith(IMPORT)
    assert re.search(r"\b(?:const|let|function) t\b|\bt\) =>|\bt =>", script.removeprefix(IMPORT)) is None


def test_each_language_is_offered_by_its_own_name() -> None:
    assert {code: each["name"] for code, each in LANGUAGES.items()} == {
        "en": "English",
        "ja": "日本語",
        "ko": "한국어",
        "zh-TW": "中文 (繁體, 台灣)",
    }
