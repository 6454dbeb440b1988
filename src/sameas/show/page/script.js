"use strict";
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const CODES = data.codes;
const COLOURS = 8;
const LIST = 100;       // errors shown at a time
const FIRST = 800;      // words laid out before anything is shown
const BATCH = 2500;     // words laid out at a time after that
const LONG = 300;       // words of a sentence in one piece
const FOUND = 100;      // errors of the corpus shown at a time
const several = data.systems.length > 1;
const headline = data.headline;   // the number of the metric that stands for all: CoNLL, if it is there

// Elements. Text is only ever set as text, so that nothing in a document can become markup.

const byId = (id) => document.getElementById(id);

function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") element.className = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") element.style.cssText = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const percent = (value, digits = 2) => value === null || value === undefined ? "–"
  : (100 * value).toFixed(digits).replace("-", "−").replace(/^−(0\.?0*)$/, "$1");
const signed = (value) => (value > 0 && percent(value) !== "0.00" ? "+" : "") + percent(value);
const counted = (number) => number.toLocaleString("en-US");
const plural = (number, word) => `${counted(number)} ${word}${number === 1 ? "" : "s"}`;
const exact = (value) => value === null || value === undefined ? null : Number((100 * value).toFixed(4));
const code = (kind) => make("span", { class: `code K${kind}`, title: data.kinds[kind] }, CODES[kind]);

function say(text) { byId("say").textContent = text; }

