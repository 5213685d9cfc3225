// The words of the page in its visitor's language: the browser's, or the one that was chosen at the top.

const CHOSEN = "kiroku-language";
const languages = await (await fetch("/words.json")).json();
const wanted = [localStorage.getItem(CHOSEN), ...navigator.languages, "en"];
export const language = wanted.flatMap((each) => [each, each?.split("-")[0]]).find((each) => each in languages);
const { words } = languages[language];

export function t(message, values = {}) {
  return (words[message] ?? message).replace(/\{(\w+)\}/g, (_all, name) => values[name]);
}

function translate(element) {
  for (const name of ["placeholder", "title", "aria-label"]) {
    if (element.hasAttribute(name)) element.setAttribute(name, t(element.getAttribute(name)));
  }
  for (const node of element.childNodes) {
    if (node.nodeType === Node.TEXT_NODE && node.data.trim()) node.data = node.data.replace(/\S.*\S|\S/s, t);
  }
}

document.documentElement.lang = language;
document.querySelectorAll("body *").forEach(translate); // before any script has put in what others wrote

const picker = document.createElement("select");
picker.id = "language-picker";
picker.setAttribute("aria-label", t("Language"));
for (const [code, { name }] of Object.entries(languages)) picker.add(new Option(name, code, false, code === language));
picker.addEventListener("change", () => {
  localStorage.setItem(CHOSEN, picker.value);
  location.reload();
});
const label = document.createElement("label");
label.className = "viewer-control language-control";
label.append(picker);
document.getElementById("toolbar").append(label);
