// The frame of the page, and the routing to its views.

import { follow, followBrowser, go, onMove, place, readAddress, type View } from "./address";
import { data, several, titleOf, worded } from "./data";
import { showDocument } from "./document/document";
import { fillList } from "./document/list";
import { opened, setOpened } from "./document/opened";
import { byId, make } from "./elements";
import { leaveErrorList, returnToErrorList, showErrorList } from "./errorlist";
import { goToOverview, makeKeyRows, pressKey, showHelp } from "./keyboard";
import { showOverview } from "./overview/overview";

const VIEWS: View[] = ["overview", "errors", "document"];

/** Show the view that the address names. */
function route(first: boolean): void {
  readAddress();
  // The blocks of documents come after the script.
  if (place.view !== "overview" && document.readyState === "loading") {
    document.addEventListener("DOMContentLoaded", () => route(first), { once: true });
    return;
  }
  byId<HTMLSelectElement>("system").selectedIndex = place.system;
  byId<HTMLSelectElement>("second").selectedIndex = place.second === null ? 0 : place.second + 1;
  const before = { view: VIEWS.find((view) => !byId(view).hidden), document: opened?.number };
  const active = document.activeElement?.id;
  show();
  if (first) return;
  const moved = before.view !== place.view;
  if (moved) byId("main").focus({ preventScroll: true });
  else if (active && document.activeElement?.id !== active) {
    document.getElementById(active)?.focus({ preventScroll: true });
  }
  if (place.view === "errors" && returnToErrorList()) return;
  if (place.error === null && (moved || (opened && opened.number !== before.document)))
    scrollTo(0, 0);
}

/** Fill the view, hide the others, and set the title. */
function show(): void {
  for (const view of VIEWS) byId(view).hidden = view !== place.view;
  let title = data.title;
  if (place.document !== null) {
    showDocument(place.document);
    title = titleOf(place.document);
  } else {
    setOpened(null);
    if (place.view === "errors") {
      showErrorList();
      title = "errors";
    } else showOverview();
  }
  document.title = title ? `${title} – sameas report` : "sameas report";
}

function leave(): void {
  if (place.view === "errors") leaveErrorList();
}

/** Fill the parts of the page outside the views. */
function makeFrame(): void {
  byId("what").textContent = data.title ? ` ${data.title}` : "";
  byId("system-label").hidden = byId("second-label").hidden = !several;
  for (const id of ["system-label", "second-label"]) {
    const text = byId(id).firstChild!;
    text.textContent = worded(text.textContent!);
  }
  const options = () =>
    data.labels.map((label, system) => make("option", { title: data.systems[system] }, label));
  const [system, second] = ["system", "second"].map((id) => byId<HTMLSelectElement>(id));
  system.append(...options());
  second.append(make("option", {}, "none"), ...options());
  system.addEventListener("change", () => go({ system: system.selectedIndex, error: null }));
  second.addEventListener("change", () =>
    go({ second: second.selectedIndex ? second.selectedIndex - 1 : null }),
  );
  const theme = byId<HTMLSelectElement>("theme");
  theme.addEventListener("change", () => setTheme(theme.value));
  onClick("home", goToOverview);
  onClick("skip", () => byId("main").focus());
  onClick("help-button", showHelp);
  byId("keys").append(...makeKeyRows());
  if (data.notes.length) {
    const notes = data.notes.map((note) => make("li", {}, note));
    byId("foot").append(make("strong", {}, "Notes"), make("ul", {}, ...notes));
  }
  byId("foot").append(make("code", {}, data.signature));
}

function onClick(id: string, act: () => void): void {
  byId(id).addEventListener("click", (event) => {
    event.preventDefault();
    act();
  });
}

function setTheme(theme: string): void {
  const { dataset } = document.documentElement;
  if (theme) dataset["theme"] = theme;
  else delete dataset["theme"];
}

/** Follow links within the page, unless they are to be opened in another tab or window. */
function followLink(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a[href^='#']") : null;
  if (!link || link.id || event.defaultPrevented) return;
  if (event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  follow(link.getAttribute("href")!);
}

makeFrame();
onMove({ leave, arrive: () => route(false) });
document.addEventListener("keydown", pressKey);
document.addEventListener("click", followLink);
window.addEventListener("hashchange", followBrowser);
window.addEventListener("popstate", followBrowser);
// The list of errors is not divided into pages when it is printed.
window.addEventListener("beforeprint", () => opened && fillList(opened, 0, Infinity));
window.addEventListener("afterprint", () => opened && fillList(opened));
route(true);
