// Filters of the errors of a document: by kind, and by whether a second response makes them too.

import { place, stay } from "../address";
import { data, kindName, shownKinds } from "../data";
import { byId, make } from "../elements";
import { makeCode } from "../errors";
import { nameOf } from "../systems";
import { fillList } from "./list";
import type { Opened } from "./opened";

/** Make a checkbox for each kind, and one for errors that the second response does not make. */
export function makeFilters(opened: Opened): (HTMLElement | null)[] {
  const boxes = shownKinds.map((kind) => makeKindBox(opened, kind));
  return [
    make("div", { class: "kinds", role: "group", "aria-label": "Kinds of errors" }, ...boxes),
    place.second === null ? null : makeOnlyBox(opened, place.second),
  ];
}

function makeKindBox(opened: Opened, kind: number): HTMLElement {
  const box = make("input", {
    type: "checkbox",
    checked: !place.hide.includes(kind),
    "data-kind": kind,
    onchange: () => {
      const others = place.hide.filter((hidden) => hidden !== kind);
      stay({ hide: box.checked ? others : [...others, kind] });
      fillList(opened);
    },
  });
  const count = data.documents[opened.number].errors[place.system][kind];
  const number = make("span", { class: "faint" }, String(count));
  return make("label", {}, box, " ", makeCode(kind), ` ${kindName(kind)} `, number);
}

function makeOnlyBox(opened: Opened, second: number): HTMLElement {
  const box = make("input", {
    type: "checkbox",
    id: "only",
    checked: place.only,
    onchange: () => {
      stay({ only: box.checked });
      fillList(opened);
    },
  });
  return make("label", {}, box, " only errors that ", nameOf(second), " does not make");
}

/** Set the checkboxes to the state of the address. */
export function setFilters(): void {
  for (const box of byId("document").querySelectorAll<HTMLInputElement>("input[data-kind]")) {
    box.checked = !place.hide.includes(Number(box.dataset["kind"]));
  }
  for (const only of byId("document").querySelectorAll<HTMLInputElement>("#only"))
    only.checked = place.only;
}
