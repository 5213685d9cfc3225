// Beside the chat: its conversations, and a list of things to try, each of them a click.

import { language, t } from "/words.js";

const NARROW = matchMedia("(max-width: 760px)");
const MENU_PLACES = { person: ".message-interaction-header, .message-author", message: ".message-content, .embed-card" };
const seen = new Map();

function make(tag, className, text = "") {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  if (tag === "button") element.type = "button";
  return element;
}

const side = make("aside", "side");
side.id = "side";
side.setAttribute("aria-label", t("Conversations and things to try"));
const conversations = make("nav", "conversations");
conversations.setAttribute("aria-label", t("Conversations"));
const note = make("p", "try-note");
note.setAttribute("role", "status");
const tries = make("div", "tries");
side.append(conversations, make("h2", "side-heading", t("Things to try")), tries, note);
document.getElementById("preview-stage").before(side);

const place = make("div", "side-toggle");
const toggle = make("button", "toolbar-button", t("Try"));
toggle.setAttribute("aria-controls", side.id);
toggle.addEventListener("click", () => open(!document.body.classList.contains("side-open")));
place.append(toggle);
document.querySelector(".preview-brand").after(place);

function open(isOpen) {
  document.body.classList.toggle("side-open", isOpen);
  toggle.setAttribute("aria-expanded", String(isOpen));
}
open(!NARROW.matches);
NARROW.addEventListener("change", () => open(!NARROW.matches));
document.addEventListener("keydown", ({ key }) => { if (key === "Escape" && NARROW.matches) open(false); });
document.getElementById("preview-stage").addEventListener("pointerdown", () => { if (NARROW.matches) open(false); });

document.addEventListener("snapshot", ({ detail: { conversations: listed, channel, viewerId } }) => {
  conversations.replaceChildren(...listed.map(({ id, name, direct, newest }) => {
    const isCurrent = id === channel.id;
    if (isCurrent) seen.set(id, newest);
    else if (!direct && !seen.has(id)) seen.set(id, newest);
    const isNew = BigInt(newest) > BigInt(seen.get(id) ?? 0);
    const button = make("button", "conversation", direct ? t("Direct messages with {name}", { name }) : `# ${name}`);
    button.setAttribute("aria-current", isCurrent ? "page" : "false");
    button.classList.toggle("is-new", isNew);
    if (isNew) button.append(make("span", "visually-hidden", t("new")));
    button.addEventListener("click", () => {
      document.dispatchEvent(new CustomEvent("conversation", { detail: direct }));
      if (NARROW.matches) open(false);
    });
    return button;
  }));
});

function openMenu(place) {
  const found = [...document.querySelectorAll(MENU_PLACES[place])].at(-1);
  if (!found) return false;
  found.scrollIntoView({ block: "center" });
  const { left, top } = found.getBoundingClientRect();
  found.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true, clientX: left + 8, clientY: top + 8 }));
  return true;
}

function tryOut(asked, item) {
  const event = new CustomEvent("try", { detail: { ...asked } });
  if (!asked.menu) document.dispatchEvent(event);
  const isDone = asked.menu ? openMenu(asked.menu) : event.detail.found;
  note.textContent = isDone ? "" : t("That cannot be used in this conversation.");
  if (!isDone) return;
  item.classList.add("is-tried");
  if (NARROW.matches) open(false);
}

function entry(asked) {
  const item = document.createElement("li");
  const button = make("button", "try");
  button.append(make("span", "try-typed", asked.typed), make("span", "try-about", asked.about));
  button.addEventListener("click", () => tryOut(asked, item));
  item.append(button);
  return item;
}

function group({ heading, tries: entries }, number) {
  const details = document.createElement("details");
  details.open = number === 0;
  const list = document.createElement("ul");
  list.append(...entries.map(entry));
  details.append(make("summary", "", heading), list);
  return details;
}

const groups = await (await fetch(`/tries.json?language=${encodeURIComponent(language)}`)).json();
tries.append(...groups.map(group));
