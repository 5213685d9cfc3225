"""A person in front of the demo's page: types commands, presses buttons, looks."""

import re
from collections.abc import AsyncGenerator, Awaitable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal, Protocol

from playwright.async_api import FloatRect, Locator, Page, Request, Route, expect

CHROMIUM = Path("/usr/bin/chromium")
GALLERY = "KIROKU_GALLERY"
"""The environment variable that names a directory for pictures."""
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
MENU_PLACES = {
    "message": ".message-content, .embed-card",
    "author": ".message-author",
    "avatar": ".message-avatar",
    "asker": ".message-interaction-header",
}
"""Where in a message a right-click may fall; the asker is who used the command that it answers."""
WIDTH, HEIGHT = 1100, 900
PHONE_WIDTH, PHONE_HEIGHT = 390, 844
PHONE = "phone"
"""Of pictures that are kept, the folder of those of a phone."""
ANSWERS = "answers"
"""Of pictures that are kept, the folder of answers alone, each with what it says in a file of words."""
TALL = 2600
"""Pixels: no answer is as high."""
PATIENCE_MILLISECONDS = 30_000
"""Only a failure waits as long; a busy machine needs more than Playwright's five seconds."""
_TYPED = re.compile(r"/((?:[a-z]+)(?: [a-z]+)?)")
_AS_BYTES = "async picture => [...new Uint8Array(await (await fetch(picture.src)).arrayBuffer())]"
_ROOM_BELOW = """(message, name) => {
  const button = [...message.querySelectorAll("button")].find((each) => each.innerText.trim() === name);
  const picture = [...message.querySelectorAll("img")].at(-1);
  return button.getBoundingClientRect().top - picture.getBoundingClientRect().bottom;
}"""
_LABELS = """() => {
  const others = ".message-content, .message-author, .embed-card, .message-components, .message-interaction-header strong,"
    + " .conversation, .try, select option, .channel-header, .preview-brand strong, .command-entry, .command-chip,"
    + " .command-context, .command-app-heading, .command-pill-label, .modal-field, .modal-title, .media-lightbox-caption,"
    + " .media-lightbox-identity, .message-time, .message-app-badge, .command-suggestion";
  const said = [];
  for (const element of document.querySelectorAll("#preview-shell *, dialog *, dialog")) {
    if (element.closest(others) || !element.checkVisibility()) continue;
    for (const name of ["placeholder", "title", "aria-label"]) said.push(element.getAttribute(name) ?? "");
    for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) said.push(node.data.trim());
  }
  return said.filter((each) => each);
}"""


_PICTURES_ARE_THERE = "() => [...document.images].every(image => image.complete && image.naturalWidth)"
_RESTS_AT_END = """async () => {
  const timeline = document.querySelector("#channel-timeline");
  const rest = () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  timeline.scrollTop = timeline.scrollHeight;
  const height = timeline.scrollHeight;
  await rest();
  const fits = [timeline, ...timeline.querySelectorAll(".embed-card")].every(each =>
    each.getBoundingClientRect().right <= innerWidth);
  const isAtEnd = timeline.scrollHeight - timeline.scrollTop - timeline.clientHeight < 2;
  return fits && isAtEnd && timeline.scrollHeight === height;
}"""
"""A window that has become narrow is laid out anew, and its messages are longer then."""


