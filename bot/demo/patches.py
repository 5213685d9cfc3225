"""What the demo changes in the files of simcord's page, text by text; a new simcord that moved one is refused."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from bot.demo.words import IMPORT, WORDS

NAMES: Final = ("words.js", "menus.js", "typing.js", "days.js", "side.js", "end.js")
SCRIPTS: Final = {f"/{name}": Path(__file__).with_name(name) for name in NAMES}
"""The demo's own scripts, by the path under which the page finds them."""

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
# Begin at the newest message, and stay with it until the person scrolls up: also while pictures load, while older
# messages leave the page, and wherever the person was when they used a command themselves.
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
# What is sent while something else is under way waits for its turn, instead of being dropped.
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
# So does what is chosen from a menu below a message, as what is pressed there.
_SELECTS: Final = (
    (
        "if (state.pendingAction || state.blocked) {",
        "if (dropdown.modal && (state.pendingAction || state.blocked)) {",
    ),
)
# The box is free for the next thing as soon as the last was sent, and a command is begun by its name and a space.
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
    # What to suggest is asked as soon as an option is entered, as Discord's clients do, and awaited as something to come.
    (
        'const current = String(field.value || "");\n',
        'const current = String(field.value || "");\n            queryAutocomplete(option, current);\n',
    ),
    (
        'autocomplete.state === "failed" ? "Loading options failed"',
        'autocomplete.state === "loading" ? "Loading options…" : autocomplete.state === "failed" ? "Loading options failed"',
    ),
    # The bot has more commands than that, and Discord lists all.
    ("matches.slice(0, 50).forEach((entry) => {", "matches.forEach((entry) => {"),
    # A list built anew at each message loses a click on it.
    ('if (!draft) { if (mode === "browsing") updateBrowse(); return; }', "if (!draft) return;"),
    # Suggestions that come late must not take the place of what the person turned to meanwhile.
    ("renderPopup(input, `OPTIONS", "if (document.activeElement === input) renderPopup(input, `OPTIONS"),
    # What is chosen from the list of side.js is typed as a person types it, and sent once it could be read.
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
    # Digits would be refused only after they were sent.
    (
        r'valid: typeof raw === "string" && /^\d+$/.test(raw), error: null, wire: raw',
        'valid: Boolean(value.entity), error: "option-choice", wire: raw',
    ),
)
_APP: Final = (
    # What is a secret of simcord's own page is none here: an address typed by hand is as good.
    (
        "const hash =",
        'if (!window.location.hash) window.history.replaceState(null, "", "#demo");\nconst hash =',
    ),
    ("pendingKind: state.pendingAction?.kind || null }", "pendingKind: null }"),
    ('if (state.pendingAction?.kind === "run_command") commandPicker.setPending(); ', ""),
    # What side.js shows and asks for, and whose eyes a tab opens with.
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
    # Whoever asks a demo that has ended is told so by end.js, and asks no more.
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
# A click on the large picture closes it, and its alternative text stands below.
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
# Files stand above what can be pressed below a message, as Discord has them.
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
"""Texts of simcord's page and what stands in their place."""

STYLE_PATH: Final = "/preview.css"
STYLE: Final = Path(__file__).with_name("page.css")
"""Is read after simcord's own."""
CHANGED: Final = frozenset({*PATCHES, *WORDS, STYLE_PATH})
"""What the demo serves otherwise than simcord."""


def patched(path: str, text: str) -> str:
    """Return a file of the page as the demo serves it. Raises: LookupError where simcord changed it."""
    for old, new in (*PATCHES.get(path, ()), *WORDS.get(path, ())):
        if old not in text:
            raise LookupError(path, old)
        text = text.replace(old, new)
    if path in WORDS:
        text = IMPORT + text
    return text + STYLE.read_text(encoding="utf-8") if path == STYLE_PATH else text
