// When the tab is brought up to date no more: the page says so and why, and goes on by itself once a demo answers.

import { t } from "/words.js";

const UNHEARD = 3; // in a row: a laptop that wakes up may miss one
const UNKNOWN = [401, 410]; // answered by a demo that knows nothing of this tab
const QUIET = 20_000; // milliseconds in which a tab that somebody sees was not brought up to date
const AGAIN = 2_000;
const RELOADED = "kiroku-reloaded";
let missed = 0;
let heardAt = Date.now();

const wait = () => new Promise((done) => { setTimeout(done, AGAIN); });

async function answers() {
  try {
    return (await fetch("/words.json", { cache: "no-store", signal: AbortSignal.timeout(AGAIN) })).ok;
  } catch {
    return false;
  }
}

async function reconnect() {
  // With very many tabs each would put another one out: whoever looks at two at a time has the button.
  if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < 5 * AGAIN) return;
  do await wait(); while (document.visibilityState !== "visible" || !(await answers()));
  sessionStorage.setItem(RELOADED, Date.now());
  location.reload();
}

function rest(what, next) {
  if (document.getElementById("ended")) return;
  document.getElementById("preview-shell").inert = true;
  const notice = document.createElement("section");
  notice.id = "ended";
  notice.setAttribute("role", "alertdialog");
  notice.setAttribute("aria-label", what);
  const said = document.createElement("p");
  said.append(Object.assign(document.createElement("strong"), { textContent: what }), document.createElement("br"), next);
  const again = Object.assign(document.createElement("button"), { type: "button", textContent: t("Reload the page") });
  again.addEventListener("click", () => location.reload());
  notice.append(said, again);
  document.body.append(notice);
  again.focus();
  void reconnect();
}

document.addEventListener("heard", () => {
  missed = 0;
  heardAt = Date.now();
});
document.addEventListener("visibilitychange", () => { heardAt = Date.now(); }); // a tab that nobody sees is rarely brought up to date
document.addEventListener("unheard", (event) => {
  const isUnknown = UNKNOWN.includes(event.detail?.status);
  missed += 1;
  if (!isUnknown && missed < UNHEARD) return;
  event.preventDefault();
  if (isUnknown) rest(t("This tab is out of date."), t("The demo was restarted, or many other tabs were opened."));
  else rest(t("The demo has ended."), t("Start it again in its terminal with {command}: this page then continues by itself.", { command: "make demo" }));
});

let lookedAt = Date.now();
setInterval(() => {
  const slept = Date.now() - lookedAt > 2 * AGAIN; // the whole machine did
  lookedAt = Date.now();
  if (slept) heardAt = lookedAt;
  if (document.visibilityState !== "visible" || Date.now() - heardAt < QUIET) return;
  rest(t("This tab is no longer kept up to date."), t("It connects again as soon as the demo answers."));
}, AGAIN);
