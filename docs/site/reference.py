"""The pages that are made from the sources: commands, settings, metrics and endpoints."""

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from discord.app_commands import Choice, Command
from page import SitePage

from bot.app import create_bot
from bot.base.config import Settings
from bot.chat.client import KirokuBot
from bot.chat.registration import find_cogs
from bot.ui.help import COMMANDS_BY_TOPIC, TOPICS
from bot.ui.kit.routes import HelpTopic
from bot.ui.language.text import Language
from bot.wire.endpoints import ENDPOINTS

PICTURE_FOLDER: Final = "pictures"
"""Below the folder of a language's pages."""

_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "about": "Every command of this group with its options, and what its answer looks like.",
        "picture": "What /{name} answers: {shown}",
        "option": "option",
        "meaning": "what it is",
        "required": "to be given",
        "choices": "one of",
        "settings": "Settings",
        "settings_about": "Every setting of the bot with its default and its meaning.",
        "settings_text": "Settings stand in `.env` or in the environment; what is left out has its default.",
        "default": "Default",
        "metrics": "Metrics",
        "metrics_about": "Every figure that the bot tells Prometheus, and what it counts.",
        "metrics_text": "They are served at `/metrics` where `METRICS_PORT` is set; see [hosting](hosting.md).",
        "metric": "metric",
        "endpoints": "Endpoints",
        "endpoints_about": "The endpoints of the record service with their parameters, in three versions.",
        "endpoints_text": "Each is a GET that answers JSON, and carries the parameter `token` beside these.",
        "endpoint": "endpoint",
        "parameters": "parameters",
        "no_parameters": "none",
    },
    "ja": {
        "about": "このグループの全コマンドと、そのオプション、返事の画面です。",
        "picture": "/{name} の返事。{shown}",
        "option": "オプション",
        "meaning": "説明",
        "required": "必須",
        "choices": "選択肢",
        "settings": "設定一覧",
        "settings_about": "ボットの全設定と既定値、その意味です（英語）。",
        "settings_text": "設定は `.env` か環境変数に書きます。書かなければ既定値になります。",
        "default": "既定値",
        "metrics": "メトリクス一覧",
        "metrics_about": "Prometheus で読める全メトリクスです（英語）。",
        "metrics_text": "`METRICS_PORT` を設定すると `/metrics` で読めます。",
        "metric": "メトリクス",
        "endpoints": "エンドポイント一覧",
        "endpoints_about": "記録サービスの全エンドポイントとパラメーターです（英語）。",
        "endpoints_text": "すべて GET で、JSON を返します。ほかに `token` が必ず要ります。",
        "endpoint": "エンドポイント",
        "parameters": "パラメーター",
        "no_parameters": "なし",
    },
}


async def build_bot() -> KirokuBot:
    """Return a bot that has its commands and is never opened; /host, which only hosts see, stands in hosting."""
    bot = create_bot(Settings(_env_file=None, discord_token="", record_api_url="https://records.example"))  # pyright: ignore[reportCallIssue] # pydantic-settings reads no file then
    for cog in find_cogs():
        await bot.add_cog(cog(bot))
    await bot.remove_cog("HostingCog")
    return bot


def stems_of(command: str) -> tuple[str, str]:
    """Return what the pictures of a command are called: of its answer, and of what is drawn in it."""
    stem = command.replace(" ", "-")
    return stem, f"{stem}-picture"


def command_pages(bot: KirokuBot, code: str, shown: Mapping[str, str]) -> list[SitePage]:
    """Return a page for each topic of /help; `shown` is what each picture shows, by its name."""
    t = bot.languages[code]
    commands = [each for each in bot.tree.walk_commands() if isinstance(each, Command)]
    pages: list[SitePage] = []
    for topic, words in COMMANDS_BY_TOPIC.items():
        found = [each for word in words for each in commands if each.qualified_name.split(" ")[0] == word]
        pages.append(
            SitePage(
                path=f"players/commands-{topic.value}.md",
                title=_title(t, topic),
                description=_WORDS[code]["about"],
                body="\n\n".join(_command(t, each, shown) for each in found),
            )
        )
    return pages


def _title(t: Language, topic: HelpTopic) -> str:
    return t(TOPICS[topic])


def _command(t: Language, command: Command[Any, ..., Any], shown: Mapping[str, str]) -> str:
    words, name = _WORDS[t.code], t.command_name(command.qualified_name)
    stems = stems_of(command.qualified_name)
    parts = [f"## /{name} {{ #{stems[0]} }}", t(command.description)]
    if command.parameters:
        rows = [(f"`{t.name('option', each.display_name)}`", _option(t, each)) for each in command.parameters]
        parts.append(table((words["option"], words["meaning"]), rows))
    alts = {each: words["picture"].format(name=name, shown=shown[each]) for each in stems if each in shown}
    # What is shown may have brackets, which Markdown would read.
    parts += [
        f'<img loading="lazy" alt="{html.escape(alt)}" src="../{PICTURE_FOLDER}/{each}.webp">'
        for each, alt in alts.items()
    ]
    return "\n\n".join(parts)


def _option(t: Language, option: Any) -> str:
    words = _WORDS[t.code]
    text = t(str(option.description))
    if option.required:
        text += f" ({words['required']})"
    choices: Sequence[Choice[Any]] = option.choices
    if choices:
        text += f" {words['choices']}: " + t.all_of(t(each.name) for each in choices)
    return text


def setting_page(example: Path, code: str) -> SitePage:
    """Return the settings of `.env.example`."""
    words = _WORDS[code]
    found = re.findall(r"^# (\w+)=(.*?)  # (.+)$", example.read_text(encoding="utf-8"), re.MULTILINE)
    parts = [words["settings_text"]]
    for name, default, text in found:
        parts.append(f"## `{name}`")
        parts += [f"{words['default']}: `{default}`"] if default.strip('"') else []
        parts.append(text)
    return SitePage(
        path="hosts/settings.md",
        title=words["settings"],
        description=words["settings_about"],
        body="\n\n".join(parts),
    )


def metric_page(hosting: Path, code: str) -> SitePage:
    """Return the metrics of the table in docs/hosting.md, which a test holds to what the bot tells."""
    words = _WORDS[code]
    lines = [
        line for line in hosting.read_text(encoding="utf-8").splitlines() if line.startswith("| `kiroku_")
    ]
    head = table((words["metric"], words["meaning"]), [])
    body = words["metrics_text"] + "\n\n" + "\n".join([head, *lines])
    return SitePage(
        path="hosts/metrics.md", title=words["metrics"], description=words["metrics_about"], body=body
    )


def endpoint_page(code: str) -> SitePage:
    """Return the endpoints of the specification, as `bot.wire` has them."""
    words = _WORDS[code]
    rows = [
        (
            f"`{each.path}`",
            "<br>".join(
                f"`{one.name}`{'' if one.required else '?'}: {one.meaning}" for one in each.parameters
            )
            or words["no_parameters"],
        )
        for each in ENDPOINTS
    ]
    body = words["endpoints_text"] + "\n\n" + table((words["endpoint"], words["parameters"]), rows)
    return SitePage(
        path="builders/endpoints.md",
        title=words["endpoints"],
        description=words["endpoints_about"],
        body=body,
    )


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
