// A button that lets a day go by: the players of the service play, and clocks are set ahead.

import { act } from "/menus.js";
import { t } from "/words.js";

const place = document.createElement("div");
place.className = "next-day";
const button = document.createElement("button");
button.type = "button";
button.className = "toolbar-button";
button.textContent = t("Next day");
button.addEventListener("click", async () => {
  button.disabled = true;
  try {
    await act({ kind: "next_day" });
  } finally {
    button.disabled = false;
  }
});
place.append(button);
document.getElementById("toolbar").append(place);