_FAULTS_OF = r"""message => {
  const figure = /(?:(?:OVER[ \u00a0]POWER|JUSTICE|ATTACK|MISS)[ \u00a0])?(?:[≤≥≈±<>+−×#][ \u00a0]?)?\d(?:[\d,.:\/–-]*\d)?(?:[ \u00a0]?%)?/g;
  const texts = new Map();
  const walker = document.createTreeWalker(message, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeType === Node.ELEMENT_NODE && node.nodeName !== "BR") continue;
    let block = node.parentElement;
    if (!block.checkVisibility() || block.closest("pre, select, .message-attachment")) continue;
    while (getComputedStyle(block).display.startsWith("inline")) block = block.parentElement;
    texts.set(block, [...(texts.get(block) ?? []), node]);
  }
  const faults = [];
  for (const nodes of texts.values()) {
    const said = nodes.map(node => node.data ?? "\n"), whole = said.join("");
    const place = (offset, isEnd) => {
      for (const [number, text] of said.entries()) {
        if (offset < text.length || (isEnd && offset === text.length)) return [nodes[number], offset];
        offset -= text.length;
      }
    };
    for (const found of whole.matchAll(figure)) {
      const range = document.createRange();
      range.setStart(...place(found.index, false));
      range.setEnd(...place(found.index + found[0].length, true));
      const middles = [...range.getClientRects()].filter(each => each.width).map(each => each.top + each.height / 2);
      if (Math.max(...middles) - Math.min(...middles) > 8)
        faults.push(`breaks inside: ${whole.slice(Math.max(0, found.index - 30), found.index)}[${found[0]}]`);
    }
  }
  for (const each of [message, ...message.querySelectorAll("*")])
    if (each.checkVisibility() && each.getBoundingClientRect().right > innerWidth + 1) faults.push(`sideways: ${each.className}`);
  if (message.offsetHeight > 2 * innerHeight) faults.push(`high: ${(message.offsetHeight / innerHeight).toFixed(2)} screens`);
  return faults;
}"""
"""What is wrong with a message on a screen as narrow: lines that break inside a figure, what hangs over, too many screens."""


_WORDS_OF = """answer => answer.querySelector(".embed-card, .message-content")?.innerText
  || [...answer.querySelectorAll("img")].at(-1)?.alt || answer.innerText"""


