// The start of every page's one script: figures, texts, elements, tables. It makes elements and sets their text, never
// markup. A page's own parts follow it inside the same function, and the last of them ends it.
"use strict";
(() => {
  const find = id => document.getElementById(id);
  const data = JSON.parse(find("data").textContent);
  const isWide = matchMedia("(min-width: 44rem)").matches;
  if (isWide)
    document.querySelectorAll("details.wide").forEach(part => { part.open = true; });

  // Figures: whole numbers in signed digits of 32, least first

  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const digit = new Map([...letters].map((letter, value) => [letter, value]));

  function numbers(text) {
    const list = [];
    let value = 0, unit = 1;
    for (const letter of text) {
      const code = digit.get(letter);
      value += (code & 31) * unit;
      unit *= 32;
      if (code > 31) continue;
      list.push(value % 2 ? -(value - 1) / 2 : value / 2);
      value = 0;
      unit = 1;
    }
    return list;
  }

  function pairs(list) {
    const found = [];
    for (let at = 0; at + 1 < list.length; at += 2) found.push([list[at], list[at + 1]]);
    return found;
  }

  // Texts

  const grouped = value => {
    const digits = Math.abs(value).toLocaleString("en-US", {maximumFractionDigits: 1});
    return (value < 0 ? "−" : "") + digits;
  };
  const signed = value => (value > 0 ? "+" : "") + grouped(value);
  const oneDecimal = {minimumFractionDigits: 1, maximumFractionDigits: 1};
  const tenths = value => Math.abs(value).toLocaleString("en-US", oneDecimal);
  function percent(part, whole) {
    if (!whole) return "–";
    const text = tenths(100 * part / whole), sign = part < 0 ? "−" : part > 0 ? "+" : "";
    return (part && text === "0.0" ? "<" + sign + "0.1" : sign + text) + " %";
  }
  function share(part, whole) {
    if (!whole) return "–";
    const text = tenths(100 * part / whole) + " %";
    if (part && text === "0.0 %") return "<0.1 %";
    return part < whole && text === "100.0 %" ? ">99.9 %" : text;
  }

  // Elements

  function make(tag, style, ...children) {
    const element = document.createElement(tag);
    if (style) element.className = style;
    element.append(...children);
    return element;
  }

  function push(style, text, action) {
    const button = make("button", style, text);
    button.type = "button";
    button.addEventListener("click", action);
    return button;
  }

  function drawn(tag, list, ...children) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    list.forEach(([name, value]) => element.setAttribute(name, value));
    element.append(...children);
    return element;
  }

  function picture(...boxes) {
    return drawn("svg", [["width", "100%"], ["height", "12"], ["aria-hidden", "true"]],
      ...boxes.map(([style, left, width]) => drawn("rect",
        [["class", style], ["x", left + "%"], ["width", width], ["height", "12"]])));
  }

  function heads(...names) {
    const row = make("tr");
    names.forEach((name, index) => {
      const head = make("th", index ? "n" : "", name);
      head.scope = "col";
      row.append(head);
    });
    return make("thead", "", row);
  }

  function rowHead(...children) {
    const head = make("th", "", ...children);
    head.scope = "row";
    return head;
  }

  function scrolling(label, content) {
    const box = make("div", "scroll", content);
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", label);
    return box;
  }

  function nameOf(text) {
    const parts = text.split(" "), name = make("span", "api");
    if (parts.length < 3) name.textContent = text;
    else name.append(make("span", "method", parts[0]), " ", make("span", "host", parts[1]), " ",
      make("span", "path", parts.slice(2).join(" ")));
    return name;
  }

  // Tables

  // A button that puts a row with details under its own row, and takes it away.
  function opener(name, row, details) {
    const button = push("open", name, () => {
      const isOpen = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!isOpen));
      if (isOpen) return row.nextSibling.remove();
      const cell = make("td", "", details());
      cell.colSpan = row.cells.length;
      row.after(make("tr", "opened", cell));
    });
    button.setAttribute("aria-expanded", "false");
    return button;
  }

  // A table that sorts, searches and shows more. `values` gives what a column sorts by, null for unknown; an entry has
  // `name`, `lower` and `place`; `told` says how many are shown.
  function listing({table, status, more, first, values, row, told, key, rises = false}) {
    const list = {entries: [], words: [], fits: () => true, show, restart};
    let falling = !rises, shown = first;

    function compare(left, right) {
      const value = values[key], a = value(left), b = value(right);
      if ((a === null) !== (b === null)) return (a === null) - (b === null);
      if (a !== b) return (a < b) === falling ? 1 : -1;
      return left.name < right.name ? -1 : left.name > right.name ? 1 : left.place - right.place;
    }

    function show() {
      const fits = entry => list.words.every(word => entry.lower.includes(word)) && list.fits(entry);
      const fitting = list.entries.filter(fits).sort(compare), count = Math.min(shown, fitting.length);
      table.tBodies[0].replaceChildren(...fitting.slice(0, shown).map(row));
      const whole = fitting.length < list.entries.length ? " that fit, of " + grouped(list.entries.length) : "";
      status.textContent = told(fitting.length && grouped(count) + " of " + grouped(fitting.length) + whole);
      for (const head of table.tHead.rows[0].cells) {
        if (head.dataset.key === key) head.setAttribute("aria-sort", falling ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      }
      more.hidden = count >= fitting.length;
      more.replaceChildren(...[100, Infinity].map(step => push("",
        step === 100 ? "Show 100 more" : "Show all " + grouped(fitting.length), () => { shown += step; show(); })));
    }

    function restart() {
      shown = first;
      show();
    }

    list.search = field => field.addEventListener("input", () => {
      list.words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      restart();
    });
    for (const head of table.tHead.rows[0].cells) {
      if (!head.dataset.key) continue;
      head.replaceChildren(push("sort", head.textContent, () => {
        falling = key === head.dataset.key ? !falling : head.dataset.key !== "name";
        key = head.dataset.key;
        show();
      }));
    }
    return list;
  }