function download(name, rows) {
  const cell = (value) => {
    const text = value === null || value === undefined ? "" : String(value);
    return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  };
  const text = rows.map((row) => row.map(cell).join(",")).join("\n") + "\n";
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = make("a", { href: url, download: `${name}.csv` });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

const csvButton = (name, rows) => make("button",
  { type: "button", class: "csv", id: `csv-${name}`, onclick: () => download(name, rows()) },
  "CSV", make("span", { class: "unseen" }, ` of ${name}`));

// A cell is text, or {text, value, node, class, style, title}: value is for sorting and for CSV.
const valueOf = (cell) => cell !== null && typeof cell === "object"
  ? ("value" in cell ? cell.value : cell.text) : cell;

function tableOf({ name, caption, columns, rows, sort, onsort, csv }) {
  const body = make("tbody");
  const heads = columns.map((column, number) => {
    const head = make("th", { scope: "col", class: column.word ? "word" : null, title: column.title });
    if (onsort) {
      head.append(make("button", { type: "button", onclick: () => {
        const down = sort.column === number ? !sort.down : !column.word && number > 0 && !column.up;
        onsort({ column: number, down });
      } }, column.label));
      if (sort.column === number) head.setAttribute("aria-sort", sort.down ? "descending" : "ascending");
    } else head.append(column.label);
    return head;
  });
  for (const row of rows) {
    body.append(make("tr", {}, ...row.map((cell, number) => {
      const about = cell !== null && typeof cell === "object" ? cell : { text: cell };
      const kind = columns[number].word ? "word " : "";
      const content = about.node ?? (about.text === null ? "–"
        : typeof about.text === "number" ? counted(about.text) : String(about.text));
      return number === 0
        ? make("th", { scope: "row" }, content)
        : make("td", { class: (kind + (about.class ?? "")).trim() || null, style: about.style,
            title: about.title }, content,
            ...[about.small ?? []].flat().map((line) => make("small", {}, line)));
    })));
  }
  const table = make("table", { id: `table-${name}` }, make("caption", {}, caption),
    make("thead", {}, make("tr", {}, ...heads)), body);
  const scroll = make("div", { class: "scroll", tabindex: 0, role: "region",
    "aria-label": caption }, table);
  return make("div", {}, scroll, csvButton(name, csv ?? (() =>
    [columns.map((column) => column.label), ...rows.map((row) => row.map(valueOf))])));
}

// Where we are: everything is in the address, so that any view can be linked to.

const state = { document: null, system: 0, second: -1, error: null, show: "both", metric: headline,
  part: 0, base: 0, by: "mention", sort: null, view: "", kind: -1, label: "", hide: [], only: false };

// In a frame of a notebook the address cannot be changed; then it is only remembered here.
let here = location.hash;

function parse() {
  const given = new URLSearchParams(here.slice(1));
  const index = (names, name, other) => { const found = names.indexOf(name); return found < 0 ? other : found; };
  const named = given.get("document");
  state.document = named === null ? null
    : index(data.documents.map((one) => one.name), named, null);
  state.missing = named !== null && state.document === null ? named : null;
  state.system = index(data.systems, given.get("system"), 0);
  state.second = index(data.systems, given.get("second"), -1);
  if (state.second === state.system) state.second = -1;
  state.error = /^\d+$/.test(given.get("error") ?? "") ? Number(given.get("error")) : null;
  state.show = ["key", "response", "both"].includes(given.get("show")) ? given.get("show") : "both";
  state.metric = index(data.metrics.map(([name]) => name), given.get("metric"), headline);
  state.view = given.get("view") === "errors" ? "errors" : "";
  state.kind = index(data.kinds, given.get("kind"), -1);
  state.by = Object.hasOwn(data.grouped, given.get("by") ?? "") ? given.get("by") : "mention";
  state.label = given.get("label") ?? "";
  const hidden = (given.get("hide") ?? "").split(",");
  state.hide = data.kinds.map((_, kind) => kind).filter((kind) => hidden.includes(CODES[kind]));
  state.only = given.has("only") && state.second >= 0;
}

function address(change = {}) {
  const to = { ...state, ...change };
  const parts = new URLSearchParams();
  if (to.document !== null) parts.set("document", data.documents[to.document].name);
  else if (to.view) {
    parts.set("view", to.view);
    if (to.kind >= 0) parts.set("kind", data.kinds[to.kind]);
    if (to.label) parts.set("label", to.label);
  }
  if (to.by !== "mention") parts.set("by", to.by);
  if (several) parts.set("system", data.systems[to.system]);
  if (to.second >= 0 && to.second !== to.system) parts.set("second", data.systems[to.second]);
  if (to.document !== null) {
    if (to.show !== "both") parts.set("show", to.show);
    if (to.hide.length) parts.set("hide", to.hide.map((kind) => CODES[kind]).join(","));
    if (to.only && to.second >= 0) parts.set("only", "");
    if (to.error !== null) parts.set("error", to.error);
  }
  if (to.metric !== headline) parts.set("metric", data.metrics[to.metric][0]);
  return `#${parts}`;
}

function go(change) { follow(address(change)); }

function follow(to) {
  if (state.view === "errors" && state.document === null && found) remembered.set(here, found());
  if (to !== here) {
    here = to;
    try { history.pushState(null, "", to); } catch { /* in a notebook */ }
  }
  route();
}

function stay(change) {
  Object.assign(state, change);
  here = address();
  try { history.replaceState(null, "", here); } catch { /* in a notebook */ }
}

// Overview

function select(label, id, options, chosen, onchange) {
  return make("label", { class: "pick", for: id }, `${label} `, make("select",
    { id, onchange: (event) => onchange(event.target.selectedIndex) },
    ...options.map((text, number) => make("option", { selected: number === chosen }, text))));
}

function showOverview() {
  byId("overview").replaceChildren(
    ...(state.missing === null ? [] : [make("p", { role: "alert" }, `There is no document ${state.missing || "without a name"}.`)]),
    scoresSection(), ...(several ? [differencesSection()] : []),
    repairsSection(), groupsSection(), linksSection(), documentsSection());
}

function redraw(id, section) {
  const active = document.activeElement?.id;
  byId(id).replaceWith(section);
  if (active && active !== "main") byId(active)?.focus();
}

function scoresSection() {
  const parts = ["F1", "recall", "precision"];
  const best = data.metrics.map((_, metric) =>
    Math.max(...data.scores.map((row) => row[metric][state.part]?.[0] ?? -1)));
  const rows = data.systems.map((system, number) => [
    system,
    ...data.scores[number].map((cells, metric) => {
      const cell = cells[state.part];
      if (!cell) return { text: "–", value: "" };
      return { text: percent(cell[0]), value: exact(cell[0]), small: cell.length > 1
        ? `[${percent(cell[1])}, ${percent(cell[2])}]` : null,
        class: several && cell[0] === best[metric] ? "best" : "" };
    })]);
  return make("section", { id: "scores" }, make("h2", {}, "Scores"),
    make("div", { class: "bar-controls" }, select("Show", "part", parts, state.part, (part) => {
      state.part = part; redraw("scores", scoresSection()); })),
    tableOf({ name: "scores", rows, caption: `${parts[state.part]} in per cent`
      + (data.documents.length > 1 ? ", with the confidence interval" : "")
      + ` over ${plural(data.documents.length, "document")}${several ? "; the best is bold" : ""}`,
      columns: [{ label: "response", word: true }, ...data.metrics.map(([, title]) => ({ label: title }))],
      csv: () => [["response", "metric", ...["f1", "recall", "precision"].flatMap((part) => [part, `${part}_low`, `${part}_high`])],
        ...data.systems.flatMap((system, number) => data.metrics.map(([metric], place) => [system, metric,
          ...data.scores[number][place].flatMap((cell) => [0, 1, 2].map((end) => exact(cell?.[end])))]))] }));
}

function differencesSection() {
  const p = (value) => value === null ? "" : value < 0.0001 ? "p < .0001" : `p = ${value.toFixed(4).replace(/^0/, "")}`;
  const rows = [];
  const all = [["response", "base", "metric", "difference", "low", "high", "p", "better", "alike", "worse"]];
  for (const [new_, base, cells] of data.pairs) {
    if (new_ !== state.base && base !== state.base) continue;
    const sign = base === state.base ? 1 : -1;
    const other = data.systems[base === state.base ? new_ : base];
    rows.push([other, ...cells.map(([value, interval, adjusted, wins, ties, losses], metric) => {
      const [low, high] = interval ? (sign > 0 ? interval : [-interval[1], -interval[0]]) : [null, null];
      all.push([other, data.systems[state.base], data.metrics[metric][0], exact(sign * value), exact(low), exact(high),
        adjusted, ...(sign > 0 ? [wins, ties, losses] : [losses, ties, wins])]);
      const mark = adjusted === null ? "" : adjusted < 0.01 ? "**" : adjusted < 0.05 ? "*" : "";
      return { value: exact(sign * value), node: make("span", {}, signed(sign * value) + mark),
        small: [interval ? `[${signed(low)}, ${signed(high)}]` : "", p(adjusted)].filter(Boolean),
        title: `better in ${sign > 0 ? wins : losses} documents, alike in ${ties}, worse in ${sign > 0 ? losses : wins}` };
    })]);
  }
  return make("section", { id: "differences" }, make("h2", {}, "Is it chance?"),
    make("div", { class: "bar-controls" }, select("Differences from", "base", data.systems, state.base,
      (base) => { state.base = base; redraw("differences", differencesSection()); })),
    tableOf({ name: "differences", rows, caption: "Points more or less, with confidence interval and p"
      + (data.pairs.length > 1 ? `, corrected for all ${data.pairs.length} pairs of responses` : "")
      + ": * p < .05, ** p < .01", csv: () => all,
      columns: [{ label: "response", word: true }, ...data.metrics.map(([, title]) => ({ label: title }))] }));
}

function repairsSection() {
  const metric = state.metric, title = data.metrics[metric][1];
  const bars = make("div", { class: "bars" });
  data.systems.forEach((system, number) => {
    const { turn } = data.repairs[number];
    const before = data.scores[number][metric][0][0];
    const gains = turn.map((values, kind) => values[metric] - (kind ? turn[kind - 1][metric] : before));
    // Where a repair lowers the score, the gains of the others add up to more than is missing.
    const whole = Math.max(1, before + gains.reduce((sum, gain) => sum + Math.max(gain, 0), 0));
    const share = (part) => `width:${100 * part / whole}%`;
    const spans = [make("span", { class: "base", style: share(before) }, percent(before, 1))];
    const words = [`${system}: ${percent(before)}`];
    gains.forEach((gain, kind) => {
      if (gain > 0) spans.push(make("span", { class: `K${kind}`, style: share(gain),
        title: `${data.plurals[kind]}: ${signed(gain)}` }, gain / whole > (innerWidth < 700 ? 0.08 : 0.03) ? CODES[kind] : ""));
      words.push(`${data.plurals[kind]} ${signed(gain)}`);
    });
    bars.append(make("div", { class: "name" }, system),
      make("div", { class: "bar", role: "img", "aria-label": words.join(", ") }, ...spans));
  });
  const { errors, alone, turn } = data.repairs[state.system];
  const start = data.scores[state.system][metric][0][0];
  const rows = data.kinds.map((_, kind) => [named(kind), errors[kind],
    { text: signed(alone[kind][metric] - start), value: exact(alone[kind][metric] - start) },
    { text: signed(turn[kind][metric] - (kind ? turn[kind - 1][metric] : start)),
      value: exact(turn[kind][metric] - (kind ? turn[kind - 1][metric] : start)) },
    { text: percent(turn[kind][metric]), value: exact(turn[kind][metric]) }]);
  const columns = [{ label: "errors", word: true }, { label: "number" },
    { label: "alone", title: "the change if only these are repaired" },
    { label: "in turn", title: "the change if these are repaired after all kinds above" },
    { label: title, title: "the score if these and all kinds above are repaired" }];
  return make("section", { id: "repairs" }, make("h2", {}, "What repairs would be worth"),
    make("p", {}, `If all errors of a kind were repaired: the change of ${title} when nothing else is `
      + "repaired (alone), and the score when the kinds are repaired one after another (in turn). "
      + "All of them together give the key."),
    make("div", { class: "bar-controls" }, select("Score", "metric", data.metrics.map(([, name]) => name), metric,
      (chosen) => {
        stay({ metric: chosen });
        redraw("repairs", repairsSection());
        redraw("documents", documentsSection());
      })),
    bars, legend(),
    tableOf({ name: "repairs", rows, columns,
      caption: `${title} of ${data.systems[state.system]}, ${percent(start)}, repaired kind by kind` }));
}

const named = (kind) => ({ node: make("span", {}, code(kind), ` ${data.plurals[kind]}`), value: data.plurals[kind] });

const legend = () => make("ul", { class: "legend" },
  ...data.kinds.map((_, kind) => make("li", {}, code(kind), ` ${data.plurals[kind]}`)));

// What is said of kinds of mentions that the files do not say.
const guesses = () => data.guesses[state.system].map((note) => make("p", { class: "faint" }, `Note: ${note}.`));

function groupsSection() {
  const names = Object.keys(data.grouped);
  const { labels, table } = data.groups[state.system][state.by];
  const most = Math.max(1, ...table.flat());
  const rows = table.map((counts, kind) => {
    const sum = counts.reduce((a, b) => a + b, 0);
    const link = (text, label) => make("a", { class: "count", href:
      address({ view: "errors", kind, label: label ?? "", by: state.by }) }, String(text));
    return [named(kind),
      ...counts.map((count, number) => ({ value: count, class: "heat", style: `--h:${(0.45 * count / most).toFixed(3)}`,
        node: count ? link(counted(count), labels[number]) : "0" })),
      { value: sum, node: sum ? link(counted(sum)) : "0" }];
  });
  return make("section", { id: "groups" }, make("h2", {}, "Kinds of errors", several ? ` of ${data.systems[state.system]}` : ""),
    make("p", {}, "Each number leads to the errors it counts."),
    make("div", { class: "bar-controls" }, select("By", "by", Object.values(data.grouped), names.indexOf(state.by),
      (chosen) => { stay({ by: names[chosen] }); redraw("groups", groupsSection()); })),
    tableOf({ name: "errors-by-kind", rows, caption: `Errors by kind and ${data.grouped[state.by]}`,
      columns: [{ label: "errors", word: true }, ...labels.map((label) => ({ label })), { label: "all" }] }),
    ...(["mention", "other"].includes(state.by) ? guesses() : []));
}

function linksSection() {
  const tables = [["key", "missing", "Links of the key that the response lacks"],
    ["response", "wrong", "Links of the response that the key lacks"]].map(([side, word, caption]) => {
    const cells = data.links[state.system][side];
    const rank = (name) => data.mentions.indexOf(name);
    const names = (place) => [...new Set(cells.map((cell) => cell[place]))].sort((a, b) => rank(a) - rank(b));
    const across = names(1);
    const rows = names(0).map((anaphor) => [anaphor, ...across.map((other) => {
      const found = cells.find((cell) => cell[0] === anaphor && cell[1] === other);
      if (!found) return { text: "–", value: "" };
      const [, , total, bad] = found;
      return { text: `${counted(bad)} of ${counted(total)}`, value: bad, small: `${(100 * bad / total).toFixed(0)} %`,
        class: "heat", style: `--h:${(0.45 * bad / total).toFixed(3)}` };
    })]);
    return tableOf({ name: `links-${word}`, rows, caption, csv: () => [["anaphor", "antecedent", "links", word], ...cells],
      columns: [{ label: "from ↓ back to →", word: true }, ...across.map((label) => ({ label }))] });
  });
  return make("section", { id: "links" }, make("h2", {}, "Links", several ? ` of ${data.systems[state.system]}` : ""),
    make("p", {}, "Entities as chains: each mention is linked back to one before it (Martschat & Strube "
      + "2014). There are as many missing and wrong links as MUC counts."),
    ...tables, ...guesses());
}

function documentsSection() {
  const s = state.system, t = state.second;
  const columns = [{ label: "document", word: true }, { label: "words" }, { label: "key mentions" },
    { label: "errors" }, ...data.metrics.map(([, title]) => ({ label: title, up: true }))];
  if (t >= 0) columns.push({ label: `${data.metrics[state.metric][1]}, ${data.systems[t]}`, up: true },
    { label: "difference", up: true });
  const rows = data.documents.map((one, number) => {
    const sum = one.errors[s].reduce((a, b) => a + b, 0);
    const row = [{ value: one.name, node: make("a", { href: address({ document: number, error: null }) }, ...breakable(titleOf(number))) },
      one.words, one.mentions, sum,
      ...one.scores[s].map((value) => ({ text: percent(value), value: exact(value) }))];
    if (t >= 0) {
      const there = one.scores[t][state.metric], here = one.scores[s][state.metric];
      const known = there !== null && here !== null;
      row.push({ text: percent(there), value: exact(there) },
        { text: known ? signed(here - there) : "–", value: known ? exact(here - there) : null });
    }
    row.number = number;
    return row;
  });
  const worst = { column: 4 + headline, down: false };
  const sort = state.sort && state.sort.column < columns.length ? state.sort : worst;
  rows.sort((a, b) => {
    const [x, y] = [valueOf(a[sort.column]), valueOf(b[sort.column])];
    if (x === null || y === null) return (x === null) - (y === null);
    const order = typeof x === "string" ? x.localeCompare(y) : x - y;
    return sort.down ? -order : order;
  });
  order = { system: s, documents: rows.map((row) => row.number) };
  const wanted = (state.filter ?? "").toLowerCase();
  const shown = rows.filter((row) => row[0].value.toLowerCase().includes(wanted));
  const table = tableOf({ name: "documents", rows: shown, columns, sort, onsort: (chosen) => {
    state.sort = chosen;
    redraw("documents", documentsSection());
    byId("documents").querySelectorAll("th button")[chosen.column].focus();
    say(`sorted by ${columns[chosen.column].label}, ${chosen.down ? "descending" : "ascending"}`);
  }, caption: `${plural(shown.length, "document")}, scores of ${data.systems[s]} in per cent` });
  return make("section", { id: "documents" }, make("h2", {}, "Documents"),
    make("div", { class: "bar-controls" }, make("label", { class: "pick" }, "Name contains ",
      make("input", { type: "search", id: "filter", value: state.filter ?? "", oninput: (event) => {
        state.filter = event.target.value;
        redraw("documents", documentsSection());
        const field = byId("filter");
        field.setSelectionRange(field.value.length, field.value.length);
      } }))), table);
}

const titleOf = (number) => data.documents[number].name || "(no name)";

// A name that may be broken after the signs that part its words.
const breakable = (name) => name.split(/(?<=[_/.-])/).flatMap((part) => [part, make("wbr")]).slice(0, -1);

// Documents: their blocks are read when they are asked for.

const loaded = new Map();

function sideOf(block) {
  const side = { first: [], last: [], entity: [], kind: [], ids: block.ids, pieces: block.pieces ?? {},
    labels: block.labels, colour: [], members: block.ids.map(() => []) };
  const flat = block.mentions;
  let first = 0;
  for (let place = 0; place < flat.length; place += 4) {
    first += flat[place];
    side.members[flat[place + 2]].push(side.first.length);
    side.first.push(first);
    side.last.push(first + flat[place + 1]);
    side.entity.push(flat[place + 2]);
    side.kind.push(flat[place + 3]);
  }
  return side;
}

const piecesOf = (side, mention) => side.pieces[mention] ?? [[side.first[mention], side.last[mention]]];

function cover(side, words) {
  // The innermost mention at each word.
  const found = new Int32Array(words).fill(-1);
  const order = side.first.map((_, mention) => mention)
    .sort((a, b) => (side.last[b] - side.first[b]) - (side.last[a] - side.first[a]));
  for (const mention of order) {
    for (const [first, last] of piecesOf(side, mention)) found.fill(mention, first, last + 1);
  }
  return found;
}

function load(number) {
  if (loaded.has(number)) return loaded.get(number);
  const block = JSON.parse(byId(`document-${number}`).textContent);
  const key = sideOf(block.key);
  let colour = 0;
  key.labels = key.ids.map((_, entity) => String(entity + 1));
  key.colour = key.members.map((members) => members.length > 1 ? String(colour++ % COLOURS) : "N");
  const responses = block.responses.map((one) => {
    const side = sideOf(one);
    side.colour = one.main.map((entity) => entity < 0 ? "N" : key.colour[entity]);
    side.written = one.errors;
    return side;
  });
  const found = { words: block.words, starts: block.starts, glued: new Set(block.glued ?? []), key, responses };
  if (loaded.size > 400) loaded.clear();
  loaded.set(number, found);
  return found;
}

function errorsOf(doc, system) {
  const side = doc.responses[system];
  if (side.errors) return side.errors;
  const errors = [];
  side.written.forEach((flat, kind) => {
    let number = flat[0];
    for (let place = 1; place < flat.length;) {
      const count = flat[place++];
      const mentions = flat.slice(place, place + count);
      const other = flat[place + count] - 1;
      const groups = data.combinations[flat[place + count + 1]];
      place += count + 2;
      const [wrong, there] = data.sides[kind].map((name) => name === "key" ? doc.key : side);
      errors.push({ number: number++, kind, mentions, other, groups, wrong, there, first: wrong.first[mentions[0]] });
    }
  });
  errors.sort((a, b) => a.first - b.first || a.kind - b.kind || a.number - b.number);
  side.errors = errors;
  return errors;
}

function joined(doc, first, last) {
  let text = "";
  for (let word = first; word <= last; word++) {
    text += (word > first && !doc.glued.has(word) ? " " : "") + doc.words[word];
  }
  return text;
}

const quoted = (doc, side, mention) =>
  `“${piecesOf(side, mention).map(([first, last]) => joined(doc, first, last)).join(" … ")}”`;

function messageOf(doc, error) {
  const shown = error.mentions.slice(0, 3).map((mention) => quoted(doc, error.wrong, mention));
  const more = error.mentions.length - shown.length;
  const what = shown.join(", ") + (more ? ` and ${more} more` : "");
  const other = error.other < 0 ? "nothing" : quoted(doc, error.there, error.other);
  const dropped = error.groups.at(-1);
  const parts = { what, other, dropped };
  return (dropped === "0" ? data.messages : data.dropped)[error.kind].replace(/\{(what|other|dropped)\}/g, (_, name) => parts[name]);
}

const groupNames = Object.keys(data.grouped);
const groupOf = (error, by) => error.groups[groupNames.indexOf(by)];

function sentenceOf(doc, word) {
  let low = 0, high = doc.starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (doc.starts[middle] <= word) low = middle; else high = middle - 1;
  }
  return low;
}

