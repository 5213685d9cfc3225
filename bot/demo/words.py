"""The texts of the demo's page in the visitor's language: those of simcord, and its own.

Texts in simcord's scripts are replaced by calls of `t` in words.js, as in `bot.demo.patches`.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, TypedDict

from bot.ui.language.text import SOURCE, Languages, mark

_PLAIN: Final[Mapping[str, Sequence[str]]] = {
    "/composer.js": (
        mark("Send"),
        mark("Save"),
        mark("Edit message"),
        mark("You can use application commands here"),
        mark("Cancel edit"),
        mark("Cancel reply"),
    ),
    "/messages.js": (
        mark("Only you can see this"),
        mark("Thinking…"),
        mark(" (edited)"),
        mark("(edited)"),
        mark("Unknown author"),
        mark("Reply"),
        mark("Edit"),
        mark("Delete"),
        mark("Pin"),
        mark("Unpin"),
    ),
    "/commands.js": (
        mark("This field is required."),
        mark("Value length is outside the allowed range."),
        mark("Value is outside the allowed range."),
        mark("Choose an available option."),
        mark("Enter a valid value."),
        mark("Integer is outside the safe range."),
        mark("MEMBERS"),
        mark("ROLES"),
        mark("CHANNELS"),
        mark("OPTIONS"),
        mark("COMMANDS"),
        mark("Application commands"),
        mark("Loading commands"),
        mark("Commands are unavailable"),
        mark("Exit command mode"),
        mark("Loading options…"),
        mark("Loading options failed"),
        mark("No options match"),
        mark("+ options"),
        mark("This command is no longer available. Exit command mode to continue."),
    ),
    "/components.js": (
        mark("Dialog"),
        mark("Close modal"),
        mark("Cancel"),
        mark("Submit"),
    ),
    "/modal.js": (
        mark("This field is required."),
        mark("Choose at least one value."),
        mark("Choose one option."),
        mark("Choose an available option."),
    ),
    "/selects.js": (
        mark("Select an option"),
        mark("Select one or more options"),
        mark("Clear selection"),
        mark("Checking access to saved selections."),
        mark("Search options"),
        mark("Previous"),
        mark("Next"),
        mark("Options unavailable"),
        mark("Loading options"),
        mark("No matching options"),
        mark("No available options"),
        mark("SimCord selection draft actions"),
        mark("SimCord selection draft"),
        mark("Apply"),
        mark("Cancel"),
    ),
    "/select-drafts.js": (
        mark("One or more selected options are no longer available."),
        mark("Wait for the current action to finish before applying."),
    ),
    "/surfaces.js": (mark("Delete this message? This cannot be undone."),),
    "/media.js": (
        mark("Image preview"),
        mark("Zoom image"),
        mark("Fit image"),
        mark("Close image preview"),
        mark("Image; use arrow keys to pan when zoomed"),
        mark("Previous image"),
        mark("Next image"),
        mark("Open original image"),
    ),
    "/connection.js": (
        mark("Action outcome is uncertain; it will not be retried."),
        mark("Connection lost; polling will continue."),
        mark("Connection restored."),
    ),
    "/actions.js": (
        mark("Preview session ended."),
        mark("Action outcome uncertain. It will not be retried."),
        mark("Connection interrupted; trying again…"),
        mark("Action was not completed."),
        mark("Access to this preview is unavailable."),
    ),
    "/app.js": (mark("Preview session is unavailable. Reload the active Preview URL."),),
    "/workbench.js": (mark("Unavailable channel"), mark("No visible messages.")),
}
"""The quoted texts in each script that are translated."""


def _said(message: str, **values: str) -> str:
    """Return the script's call that translates a message, with JavaScript expressions as values."""
    filled = ", ".join(f"{name}: {value}" for name, value in values.items())
    return f't("{message}", {{ {filled} }})'


