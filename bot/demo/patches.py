"""The demo's text replacements in the files of simcord's page; a new simcord that lacks one of the texts is refused."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from bot.demo.words import IMPORT, WORDS

NAMES: Final = ("words.js", "menus.js", "typing.js", "days.js", "side.js", "end.js")
SCRIPTS: Final = {f"/{name}": Path(__file__).with_name(name) for name in NAMES}
"""The demo's own scripts, by their path on the page."""

_INDEX: Final = (
    ("<title>SimCord Preview</title>", "<title>Kiroku demo</title>"),
    ('aria-label="SimCord preview"', 'aria-label="Kiroku"'),
    (
        '<span class="brand-mark" aria-hidden="true">S</span>',
        '<span class="brand-mark" aria-hidden="true">記</span>',
    ),
    (
        "<strong>SimCord</strong><small>Preview</small>",
        "<strong>Kiroku</strong><small>offline demo</small>",
    ),
    (
        '<script type="module" src="/app.js"></script>',
        "".join(f'<script type="module" src="{path}"></script>' for path in (*SCRIPTS, "/app.js")),
    ),
)
# Start at the newest message, and stay there until the person scrolls up: also while pictures load, while older
# messages leave the page, and wherever the person was when they used a command.
_TIMELINE: Final = (
    (
        "const hasNewTail = previousIds.length > 0 && ids.some(",
        "const newTail = previousIds.length === 0 ? [] : ids.filter(",
    ),
    (
        "BigInt(id) > BigInt(lastPrevious));",
        """BigInt(id) > BigInt(lastPrevious));
    const hasNewTail = newTail.length > 0;
    const isOwn = ({ ephemeral, author, interaction_header: header }) =>
      ephemeral || [author?.id, header?.user?.id].includes(snapshot.viewerId);
    const hasTurned = state.generation !== snapshot.context.generation;
    state.generation = snapshot.context.generation;
    if (!hasTurned && newTail.some((id) => isOwn(snapshot.messages[id]))) state.scrollIntent = { policy: "bottom" };""",
    ),
    ("state.scrollIntent || captureScrollIntent();", 'state.scrollIntent || { policy: "bottom" };'),
    (
        'policy === "target") return;\n    state.scrollIntent = captureScrollIntent();',
        """policy === "target") return;
    const { scrollTop, scrollHeight } = ui.timeline;
    const isUp = scrollTop < state.lastTop && scrollHeight === state.lastHeight; // else the messages moved, not the person
    Object.assign(state, { lastTop: scrollTop, lastHeight: scrollHeight });
    if (isUp || state.scrollIntent?.policy !== "bottom") state.scrollIntent = captureScrollIntent();""",
    ),
    (
        'policy !== "target") state.scrollIntent = captureScrollIntent();\n    },\n    ready',
        'policy === "anchor") state.scrollIntent = captureScrollIntent();\n    },\n    ready',
    ),
)
# Actions sent while another is pending wait for their turn, instead of being dropped.
_ACTIONS: Final = (
    (
        "  let pages = {};\n",
        """  let pages = {};
  const PATIENT = ["run_command", "send_message", "edit_message", "modal_submit", "click", "select"];
  const waiting = [];
""",
    ),
    (
        "  function drain() {\n",
        """  function drain() {
    if (waiting.length && !admissionBlocked() && !context.closed) { void perform(...waiting.shift()); return; }
""",
    ),
    (
        'if (pending || (uncertain && kind !== "close")) {',
        """if (PATIENT.includes(kind) && (waiting.length || admissionBlocked())) {
      waiting.push([kind, extra, null, metadata]); drain(); return;
    }
    if (pending || (uncertain && kind !== "close")) {""",
    ),
)
# So do choices from a menu below a message, like presses of buttons there.
_SELECTS: Final = (
    (
        "if (state.pendingAction || state.blocked) {",
        "if (dropdown.modal && (state.pendingAction || state.blocked)) {",
    ),
)
# The input is free again as soon as the last action was sent, and a command's name followed by a space selects it.
_COMMANDS: Final = (
    (
        '    mode = "pending";\n    clearPopup();\n    renderCompose();\n    /** @type {Record<string, File>} */',
        "    /** @type {Record<string, File>} */",
    ),
    (
        "draftId: currentDraft().id, draftVersion: currentDraft().version,\n    });\n  }",
        """draftId: currentDraft().id, draftVersion: currentDraft().version,
    });
    const sent = { draftId: currentDraft().id, draftVersion: currentDraft().version };
    receiveAction("run_command", { settlement: "settled", rejected: false }, null, sent);
    input.focus();
  }""",
    ),
    (
        "    query = value.slice(1);\n",
        """    query = value.slice(1);
    for (const entry of catalog?.entries || []) {
      const name = namesOf(entry).find((each) => query.startsWith(`${each} `));
      if (!name || query === entry.invocation || !entry.options.some((option) => option.required)) continue;
      select(entry);
      drafts.value(currentDraft().focused, { raw: query.slice(name.length + 1) });
      renderCompose({ focus: true });
      return;
    }
""",
    ),
    (
        "  function updateBrowse() {\n",
        """  function namesOf({ path, invocation }) {
    const name = path.join(" ");
    return invocation === name ? [name] : [name, invocation.slice(name.length + 1)]; // as the person's language has it
  }
  function updateBrowse() {
""",
    ),
    # Suggestions are requested as soon as an option is entered, as in Discord's clients, and shown as loading.
    (
        'const current = String(field.value || "");\n',
        'const current = String(field.value || "");\n            queryAutocomplete(option, current);\n',
    ),
    (
        'autocomplete.state === "failed" ? "Loading options failed"',
        'autocomplete.state === "loading" ? "Loading options…" : autocomplete.state === "failed" ? "Loading options failed"',
    ),
    # The bot has more than 50 commands, and Discord lists all.
    ("matches.slice(0, 50).forEach((entry) => {", "matches.forEach((entry) => {"),
    # A list that is rebuilt at each message loses clicks.
    ('if (!draft) { if (mode === "browsing") updateBrowse(); return; }', "if (!draft) return;"),
    # Late suggestions must not replace what the person has turned to meanwhile.
    ("renderPopup(input, `OPTIONS", "if (document.activeElement === input) renderPopup(input, `OPTIONS"),
    # A choice from the list of side.js is typed as by a person, and sent after enough time to read it.
    (
        "  function setPending() {",
        """  function tryOut({ name, values, sends }) {
    const entry = canOpen() && catalog?.entries.find(({ path }) => path.join(" ") === name);
    if (!entry) return false;
    select(entry);
    for (const option of entry.options.filter((each) => each.name in values)) {
      const value = values[option.name];
      if (!option.required) drafts.add(option.name);
      drafts.value(option.name, value.id ? { raw: value.id, entity: value } : { raw: value });
    }
    drafts.focus(sends ? null : entry.options.find((option) => option.required && !valueExists(option))?.name ?? null);
    renderCompose({ focus: true });
    const typed = currentDraft().id;
    if (sends) setTimeout(() => { if (draft?.id === typed) validateAndRun(); }, 500);
    return true;
  }
  document.addEventListener("try", ({ detail }) => { detail.found = tryOut(detail); });
  function setPending() {""",
    ),
    # Refuses digits, which would otherwise be refused only after sending.
    (
        r'valid: typeof raw === "string" && /^\d+$/.test(raw), error: null, wire: raw',
        'valid: Boolean(value.entity), error: "option-choice", wire: raw',
    ),
)
_APP: Final = (
    # The part of the address that is a secret in simcord's own page is not one here: it may be left out.
    (
        "const hash =",
        'if (!window.location.hash) window.history.replaceState(null, "", "#demo");\nconst hash =',
    ),
    ("pendingKind: state.pendingAction?.kind || null }", "pendingKind: null }"),
    ('if (state.pendingAction?.kind === "run_command") commandPicker.setPending(); ', ""),
    # The data for side.js, and the viewer with whom a tab opens.
    (
        "  state.viewerId = nextViewer;\n",
        """  state.viewerId = nextViewer;
  sessionStorage.setItem("kiroku-viewer", nextViewer);
  document.dispatchEvent(new CustomEvent("snapshot", { detail: snapshot }));
""",
    ),
    (
        'ui.viewer.addEventListener("change",',
        """document.addEventListener("conversation", ({ detail }) =>
  dispatch("viewer", { viewer_id: ui.viewer.value, direct: detail }));
ui.viewer.addEventListener("change",""",
    ),
    (
        'request("/api/pages", "POST", {}, null)',
        'request("/api/pages", "POST", { viewer_id: sessionStorage.getItem("kiroku-viewer") ?? document.documentElement.lang }, null)',
    ),
    # If the demo has ended, end.js says so, and the page stops sending requests.
    (
        """    else noteTransportFailure("state-poll-unavailable");
  },
""",
        """    else noteTransportFailure("state-poll-unavailable");
    if (!document.dispatchEvent(new CustomEvent("unheard", { cancelable: true, detail: error }))) session.stop();
  },
""",
    ),
    (
        "  tick: () => {\n",
        """  tick: () => {
    document.dispatchEvent(new Event("heard"));
""",
    ),
)
_COMPOSER: Final = (
    ("sendButton.disabled = Boolean(state.pendingAction) || ", "sendButton.disabled = "),
    (
        """      onDispatch("send_message", {
        target_id: state.targetId,
        content,
        reply_to_id: state.replyToId,
      });""",
        """      const reply_to_id = state.replyToId;
      state.replyToId = null;
      setValue("");
      onInput();
      modeChanged();
      onDispatch("send_message", { target_id: state.targetId, content, reply_to_id });""",
    ),
)
# A click on the large picture closes it, and its alternative text is shown below.
_MEDIA: Final = (
    ("event.target === frame || event.target === canvas", "[frame, canvas, image].includes(event.target)"),
    (
        "  dialog.append(heading, frame, previous, next, position);\n",
        """  const caption = node("p", "media-lightbox-caption");
  dialog.append(heading, frame, previous, next, position, caption);
""",
    ),
    (
        "    image.alt = item.label;\n",
        """    image.alt = item.label;
    caption.textContent = item.media.description || "";
    caption.hidden = !caption.textContent;
""",
    ),
)
# Files are shown above a message's components, as in Discord.
_MESSAGES: Final = (
    (
        "      list.append(item);\n    });\n    root.append(list);\n",
        """      list.append(item);
    });
    root.insertBefore(list, root.querySelector(":scope > .message-components"));
""",
    ),
)
PATCHES: Final[Mapping[str, Sequence[tuple[str, str]]]] = {
    "/": _INDEX,
    "/timeline.js": _TIMELINE,
    "/actions.js": _ACTIONS,
    "/select-drafts.js": _SELECTS,
    "/commands.js": _COMMANDS,
    "/app.js": _APP,
    "/composer.js": _COMPOSER,
    "/messages.js": _MESSAGES,
    "/media.js": _MEDIA,
}
"""The replaced texts of simcord's page with their replacements, by file."""

STYLE_PATH: Final = "/preview.css"
STYLE: Final = Path(__file__).with_name("page.css")
"""The style sheet that follows simcord's own."""
CHANGED: Final = frozenset({*PATCHES, *WORDS, STYLE_PATH})
"""The paths of files that the demo changes."""


def patched(path: str, text: str) -> str:
    """Return a file of the page as the demo serves it. Raises: LookupError if simcord has changed it."""
    for old, new in (*PATCHES.get(path, ()), *WORDS.get(path, ())):
        if old not in text:
            raise LookupError(path, old)
        text = text.replace(old, new)
    if path in WORDS:
        text = IMPORT + text
    return text + STYLE.read_text(encoding="utf-8") if path == STYLE_PATH else text