// All errors of a response, by kind and group

const remembered = new Map();   // of lists that were left: how much was shown, and where one was
let found = null;

function showErrors() {
  const view = byId("errors");
  const system = state.system;
  const rows = [];
  const sums = data.groups[system][state.by];
  for (let number = 0; number < data.documents.length; number++) {
    const doc = load(number);
    for (const error of errorsOf(doc, system)) {
      if (state.kind >= 0 && error.kind !== state.kind) continue;
      if (state.label !== "" && groupOf(error, state.by) !== state.label) continue;
      rows.push([number, doc, error]);
    }
  }
  const list = make("ol", { class: "found" });
  let shown = 0;
  const more = make("button", { type: "button", onclick: () => add() }, "Show more");
  function add() {
    for (const [number, doc, error] of rows.slice(shown, shown + FOUND)) {
      list.append(make("li", {}, code(error.kind), " ", make("a", { href: address({ document: number, error: error.number }) },
        messageOf(doc, error)), make("br"), context(doc, error), make("br"),
        make("small", { class: "faint" }, `${titleOf(number)}, ${groupOf(error, "mention")}`)));
    }
    shown = Math.min(rows.length, shown + FOUND);
    more.hidden = shown >= rows.length;
  }
  do add(); while (shown < (remembered.get(here)?.shown ?? 0) && shown < rows.length);
  found = () => ({ shown, scroll: scrollY });
  const chosen = [state.kind >= 0 ? data.plurals[state.kind] : "all errors",
    state.label !== "" ? `${data.grouped[state.by]}: ${state.label}` : ""].filter(Boolean).join(", ");
  const known = state.label === "" || sums.labels.includes(state.label) ? sums.labels : [...sums.labels, state.label];
  const labels = ["any", ...known];
  const names = Object.keys(data.grouped);
  view.replaceChildren(make("section", {},
    make("p", {}, make("a", { href: address({ view: "" }) }, "← Overview")),
    make("h2", { id: "errors-title" }, several ? `${data.systems[system]}: ` : "", chosen),
    make("div", { class: "bar-controls" },
      select("Kind", "errors-kind", ["all", ...data.kinds], state.kind + 1, (n) => go({ kind: n - 1 })),
      select("By", "errors-by", Object.values(data.grouped), names.indexOf(state.by),
        (n) => go({ by: names[n], label: "" })),
      select("which is", "errors-label", labels, state.label === "" ? 0 : 1 + known.indexOf(state.label),
        (n) => go({ label: n ? labels[n] : "" })),
      csvButton("errors", () => errorRows(rows))),
    make("p", { class: "faint" }, plural(rows.length, "error")), list, more));
}