class Chat:
    """One tab of a browser."""

    def __init__(self, page: Page, gallery: Path | None) -> None:
        self._page = page
        self._gallery = gallery
        self.messages = page.locator("article.channel-message")
        self.asked = 0
        """How many requests the page has sent."""
        page.on("request", self._count)
        page.set_default_timeout(PATIENCE_MILLISECONDS)
        expect.set_options(timeout=PATIENCE_MILLISECONDS)

    def _count(self, _request: Request) -> None:
        self.asked += 1

    async def rest(self, milliseconds: float) -> None:
        """Do nothing for a while."""
        await self._page.wait_for_timeout(milliseconds)

    @property
    def ended(self) -> Locator:
        """What the page says when the demo behind it has ended."""
        return self._page.get_by_role("alertdialog")

    async def open(self, url: str) -> None:
        await self._page.goto(url)
        await expect(self.messages.first).to_be_visible()

    @asynccontextmanager
    async def unanswered(self, *paths: str) -> AsyncGenerator[None]:
        """Let what the page asks under these paths have no answer, for a block."""

        async def hang(_route: Route) -> None:
            """Never answer."""

        wanted = re.compile("|".join(map(re.escape, paths)))
        await self._page.route(wanted, hang)
        yield
        await self._page.unroute(wanted, hang)

    async def width_of_chat(self) -> float:
        """Return how wide the chat is laid out, in pixels."""
        return float(await self._page.locator("#preview-app").evaluate("app => app.offsetWidth"))

    async def reload(self) -> None:
        await self._page.reload()
        await expect(self.messages.first).to_be_visible()

    async def next_day(self) -> None:
        """Let a day go by."""
        button = self._page.get_by_role("button", name=re.compile("Next day|翌日へ"))
        await button.click()
        await expect(button).to_be_enabled()

    async def view_as(self, name: str) -> None:
        (chosen,) = await self._page.locator("#viewer-picker").select_option(label=name)
        await self._page.wait_for_function("id => window.simcordPreview.viewerId === id", arg=chosen)

    @property
    def side(self) -> Locator:
        """What stands beside the chat."""
        return self._page.locator("#side")

    async def open_side(self) -> None:
        """Open what stands beside the chat, where the window is too narrow for both."""
        await self._page.locator(".side-toggle button").click()
        await expect(self.side).to_be_visible()

    async def resize(self, width: int) -> None:
        """Make the window that wide."""
        await self._page.set_viewport_size({"width": width, "height": HEIGHT})

    async def turn_to(self, conversation: str) -> None:
        """Turn to the conversation whose name has this in it."""
        button = self.side.locator(".conversation", has_text=conversation)
        await button.click()
        await expect(button).to_have_attribute("aria-current", "page")

    async def try_out(self, typed: str) -> None:
        """Click in the list of things to try on what would be typed."""
        text = self._page.locator(".try-typed", has_text=re.compile(rf"^{re.escape(typed)}$"))
        await self.side.locator("details").filter(has=text).evaluate("group => { group.open = true; }")
        await self.side.locator(".try").filter(has=text).click()

    @property
    def large(self) -> Locator:
        """The picture that is shown large."""
        return self._page.get_by_role("dialog")

    async def speak(self, language: str) -> None:
        """Turn the page to another language."""
        async with self._page.expect_navigation():
            await self._page.locator("#language-picker").select_option(label=language)
        await expect(self.messages.first).to_be_visible()

    async def labels(self) -> list[str]:
        """Return all that the page itself says: neither what people wrote nor what the bot has told it."""
        return await self._page.evaluate(_LABELS)

    async def begin_to_choose(self, command: str) -> None:
        """Type a command and press the mouse on it in the list; `release` lets it go."""
        await self.box.press_sequentially(f"/{command}")
        await self._page.locator(".command-entry").first.hover()
        await self._page.mouse.down()

    async def release(self) -> None:
        await self._page.mouse.up()

    async def begin(self, command: str, *, shown: str | None = None) -> None:
        """Type a command and choose it from the list, where it may be `shown` with a name in another language."""
        await self.box.fill("")
        await self.box.press_sequentially(f"/{command}")
        title = re.compile(rf"^/{re.escape(shown or command)}{'' if shown else '( .+)?'}(\+.+)?$")
        await (
            self._page.locator(".command-entry")
            .filter(has=self._page.locator(".command-entry-title", has_text=title))
            .click()
        )

    async def fill(self, option: str, text: str, choose: str | None = None) -> None:
        """Type into an option of the command; `choose` is the suggestion to take, if it offers some."""
        pill = self._page.locator(f'.command-option-input[data-option="{option}"]')
        if not await pill.count():
            await self.look_for_options()
            await self._suggestion(option).click()
        await pill.press_sequentially(text)
        if choose is not None:
            await self._suggestion(choose).click()

    async def look_for_options(self) -> None:
        """Open the list of the options that are not given yet."""
        await self._page.locator(".command-ghost").click()

    async def suggestions_arrive(self) -> None:
        """Wait until the bot has suggested something for what was typed last."""
        await self._page.wait_for_function(
            "() => window.simcordPreview.commandPicker.autocomplete.state === 'answered'"
        )

    async def open_menu(self, message: Locator, on: str = "message") -> None:
        """Click right on a place in a message."""
        await message.locator(MENU_PLACES[on]).first.click(button="right")
        await expect(self.menu).to_be_visible()

    @property
    def menu(self) -> Locator:
        return self._page.get_by_role("menu")

    async def choose(self, name: str) -> None:
        """Choose from the open menu."""
        await self.menu.get_by_role("menuitem", name=name, exact=True).click()
        await expect(self.menu).to_have_count(0)

    async def press(self, key: str) -> None:
        await self._page.keyboard.press(key)

    async def click_at(self, x: int, y: int, button: Literal["left", "right"] = "left") -> None:
        await self._page.mouse.click(x, y, button=button)

    async def scroll(self, pixels: int) -> None:
        """Turn the wheel over the messages."""
        await self.messages.last.hover()
        await self._page.mouse.wheel(0, pixels)

    async def look_further_back(self) -> None:
        """Ask for the messages before those that are shown."""
        await self._page.locator("#channel-timeline").evaluate("timeline => { timeline.scrollTop = 0; }")
        await self._page.locator("#history-older").click()
        await expect(self._page.locator("#history-newer")).to_be_visible()

    async def type(self, text: str) -> None:
        """Type without a look at where it goes."""
        await self._page.keyboard.type(text)

    @property
    def box(self) -> Locator:
        """Where messages are typed."""
        return self._page.locator("#channel-composer-input")

    @property
    def complaint(self) -> Locator:
        """What the page says of a value that an option does not take."""
        return self._page.locator(".command-error")

    async def give_up(self) -> None:
        """Leave the command that is being typed."""
        await self._page.locator(".command-context-close").click()

    async def say(self, text: str) -> None:
        """Type a message and send it."""
        await self.box.fill(text)
        await self.send()

    async def send(self) -> None:
        await self._page.locator("#send-message").click()

    async def run(self, command: str, **options: str) -> None:
        """Type a command with options, each taken from the suggestions, and send it."""
        await self.begin(command)
        for option, text in options.items():
            await self.fill(option, text, choose=text)
        await self.send()

    async def offered(self) -> set[str]:
        """Return all commands that are listed for whoever types a slash, by the names that are typed."""
        await self.box.fill("/")
        titles = self._page.locator(".command-entry-title")
        await expect(titles.first).to_be_visible()
        found = [_TYPED.match(title) for title in await titles.all_inner_texts()]
        return {title[1] for title in found if title is not None}

    async def newest(self) -> str | None:
        """Return which message is the newest."""
        return await self.messages.last.get_attribute("data-message-id")

    async def answer(self, since: str | None) -> Locator:
        """Wait for a message newer than `since` that is more than the sign that one is coming; return it."""
        answer = self.messages.last
        await expect(answer).not_to_have_attribute("data-message-id", since or "")
        await expect(answer).not_to_contain_text(re.compile("hinking…|考え中…"))
        return answer

    async def held(self, message: Locator) -> Locator:
        """Return a message as itself, whatever comes after it: the newest may be another in a moment."""
        number = await message.get_attribute("data-message-id")
        return self._page.locator(f'article.channel-message[data-message-id="{number}"]')

    @property
    def suggestions(self) -> Locator:
        """What is offered for the option that is being typed."""
        return self._page.locator(".command-popup [role=option]")

    def _suggestion(self, text: str) -> Locator:
        return self.suggestions.filter(has_text=text).first

    async def sees(self, text: str | re.Pattern[str]) -> Locator:
        """Wait for a message that says so, and return the newest that does."""
        found = self.messages.filter(has_text=text).last
        await expect(found).to_be_visible()
        return found

    async def loses(self, text: str) -> None:
        """Wait until no message says so."""
        await expect(self.messages.filter(has_text=text)).to_have_count(0)

    @property
    def form(self) -> Locator:
        return self._page.locator("#modal-root")

    async def is_at_the_end(self) -> bool:
        """Whether the newest message stands wholly above the composer."""
        return await self._page.locator("#channel-timeline").evaluate(
            "timeline => timeline.scrollHeight - timeline.scrollTop - timeline.clientHeight < 2"
        )

    async def picture(self, message: Locator) -> Locator:
        """Wait until the picture of a message is there, and return it."""
        picture = message.locator("img").last
        await expect(picture).to_have_js_property("complete", value=True)
        await expect(picture).not_to_have_js_property("naturalWidth", 0)
        return picture

    async def room_between_picture_and(self, button: str, message: Locator) -> float:
        """Return how far below the picture of a message its button stands, in pixels."""
        await expect(message.get_by_role("button", name=button)).to_be_visible()
        await self.picture(message)
        # Both places are read at one moment, for the page scrolls by itself to keep the newest in sight.
        return float(await message.evaluate(_ROOM_BELOW, button))

    async def drawn(self, message: Locator) -> bytes:
        """Wait until the picture of a message is there, and return the file."""
        return bytes(await (await self.picture(message)).evaluate(_AS_BYTES))

    async def pick(self, message: Locator, choice: str) -> None:
        """Choose from the menu below a message."""
        await message.locator(".select-trigger").click()
        # Below its label an option may say what it means.
        await message.locator(".option-label").get_by_text(choice, exact=True).click()

    async def show_picture(self, message: Locator, name: str) -> None:
        """Wait until the picture of a message is there, and keep it for people as `show` does."""
        picture = await self.picture(message)
        # Playwright's own scrolling fails where the page draws the message anew meanwhile.
        await picture.evaluate("picture => picture.scrollIntoView({ block: 'nearest' })")
        if self._gallery is not None:
            _place(self._gallery, name).write_bytes(await self.drawn(message))
            _tell(self._gallery, name, await picture.get_attribute("alt") or "")

    async def show_answer(self, answer: Locator, name: str) -> None:
        """Keep a picture of an answer alone as a desktop shows it, with its words, where pictures are asked for."""
        if self._gallery is None:
            return
        before = self._page.viewport_size or {"width": WIDTH, "height": HEIGHT}
        await self._page.set_viewport_size({"width": before["width"], "height": TALL})
        await self._page.mouse.move(0, 0)  # what the mouse rests on shows what can be done with it
        await self._page.wait_for_function(_PICTURES_ARE_THERE)
        await self._page.wait_for_function(_RESTS_AT_END)
        place = await answer.bounding_box()
        assert place is not None
        clip: FloatRect = {**place}
        await self._page.screenshot(path=_place(self._gallery / ANSWERS, name), clip=clip)
        _tell(self._gallery, name, await answer.evaluate(_WORDS_OF))
        await self._page.set_viewport_size(before)

    async def show(self, name: str, *, on_phone: bool = False) -> None:
        """Keep a picture of the page for people to look at, where they asked for one, with all that is in it.

        `on_phone`: a second one is of the same page as a phone shows it; an open menu would close.
        """
        if self._gallery is None:
            return
        await self._page.wait_for_function(_PICTURES_ARE_THERE)
        await self._page.screenshot(path=_place(self._gallery, name))
        if not on_phone:
            return
        before = self._page.viewport_size
        await self._page.set_viewport_size({"width": PHONE_WIDTH, "height": PHONE_HEIGHT})
        await self._page.mouse.move(0, 0)  # what the mouse rests on shows what can be done with it
        await self._page.wait_for_function(_RESTS_AT_END)
        await self._page.screenshot(path=_place(self._gallery / PHONE, name))
        if before is not None:
            await self._page.set_viewport_size(before)

    async def faults_on_phone(self, message: Locator) -> list[str]:
        """Return what is wrong with a message as a phone shows it."""
        before = self._page.viewport_size
        await self._page.set_viewport_size({"width": PHONE_WIDTH, "height": PHONE_HEIGHT})
        await self._page.wait_for_function(_RESTS_AT_END)
        faults: list[str] = await message.evaluate(_FAULTS_OF)
        if before is not None:
            await self._page.set_viewport_size(before)
        return faults

    async def pick_theme(self, message: Locator, menu: str, choice: str) -> None:
        """Choose in that menu of several below a message whose choices begin with `menu`."""
        await message.locator(".select-trigger", has_text=f"{menu}: ").click()
        await message.locator(".option-label").get_by_text(f"{menu}: {choice}", exact=True).click()
        await expect(message.locator(".select-trigger", has_text=choice)).to_be_visible()


def _tell(gallery: Path, name: str, words: str) -> None:
    _place(gallery / ANSWERS, name).with_suffix(".txt").write_text(words, encoding="utf-8")


def _place(gallery: Path, name: str) -> Path:
    """Return the file of a picture, in a folder that is there."""
    file = gallery / f"{name}.png"
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


class OpenTab(Protocol):
    """Opens a tab of a browser that speaks a language, in a window of a width."""

    def __call__(self, url: str, *, locale: str = ..., width: int = ...) -> Awaitable[Chat]: ...
