// When the demo has ended, or another one has taken its place: the page says so, and asks no more.

import { t } from "/words.js";

const UNHEARD = 3; // in a row: a laptop that wakes up may miss one
const UNKNOWN = [401, 410]; // answered by a demo that knows nothing of this tab
let missed = 0;

function rest(what, next) {
  document.getElementById("preview-shell").inert = true;
  const notice = document.createElement("section");
  notice.id = "ended";
  notice.setAttribute("role", "alertdialog");
  notice.setAttribute("aria-label", what);
  const said = document.createElement("p");
  said.append(Object.assign(document.createElement("strong"), { textContent: what }), document.createElement("br"), next);
  const again = Object.assign(document.createElement("button"), { type: "button", textContent: t("Load the page anew") });
  again.addEventListener("click", () => location.reload());
  notice.append(said, again);
  document.body.append(notice);
  again.focus();
}

document.addEventListener("heard", () => { missed = 0; });
document.addEventListener("unheard", (event) => {
  const isUnknown = UNKNOWN.includes(event.detail?.status);
  missed += 1;
  if (!isUnknown && missed < UNHEARD) return;
  event.preventDefault();
  if (document.getElementById("ended")) return;
  if (isUnknown) rest(t("This tab is out of date."), t("The demo was started anew, or many other tabs were opened."));
  else rest(t("The demo has ended."), t("Start it again in its terminal with {command}, then load the page anew.", { command: "make demo" }));
});