function context(doc, error) {
  const [first, last] = piecesOf(error.wrong, error.mentions[0])[0];
  const sentence = sentenceOf(doc, first);
  const start = Math.max(doc.starts[sentence], first - 25);
  const end = Math.min((doc.starts[sentence + 1] ?? doc.words.length) - 1, last + 25);
  const space = (word) => doc.glued.has(word) ? "" : " ";
  const before = first > start ? joined(doc, start, first - 1) + space(first) : "";
  const after = last < end ? space(last + 1) + joined(doc, last + 1, end) : "";
  return make("q", {}, start > doc.starts[sentence] ? "… " : "", before, make("mark", {}, joined(doc, first, last)), after,
    end < (doc.starts[sentence + 1] ?? doc.words.length) - 1 ? " …" : "");
}

function errorRows(rows) {
  return [["number", "kind", "document", "sentence", "text", "mention", "mentions", "other_text", "message"],
    ...rows.map(([number, doc, error]) => [error.number, data.kinds[error.kind], data.documents[number].name,
      sentenceOf(doc, error.first) + 1, quoted(doc, error.wrong, error.mentions[0]).slice(1, -1), groupOf(error, "mention"),
      error.mentions.length, error.other < 0 ? "" : quoted(doc, error.there, error.other).slice(1, -1),
      messageOf(doc, error)])];
}