_FILLED: Final[Mapping[str, Mapping[str, str]]] = {
    "/composer.js": {
        "`${sendLabel} message (Enter)`": _said(mark("{action} message (Enter)"), action="sendLabel"),
        "`Message ${channel.glyph}${channel.name}`": _said(
            mark("Message {channel}"), channel="channel.glyph + channel.name"
        ),
        "`Editing message ${state.editTargetId}`": _said(
            mark("Editing message {number}"), number="state.editTargetId"
        ),
        '`Replying to ${reply.author?.name || "Unknown author"}: ${String(reply.excerpt || "").slice(0, 100)}`': _said(
            mark("Replying to {name}: {text}"),
            name='reply.author?.name || ""',
            text='String(reply.excerpt || "").slice(0, 100)',
        ),
        "`Replying to message ${state.replyToId}`": _said(
            mark("Replying to message {number}"), number="state.replyToId"
        ),
    },
    "/messages.js": {
        "`Edited ${absoluteTime(message.edited_timestamp, options)}`": _said(
            mark("Edited {time}"), time="absoluteTime(message.edited_timestamp, options)"
        ),
        '`Actions for ${message.author?.name || "message"}`': _said(
            mark("Actions for {name}"), name='message.author?.name || ""'
        ),
        "`Contents of ${filename}`": _said(mark("Contents of {file}"), file="filename"),
        "`Toggle preview of ${filename}`": _said(mark("Toggle preview of {file}"), file="filename"),
        'header.append(document.createTextNode(invoker ? `${invoker} used ` : "Used "));': "",
        'const name = interaction.name || "an application command";': (
            'const name = interaction.name || "";\n  const [before, after] = '
            + _said(mark("{name} used {command}"), name='invoker || ""', command=r'"\n"')
            + r'.split("\n");'
        ),
        'header.append(node("strong", "", command));': 'header.append(before, node("strong", "", command), after);',
        '" · View target message"': '" · " + t("View target message")',
    },
    "/commands.js": {
        "`OPTIONS MATCHING ${current.toUpperCase()}`": _said(
            mark("OPTIONS MATCHING {text}"), text="current.toUpperCase()"
        ),
        "`OPTIONS MATCHING ${field.value.toUpperCase()}`": _said(
            mark("OPTIONS MATCHING {text}"), text="field.value.toUpperCase()"
        ),
        "`OPTIONS MATCHING ${input.value.toUpperCase()}`": _said(
            mark("OPTIONS MATCHING {text}"), text="input.value.toUpperCase()"
        ),
        "`+${optional} optional`": _said(mark("+{count} optional"), count="optional"),
        '`+${remaining} ${displayed.length ? "more" : "options"}`': "displayed.length ? "
        + _said(mark("+{count} more"), count="remaining")
        + " : "
        + _said(mark("+{count} options"), count="remaining"),
        "`Show ${identity.name} commands`": _said(mark("Show {name} commands"), name="identity.name"),
        "`${matches.length} commands`": _said(mark("{count} commands"), count="matches.length"),
        "`Command /${currentDraft().invocation}`": _said(
            mark("Command /{name}"), name="currentDraft().invocation"
        ),
        "`Remove ${option.name} option`": _said(mark("Remove option {name}"), name="option.name"),
        '`${option.name}${option.required ? ", required" : ""}`': "option.required ? "
        + _said(mark("{name}, required"), name="option.name")
        + " : option.name",
        "`${option.name}: ${mention.textContent}; edit`": _said(
            mark("{name}: {value}; edit"), name="option.name", value="mention.textContent"
        ),
        "`${missing.length} required options missing`": _said(
            mark("{count} required options missing"), count="missing.length"
        ),
        "`/${entry.invocation}; ${required.length} required options missing`": "`/${entry.invocation}; ${"
        + _said(mark("{count} required options missing"), count="required.length")
        + "}`",
    },
    "/components.js": {
        '`This form will be submitted to ${modal.application_name || "this application"}. '
        "Do not share passwords or other sensitive information.`": _said(
            mark(
                "This form will be submitted to {name}. Do not share passwords or other sensitive information."
            ),
            name='modal.application_name || ""',
        ),
    },
    "/modal.js": {
        "`Enter at least ${component.min_length} characters.`": _said(
            mark("Enter at least {count} characters."), count="component.min_length"
        ),
        "`Enter no more than ${component.max_length} characters.`": _said(
            mark("Enter no more than {count} characters."), count="component.max_length"
        ),
        "`Choose at least ${minimum} value(s).`": _said(
            mark("Choose at least {count} value(s)."), count="minimum"
        ),
        "`Choose no more than ${maximum} value(s).`": _said(
            mark("Choose no more than {count} value(s)."), count="maximum"
        ),
    },
    "/selects.js": {
        "`${selected.length} selected. Choose ${minimum}–${maximum} options.`": _said(
            mark("{count} selected. Choose from {least} to {most} options."),
            count="selected.length",
            least="minimum",
            most="maximum",
        ),
        "`${entries.length} options on this page`": _said(
            mark("{count} options on this page"), count="entries.length"
        ),
    },
    "/select-drafts.js": {
        '`Choose at least ${minimum} option${minimum === 1 ? "" : "s"}.`': _said(
            mark("Choose at least {count} value(s)."), count="minimum"
        ),
        "`Choose no more than ${maximum} options.`": _said(
            mark("Choose no more than {count} value(s)."), count="maximum"
        ),
    },
    "/media.js": {
        "`${index + 1} of ${items.length}`": _said(
            mark("{number} of {count}"), number="index + 1", count="items.length"
        ),
        '`Open ${label || "image"} in image preview`': _said(mark("Open {file} large"), file='label || ""'),
        "`Download ${label}`": _said(mark("Download {file}"), file="label"),
        '`${label || "Media"} unavailable`': _said(mark("{file} unavailable"), file='label || ""'),
    },
}
"""The texts with values in each script, and their replacements."""

