// A right-click in Discord opens commands: on a person those of the person, elsewhere on a message those of the message.

const PARTS = { ".message-interaction-header": "asker", ".message-avatar, .message-author": "author" };
const STEPS = { ArrowDown: 1, ArrowUp: -1 };
const EDGE = 8;

let menu = null;
let focusBefore = null;
let clicks = 0;

export async function act(body) {
  const reply = await fetch("/api/action", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-Simcord-Capability": location.hash.slice(1),
      "X-Simcord-Context": window.simcordPreview.contextId,
    },
    body: JSON.stringify(body),
  });
  return reply.ok ? reply.json() : {};
}

function ask(question) {
  return act({ kind: "menu", ...question });
}

function close() {
  clicks += 1; // a menu that is still being asked for is not wanted any more either
  if (!menu) return;
  const hadFocus = menu.contains(document.activeElement);
  menu.remove();
  menu = null;
  if (hadFocus) focusBefore?.focus({ preventScroll: true });
}

function show(commands, question, x, y) {
  menu = document.createElement("div");
  menu.className = "context-menu";
  menu.setAttribute("role", "menu");
  for (const { name, shown } of commands) {
    const item = document.createElement("button");
    item.type = "button";
    item.tabIndex = -1;
    item.setAttribute("role", "menuitem");
    item.textContent = shown;
    item.addEventListener("click", () => {
      close();
      void ask({ ...question, chosen: name });
    });
    menu.append(item);
  }
  document.body.append(menu);
  menu.style.left = `${Math.max(EDGE, Math.min(x, innerWidth - menu.offsetWidth - EDGE))}px`;
  menu.style.top = `${Math.max(EDGE, Math.min(y, innerHeight - menu.offsetHeight - EDGE))}px`;
  focusBefore = document.activeElement;
  menu.firstElementChild.focus({ preventScroll: true });
}

document.addEventListener("contextmenu", async (event) => {
  close();
  const message = event.target.closest("article.channel-message");
  if (!message) return;
  event.preventDefault();
  const found = Object.entries(PARTS).find(([selector]) => event.target.closest(selector));
  const question = { message_id: message.dataset.messageId, part: found ? found[1] : "message" };
  const click = clicks;
  const { commands } = await ask(question);
  if (click === clicks && commands?.length) show(commands, question, event.clientX, event.clientY);
});

document.addEventListener("keydown", (event) => {
  if (!menu) return;
  const items = [...menu.children];
  const at = items.indexOf(document.activeElement);
  if (event.key in STEPS) items.at((at + STEPS[event.key]) % items.length).focus();
  else if (event.key === "Home") items[0].focus();
  else if (event.key === "End") items.at(-1).focus();
  else if (event.key === "Escape" || event.key === "Tab") close();
  else return;
  event.preventDefault();
  event.stopPropagation();
}, true);

// Not "scroll": answers and their pictures move the messages by themselves, which is no wish of the person.
for (const kind of ["pointerdown", "wheel"]) {
  document.addEventListener(kind, (event) => { if (!menu?.contains(event.target)) close(); }, true);
}
window.addEventListener("resize", close);