// One document

let page = null;   // what is laid out: {number, doc, lines, next, …}

function showDocument() {
  const number = state.document;
  const doc = load(number);
  const systems = state.second >= 0 ? [state.system, state.second] : [state.system];
  const wanted = `${number} ${systems} ${state.show}`;
  if (page && page.wanted === wanted) { setFilters(); fillList(); choose(state.error, true); return; }
  page = { wanted, number, doc, systems, from: 0, next: 0, blocks: [], shown: [], lit: [], hits: [], hit: -1,
    query: page?.query ?? "", chosen: null };
  page.pieces = piecesOfText(doc);
  page.lines = systems.map((system) => ({ system, words: new Array(doc.words.length), cover: null,
    badges: badgesOf(doc, system) }));
  const view = byId("document");
  const about = data.documents[number];
  const scores = systems.map((system) => `${several ? data.systems[system] + ": " : ""}`
    + `${data.metrics[headline][1]} ${percent(about.scores[system][headline])}`).join(" · ");
  const all = documentOrder(), at = all.indexOf(number);
  const move = (step, label, text) => make("button", { type: "button", id: step < 0 ? "previous-document" : "next-document",
    disabled: all[at + step] === undefined, "aria-label": label,
    onclick: () => go({ document: all[at + step], error: null }) }, text);
  const text = make("div", { class: "text", id: "text" });
  text.addEventListener("mouseover", (event) => point(event.target));
  text.addEventListener("mouseleave", () => { if (page) light([]); });
  text.addEventListener("click", (event) => clicked(event.target));
  view.replaceChildren(
    make("p", {}, make("a", { href: address({ document: null, error: null }) }, "← Overview")),
    make("div", { class: "place" }, make("h2", { id: "document-name" }, titleOf(number)),
      make("span", { class: "faint" }, `${about.words === null ? "" : plural(about.words, "word") + ", "}${plural(about.mentions, "key mention")} · ${scores}`)),
    make("div", { class: "tools bar-controls" },
      make("span", { class: "together" }, move(-1, "Document before", "←"), " document ", move(1, "Next document", "→")),
      make("span", { class: "together" },
        make("button", { type: "button", id: "previous-error", onclick: () => step(-1), "aria-label": "Error before" }, "←"),
        " error ",
        make("button", { type: "button", id: "next-error", onclick: () => step(1), "aria-label": "Next error" }, "→"),
        make("span", { id: "error-count", class: "faint" })),
      make("fieldset", {}, make("legend", {}, "Show"), ...["key", "response", "both"].map((value) =>
        make("label", {}, make("input", { type: "radio", name: "show", id: `show-${value}`, value, checked: state.show === value,
          onchange: () => go({ show: value }) }), ` ${value}`)))),
    make("div", { class: "bar-controls" }, make("label", { class: "pick" }, "Find ", make("input", { type: "search", id: "find", value: page.query,
        oninput: (event) => find(event.target.value),
        onkeydown: (event) => { if (event.key === "Enter") { event.preventDefault(); nextHit(event.shiftKey ? -1 : 1); } } })),
      make("span", { id: "hits", class: "faint" }),
      make("span", { class: "faint" }, "[", make("sub", {}, "1"), " key ]  ‹", make("sub", {}, "1"), " response ›")),
    make("div", { class: "split" }, text, panel()));
  layOut(0);
  fillList();
  if (page.query) find(page.query, state.error === null);
  choose(state.error, true);
  later();
}

let order = null;   // of the documents, as the table of documents shows them

function documentOrder() {
  if (order?.system === state.system) return order.documents;
  return data.documents.map((_, number) => number).sort((a, b) =>
    (data.documents[a].scores[state.system][headline] ?? 2) - (data.documents[b].scores[state.system][headline] ?? 2) || a - b);
}

function badgesOf(doc, system) {
  // The kinds of errors of each mention: of the key where it is missing, else of the response.
  const badges = { key: new Map(), response: new Map() };
  for (const error of errorsOf(doc, system)) {
    const there = badges[error.wrong === doc.key ? "key" : "response"];
    for (const mention of error.mentions) {
      if (!there.has(mention)) there.set(mention, []);
      there.get(mention).push(error);
    }
  }
  return badges;
}

