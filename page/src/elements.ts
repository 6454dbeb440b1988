// Elements of the page. Text is never set as HTML, so that no document can insert markup.

export type Child = Node | string | null;
type Handler = (event: Event) => void;
type Property = string | number | boolean | null | undefined | Handler;

export function byId<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  return document.getElementById(id) as Kind;
}

/**
 * Make an element. Properties are attributes, or event handlers if they are named `on…`. Null and
 * false properties are omitted, as are null children.
 */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Record<string, Property> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) setProperty(element, name, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

function setProperty(element: HTMLElement, name: string, value: Property): void {
  if (value === undefined || value === null || value === false) return;
  if (typeof value === "function") element.addEventListener(name.slice(2), value);
  // The policy of the page forbids style attributes, but lets scripts set styles.
  else if (name === "style") element.style.cssText = String(value);
  else element.setAttribute(name, value === true ? "" : String(value));
}

/** Make a select with a label; `choose` is called with the index of the option. */
export function makeSelect(
  label: string,
  id: string,
  options: string[],
  chosen: number,
  choose: (number: number) => void,
): HTMLElement {
  const select = make(
    "select",
    { id, onchange: () => choose(select.selectedIndex) },
    ...options.map((text, number) => make("option", { selected: number === chosen }, text)),
  );
  return make("label", { class: "pick", for: id }, `${label} `, select);
}

/** Make a search field with a label. */
export function makeSearch(
  label: string,
  id: string,
  value: string,
  search: (text: string) => void,
  properties: Record<string, Property> = {},
): HTMLElement {
  const field = make("input", {
    type: "search",
    id,
    value,
    oninput: () => search(field.value),
    ...properties,
  });
  return make("label", { class: "pick" }, `${label} `, field);
}

/** Make a section of the overview. */
export const makeSection = (id: string, title: Child[], ...children: Child[]): HTMLElement =>
  make("section", { id }, make("h2", {}, ...title), ...children);

/** Make a row of fields and buttons. */
export const makeControls = (...children: Child[]): HTMLElement =>
  make("div", { class: "bar-controls" }, ...children);

/** Replace a section with a new one, and keep the focus. */
export function redraw(section: HTMLElement): void {
  const active = document.activeElement?.id;
  byId(section.id).replaceWith(section);
  if (active && active !== "main") document.getElementById(active)?.focus();
}

/** Return the parts of a name, with line breaks allowed after separators. */
export const breakable = (name: string): Child[] =>
  name
    .split(/(?<=[_/.-])/)
    .flatMap((part) => [part, make("wbr")])
    .slice(0, -1);

/** Announce a text to users of screen readers. */
export function announce(text: string): void {
  byId("announcement").textContent = text;
}