_STATIC: Final = (
    mark("Viewing as"),
    mark("Conversation"),
    mark("Preview viewport"),
    mark("Load earlier messages"),
    mark("No messages in this channel."),
    mark("Newer messages"),
    mark("New messages · jump to latest"),
    mark("Message"),
    mark("offline demo"),
)
"""The texts of the page before its scripts run."""
OWN: Final = (
    mark("Language"),
    mark("Next day"),
    mark("Conversations and things to try"),
    mark("Conversations"),
    mark("Things to try"),
    mark("Try"),
    mark("Direct messages with {name}"),
    mark("new"),
    mark("That cannot be used in this conversation."),
    mark("View target message"),
    mark("The demo has ended."),
    mark("Start it again in its terminal with {command}: this page then continues by itself."),
    mark("This tab is no longer kept up to date."),
    mark("It connects again as soon as the demo answers."),
    mark("This tab is out of date."),
    mark("The demo was restarted, or many other tabs were opened."),
    mark("Reload the page"),
)
"""The texts of the demo's own scripts."""

WORDS: Final[Mapping[str, Sequence[tuple[str, str]]]] = {
    path: (
        *_FILLED.get(path, {}).items(),
        *((f'"{message}"', f't("{message}")') for message in messages),
    )
    for path, messages in _PLAIN.items()
}
"""The texts in each script, and their replacements."""
IMPORT: Final = 'import { t } from "/words.js";\n'
"""The first line of a script with translated texts."""
_CALL: Final = re.compile(r'\bt\("((?:[^"\\]|\\.)*)"')


def said_in(script: str) -> set[str]:
    """Return the messages that a script translates."""
    return set(_CALL.findall(script))


class Spoken(TypedDict):
    """The texts of the page in one language."""

    name: str
    words: dict[str, str]


def dictionary(languages: Languages) -> dict[str, Spoken]:
    """Return for each language its own name and the page's texts in it, by the English texts."""
    patched = [new for replaced in WORDS.values() for _, new in replaced]
    messages = sorted({*_STATIC, *OWN}.union(*map(said_in, patched)))
    return {
        language.code: Spoken(
            name=language.own_name,
            words={message: language(message) for message in messages} if language.code != SOURCE else {},
        )
        for language in languages
    }