function brackets(doc, line) {
  // What opens before and closes after each word: outer mentions first, the key's before the response's.
  const opens = new Map(), closes = new Map();
  const add = (map, word, one) => { if (map.has(word)) map.get(word).push(one); else map.set(word, [one]); };
  const sides = [["key", doc.key], ["response", doc.responses[line.system]]]
    .filter(([name]) => state.show === "both" || state.show === name);
  for (const [name, side] of sides) {
    side.first.forEach((_, mention) => {
      for (const [first, last] of piecesOf(side, mention)) {
        const one = { name, side, mention, length: last - first, rank: name === "key" ? 0 : 1 };
        add(opens, first, one);
        add(closes, last, one);
      }
    });
  }
  for (const list of opens.values()) list.sort((a, b) => b.length - a.length || a.rank - b.rank);
  for (const list of closes.values()) list.sort((a, b) => a.length - b.length || b.rank - a.rank);
  return { opens, closes };
}

function bracket({ name, side, mention }, opening, line) {
  const entity = side.entity[mention];
  const sign = name === "key" ? "[]" : "‹›";
  const element = make("span", { class: `b ${name} C${side.colour[entity]}`, "data-m": mention, "data-side": name },
    opening ? sign[0] : sign[1]);
  if (opening) {
    element.append(make("sub", {}, side.labels[entity]));
    for (const error of line.badges[name].get(mention) ?? []) element.append(code(error.kind));
    element.tabIndex = -1;
    element.setAttribute("role", "button");
    const wrong = (line.badges[name].get(mention) ?? []).map((error) => data.kinds[error.kind]).join(", ");
    element.setAttribute("aria-label", `${name} entity ${side.labels[entity]}${wrong ? `, ${wrong}` : ""}`);
  } else element.setAttribute("aria-hidden", "true");
  return element;
}

function piecesOfText(doc) {
  // Sentence, first word and end of what is laid out in one piece: long sentences are several.
  const pieces = [];
  doc.starts.forEach((start, sentence) => {
    const end = doc.starts[sentence + 1] ?? doc.words.length;
    for (let from = start; from === start || from < end; from += LONG) {
      pieces.push([sentence, from, Math.min(from + LONG, end)]);
    }
  });
  return pieces;
}

