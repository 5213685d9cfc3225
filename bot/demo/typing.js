// Discord takes what is typed nowhere in particular as the beginning of a message.

document.addEventListener("keydown", (event) => {
  const isText = [...event.key].length === 1 && event.key !== " " && !event.ctrlKey && !event.altKey && !event.metaKey;
  if (!isText || event.target.closest("input, textarea, select, [inert], #modal-root, [role=menu]")) return;
  document.querySelector("#channel-composer-input")?.focus(); // before the key is entered, so that it goes there
});