// Whether a sentence is written from right to left, as Hebrew and Arabic are: its first letter says it.
const isFromRight = (words) => /^[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(words.join("").replace(/^\P{L}+/u, ""));

function layOut(until) {
  // Lay out sentences, at least up to word number `until`.
  const { doc } = page;
  if (!page.brackets) page.brackets = page.lines.map((line) => brackets(doc, line));
  const text = byId("text");
  let words = 0;
  const enough = page.next ? BATCH : FIRST;
  const fragment = document.createDocumentFragment();
  while (page.next < page.pieces.length && (words < enough || page.pieces[page.next][1] <= until)) {
    const [number, start, end] = page.pieces[page.next++];
    const begins = start === doc.starts[number];
    const block = make("div", { class: "sentence", id: begins ? `sentence-${number + 1}` : null },
      make("span", { class: "number", "aria-hidden": "true" }, begins ? String(number + 1) : ""));
    const lines = make("div");
    const fromRight = isFromRight(doc.words.slice(start, end));
    page.lines.forEach((line, which) => {
      const { opens, closes } = page.brackets[which];
      const row = make("div", { class: "line", dir: fromRight ? "rtl" : null });
      row.line = line;
      if (page.lines.length > 1) row.append(make("span", { class: "who" }, data.systems[line.system]));
      for (let word = start; word < end; word++) {
        if (word > start && !doc.glued.has(word)) row.append(" ");
        for (const one of opens.get(word) ?? []) row.append(bracket(one, true, line));
        const element = make("span", { class: "w", "data-w": word }, doc.words[word]);
        line.words[word] = element;
        row.append(element);
        for (const one of closes.get(word) ?? []) row.append(bracket(one, false, line));
      }
      lines.append(row);
    });
    block.append(lines);
    fragment.append(block);
    words += (end - start) * page.lines.length;
  }
  text.append(fragment);
}

function later() {
  const mine = page;
  if (page.next >= page.pieces.length) { byId("text").dataset.done = "true"; return; }
  setTimeout(() => {
    if (page !== mine || !byId("text")) return;
    layOut(0);
    if (page.query) mark(page.hits);
    later();
  }, 0);
}

// Highlighting: an entity of the key by a background, of the response by a line below.

function light(what) {
  for (const [element, name] of page.lit) element.classList.remove(name);
  page.lit = [];
  for (const { line, name, side, entity } of what) {
    const style = `lit-${name}`;
    for (const mention of side.members[entity]) {
      for (const [first, last] of piecesOf(side, mention)) {
        for (let word = first; word <= last; word++) {
          const element = line.words[word];
          if (element) { element.classList.add(style); page.lit.push([element, style]); }
        }
      }
    }
  }
  const { doc } = page;
  byId("info").replaceChildren(...what.map(({ name, side, entity, line }) => make("div", {},
    `${name === "key" ? "key" : data.systems[line.system]} entity ${side.labels[entity]} (${side.ids[entity]}), `
    + `${plural(side.members[entity].length, "mention")}: `
    + side.members[entity].slice(0, 6).map((mention) => quoted(doc, side, mention)).join(", ")
    + (side.members[entity].length > 6 ? ", …" : ""))));
}

function pointedAt(target) {
  const element = target.closest?.("[data-m], [data-w]");
  const line = element?.closest(".line")?.line;
  if (!line) return [];
  const { doc } = page;
  const sides = { key: doc.key, response: doc.responses[line.system] };
  if (element.dataset.m !== undefined) {
    const name = element.dataset.side;
    return [{ line, name, side: sides[name], mention: Number(element.dataset.m) }];
  }
  line.cover ??= { key: cover(sides.key, doc.words.length), response: cover(sides.response, doc.words.length) };
  return Object.entries(sides)
    .filter(([name]) => state.show === "both" || state.show === name)
    .map(([name, side]) => ({ line, name, side, mention: line.cover[name][Number(element.dataset.w)] }))
    .filter(({ mention }) => mention >= 0);
}

function point(target) {
  light(pointedAt(target).map((one) => ({ ...one, entity: one.side.entity[one.mention] })));
}

function clicked(target) {
  for (const { line, name, mention } of pointedAt(target)) {
    const errors = line.badges[name].get(mention);
    if (!errors) continue;
    if (line.system !== state.system) {  // the response beside: it comes first now
      go({ system: line.system, second: state.system, error: errors[0].number });
      return;
    }
    const after = errors.findIndex((error) => error === page.chosen) + 1;
    choose(errors[after % errors.length].number, false);
    return;
  }
  point(target);
}

// The list of errors

function panel() {
  const about = data.documents[page.number];
  const boxes = data.kinds.map((kind, number) => make("label", {}, make("input", { type: "checkbox",
    checked: !state.hide.includes(number), "data-kind": number, onchange: (event) => {
      const rest = state.hide.filter((kind) => kind !== number);
      stay({ hide: event.target.checked ? rest : [...rest, number] });
      fillList();
    } }), " ", code(number), ` ${kind} `, make("span", { class: "faint" }, String(about.errors[state.system][number]))));
  return make("aside", { class: "panel", "aria-label": "Errors" },
    make("div", { class: "kinds", role: "group", "aria-label": "Kinds of errors" }, ...boxes),
    state.second < 0 ? null : make("label", {}, make("input", { type: "checkbox", id: "only", checked: state.only,
      onchange: (event) => { stay({ only: event.target.checked }); fillList(); } }),
      ` only errors that ${data.systems[state.second]} does not make`),
    make("p", { class: "bar-controls" },
      csvButton("document-errors", () => errorRows(page.shown.map((error) => [page.number, page.doc, error])))),
    make("ol", { id: "error-list", tabindex: -1 }),
    make("div", { class: "info", id: "info" }));
}

function setFilters() {
  for (const box of byId("document").querySelectorAll("input[data-kind]")) {
    box.checked = !state.hide.includes(Number(box.dataset.kind));
  }
  if (byId("only")) byId("only").checked = state.only;
}

function shownErrors() {
  // The errors that the filters leave; two responses make the same error if it is of one kind and
  // of the same mentions.
  const name = (error) => `${error.kind} ${error.mentions.map((mention) => piecesOf(error.wrong, mention)).join(";")}`;
  const others = state.only && state.second >= 0
    ? new Set(errorsOf(page.doc, state.second).map(name)) : new Set();
  return errorsOf(page.doc, state.system)
    .filter((error) => !state.hide.includes(error.kind) && !others.has(name(error)));
}

function fillList(from = 0, room = LIST) {
  page.shown = shownErrors();
  page.from = from;
  const some = page.shown.slice(from, from + room);
  const turn = (to, id, text) => make("li", {}, make("button", { type: "button", class: "error", id,
    onclick: () => { fillList(Math.max(0, to)); byId("error-list").scrollTop = 0; } }, text));
  const items = some.map((error) => make("li", {},
    make("button", { type: "button", class: "error", "data-n": error.number,
      "aria-current": error === page.chosen ? "true" : null, onclick: () => choose(error.number, false) },
      code(error.kind), ` ${messageOf(page.doc, error)}`, make("small", {}, aboutError(error)))));
  if (from > 0) items.unshift(turn(from - LIST, "fewer-errors", `The ${Math.min(LIST, from)} before`));
  const rest = page.shown.length - from - some.length;
  if (rest > 0) items.push(turn(from + LIST, "more-errors", `The next ${Math.min(LIST, rest)} of ${counted(page.shown.length)}`));
  byId("error-list").replaceChildren(...items);
  count();
}

function aboutError(error) {
  const sentence = data.documents[page.number].words === null ? "" : `sentence ${sentenceOf(page.doc, error.first) + 1}`;
  const head = groupOf(error, "head"), distance = groupOf(error, "distance");
  return [sentence, groupOf(error, "mention"), distance === "–" ? "" : `${distance} sentences apart`,
    head === "–" ? "" : `heads ${head}`].filter(Boolean).join(" · ").replace("1 sentences", "1 sentence")
    .replace(" · 0 sentences apart", " · same sentence");
}

function count() {
  const at = page.shown.indexOf(page.chosen);
  byId("error-count").textContent = at < 0 ? ` of ${page.shown.length}` : ` ${at + 1} of ${page.shown.length}`;
}

function step(by) {
  if (!page || !page.shown.length) return;
  let at = page.shown.indexOf(page.chosen);
  at = at < 0 ? (by > 0 ? 0 : page.shown.length - 1) : (at + by + page.shown.length) % page.shown.length;
  choose(page.shown[at].number, false);
}

function paint(error) {
  for (const [element, name] of page.painted ?? []) element.classList.remove(name);
  page.painted = [];
  if (!error) return;
  const add = (line, side, mention, name) => {
    for (const [first, last] of piecesOf(side, mention)) {
      layOutTo(last);
      for (let word = first; word <= last; word++) {
        line.words[word].classList.add(name);
        page.painted.push([line.words[word], name]);
      }
    }
  };
  const line = page.lines[0];
  if (error.other >= 0) add(line, error.there, error.other, "other");
  for (const mention of error.mentions) add(line, error.wrong, mention, "wrong");
}

function layOutTo(word) {
  if (page.next < page.pieces.length && page.pieces[page.next][1] <= word) layOut(word);
}

function choose(number, quiet) {
  const error = number === null ? null : errorsOf(page.doc, state.system).find((one) => one.number === number) ?? null;
  if (number !== null && !error) say(`there is no error ${number} in this document`);
  page.chosen = error;
  stay({ error: error ? error.number : null });
  if (error && !page.shown.includes(error)) {  // the filters leave it out: they have to go
    stay({ hide: state.hide.filter((kind) => kind !== error.kind), only: false });
    setFilters();
    fillList();
  }
  const at = page.shown.indexOf(error);
  if (error && (at < page.from || at >= page.from + LIST)) fillList(Math.floor(at / LIST) * LIST);
  for (const one of byId("error-list").querySelectorAll('[aria-current="true"]')) one.removeAttribute("aria-current");
  paint(error);
  count();
  if (!error) return;
  const button = byId("error-list").querySelector(`[data-n="${error.number}"]`);
  button.setAttribute("aria-current", "true");
  const list = byId("error-list");
  list.scrollTop += button.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 3;
  page.lines[0].words[error.first].scrollIntoView({ block: "center" });
  if (!quiet) say(`${data.kinds[error.kind]}: ${messageOf(page.doc, error)}`);
}

// Finding words

function find(query, jump = true) {
  page.query = query;
  mark([]);
  page.hits = [];
  page.hit = -1;
  const wanted = query.trim().toLowerCase().split(/\s+/).join(" ");
  if (wanted) {
    const { doc } = page;
    let text = "";
    const starts = doc.words.map((word, number) => {
      if (number && !doc.glued.has(number)) text += " ";
      const start = text.length;
      text += word.toLowerCase();
      return start;
    });
    let word = 0;
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      while (word + 1 < starts.length && starts[word + 1] <= at) word++;
      let last = word;
      while (last + 1 < starts.length && starts[last + 1] < at + wanted.length) last++;
      page.hits.push([word, last]);
    }
    mark(page.hits);
  }
  byId("hits").textContent = wanted ? plural(page.hits.length, "hit") : "";
  if (jump && page.hits.length && page.hits.length < 5000) nextHit(1);
}

function mark(hits) {
  for (const element of page.marked ?? []) element.classList.remove("hit");
  page.marked = [];
  for (const [first, last] of hits) {
    for (let word = first; word <= last; word++) {
      for (const line of page.lines) {
        if (line.words[word]) { line.words[word].classList.add("hit"); page.marked.push(line.words[word]); }
      }
    }
  }
}

function nextHit(by) {
  if (!page?.hits.length) return;
  page.hit = (page.hit + by + page.hits.length) % page.hits.length;
  const word = page.hits[page.hit][0];
  layOutTo(word);
  mark(page.hits);
  page.lines[0].words[word].scrollIntoView({ block: "center" });
  byId("hits").textContent = `${page.hit + 1} of ${page.hits.length}`;
}

// Moving from mention to mention by keyboard

function stepMention(by) {
  const all = [...byId("text").querySelectorAll(".b[role=button]")];
  if (!all.length) return;
  const at = all.indexOf(document.activeElement);
  let to;
  if (at >= 0) to = all[(at + by + all.length) % all.length];
  else to = all.find((one) => one.getBoundingClientRect().top >= 100) ?? all[0];
  to.focus();
  to.scrollIntoView({ block: "nearest" });
  point(to);
  say(byId("info").textContent);
}

// Keys

const KEYS = [
  ["j, k", "next error, error before", () => state.document !== null, { j: () => step(1), k: () => step(-1) }],
  ["m, M", "next mention, mention before; Enter shows its error", () => state.document !== null,
    { m: () => stepMention(1), M: () => stepMention(-1) }],
  ["n, p", "next document, document before (worst first)", () => state.document !== null,
    { n: () => byId("next-document").click(), p: () => byId("previous-document").click() }],
  ["1, 2, 3", "show the key, the response, both", () => state.document !== null,
    { 1: () => go({ show: "key" }), 2: () => go({ show: "response" }), 3: () => go({ show: "both" }) }],
  ["s", "next response", () => several, { s: () => {
    const next = (state.system + 1) % data.systems.length;
    go({ system: next, second: state.second === next ? state.system : state.second, error: null });
  } }],
  ["/", "find words, or documents by name", () => state.view === "",
    { "/": () => byId(state.document === null ? "filter" : "find").focus() }],
  ["o", "overview", () => true, { o: () => go({ document: null, error: null, view: "" }) }],
  ["Esc", "nothing chosen", () => state.document !== null,
    { Escape: () => { choose(null, true); find(""); byId("find").value = ""; light([]); } }],
  ["?", "this list", () => true, { "?": () => byId("help").showModal() }],
];

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  const target = event.target;
  if (target.matches("input[type=search], textarea")) {
    if (event.key === "Escape") {
      if (target.id === "find") { target.value = ""; find(""); }
      target.blur();
    }
    return;
  }
  if (target.matches("select") && event.key.length === 1 && event.key !== "?") return;
  if ((event.key === "Enter" || event.key === " ") && target.matches(".b")) { event.preventDefault(); clicked(target); return; }
  for (const [, , active, actions] of KEYS) {
    if (Object.hasOwn(actions, event.key) && active()) { event.preventDefault(); actions[event.key](); return; }
  }
});

// The frame

function route(first) {
  parse();
  const waiting = state.document !== null || state.view === "errors";
  if (waiting && document.readyState === "loading") {
    document.addEventListener("DOMContentLoaded", () => route(first), { once: true });
    return;
  }
  byId("system").selectedIndex = state.system;
  byId("second").selectedIndex = state.second + 1;
  const shown = state.document !== null ? "document" : state.view === "errors" ? "errors" : "overview";
  const was = ["overview", "errors", "document"].find((id) => !byId(id).hidden);
  const before = page?.number, active = document.activeElement?.id;
  for (const id of ["overview", "errors", "document"]) byId(id).hidden = id !== shown;
  if (shown === "document") showDocument();
  else { page = null; if (shown === "errors") showErrors(); else showOverview(); }
  const title = shown === "document" ? titleOf(state.document) : shown === "errors" ? "errors" : data.title;
  document.title = title ? `${title} – sameas report` : "sameas report";
  if (first === true) return;
  if (was !== shown) byId("main").focus({ preventScroll: true });
  else if (active && document.activeElement?.id !== active) byId(active)?.focus({ preventScroll: true });
  if (shown === "errors" && remembered.has(here)) scrollTo(0, remembered.get(here).scroll);
  else if (state.error === null && (was !== shown || (page && page.number !== before))) scrollTo(0, 0);
}

function frame() {
  byId("what").textContent = data.title ? ` ${data.title}` : "";
  byId("home").addEventListener("click", (event) => { event.preventDefault(); go({ document: null, error: null, view: "" }); });
  byId("skip").addEventListener("click", (event) => { event.preventDefault(); byId("main").focus(); });
  byId("system").append(...data.systems.map((name) => make("option", {}, name)));
  byId("second").append(make("option", {}, "none"), ...data.systems.map((name) => make("option", {}, name)));
  byId("system-label").hidden = byId("second-label").hidden = !several;
  byId("system").addEventListener("change", (event) => go({ system: event.target.selectedIndex, error: null }));
  byId("second").addEventListener("change", (event) => go({ second: event.target.selectedIndex - 1 }));
  byId("theme").addEventListener("change", (event) => {
    if (event.target.value) document.documentElement.dataset.theme = event.target.value;
    else delete document.documentElement.dataset.theme;
  });
  byId("help-button").addEventListener("click", () => byId("help").showModal());
  byId("keys").append(...KEYS.map(([keys, what]) => make("tr", {}, make("th", { scope: "row" }, make("kbd", {}, keys)), make("td", {}, what))));
  byId("foot").append(...(data.notes.length ? [make("strong", {}, "Notes"), make("ul", {}, ...data.notes.map((note) => make("li", {}, note)))] : []),
    make("code", {}, data.signature));
}

window.addEventListener("beforeprint", () => { if (page) fillList(0, Infinity); });
window.addEventListener("afterprint", () => { if (page) fillList(); });

frame();
for (const event of ["hashchange", "popstate"]) {
  window.addEventListener(event, () => { if (here !== location.hash) { here = location.hash; route(); } });
}
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='#']");
  if (!link || link.id || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  follow(link.getAttribute("href"));
});
route(true);
})();
