/// The first half of the page's one script: figures of the file's rows, texts, elements. It makes elements and sets
/// their text, never markup. The policy in the page's head allows both halves together by `pageScriptHash`, which a
/// test computes anew.
let pageScript: StaticString = #"""
    "use strict";
    (() => {
      const find = id => document.getElementById(id);
      const data = JSON.parse(find("data").textContent);
      if (matchMedia("(min-width: 44rem)").matches)
        document.querySelectorAll("details.wide").forEach(part => { part.open = true; });
      const table = find("table");
      if (!table) return;
      const rows = data.rows.split(";"), directions = ["up", "down"];
      const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
      const digit = new Map([...letters].map((letter, value) => [letter, value]));
      const swatches = document.querySelectorAll(".sources .swatch");
      const state = {source: 0, direction: "both", words: [], off: false, key: "absolute", falling: true, shown: 50};

      // Figures

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

      function read(api, source, direction) {
        const text = rows[(api * data.sources.length + source) * 2 + direction];
        if (!text) return null;
        const n = numbers(text);
        const recorded = n[0] - n[1], compared = recorded - n[2], error = n[4];
        const mean = compared ? Math.trunc(error / compared) : 0, p50 = mean + n[11], p90 = p50 + n[12];
        return {
          calls: n[0], messages: n[0], recorded, compared, message: n[3], error, estimate: n[3] + error, wire: n[3] + n[5],
          allMessage: n[3] + n[6], allWire: n[3] + n[5] + n[7], absolute: Math.abs(error) + n[8],
          low: mean + n[9], high: mean + n[10], p50, p90, p99: p90 + n[13], max: p90 + n[13] + n[14],
          causes: pairs(n.slice(16, 16 + 2 * n[15])), unseen: pairs(n.slice(16 + 2 * n[15]))
        };
      }

      const missed = sum => sum.unseen.reduce((total, [, bytes]) => total + Math.abs(bytes), 0);

      function merge(left, right) {
        const total = new Map(left);
        for (const [cause, bytes] of right) total.set(cause, (total.get(cause) || 0) + bytes);
        return [...total];
      }

      function both(up, down) {
        if (!up || !down) return up || down;
        const sum = {causes: merge(up.causes, down.causes), unseen: merge(up.unseen, down.unseen)};
        for (const key of ["calls", "compared"]) sum[key] = Math.max(up[key], down[key]);
        for (const key of ["messages", "recorded", "message", "error", "estimate", "wire", "allMessage", "allWire", "absolute"])
          sum[key] = up[key] + down[key];
        return sum;
      }

      function figures(api, source, direction) {
        if (direction !== "both") return read(api, source, directions.indexOf(direction));
        return both(read(api, source, 0), read(api, source, 1));
      }

      const values = {
        name: entry => entry.lower, calls: entry => entry.calls,
        recorded: ({sum}) => sum && sum.messages ? sum.recorded / sum.messages : null,
        message: ({seen}) => seen && seen.message, estimate: ({seen}) => seen && seen.estimate,
        error: ({seen}) => seen && seen.error,
        percent: ({seen}) => seen && seen.message ? seen.error / seen.message : null,
        absolute: ({seen}) => seen && seen.absolute, missed: ({sum}) => sum && missed(sum),
        each: ({seen}) => seen && seen.absolute / seen.compared, wire: ({seen}) => seen && seen.wire,
        wirePercent: ({seen}) => seen && seen.wire ? (seen.estimate - seen.wire) / seen.wire : null
      };

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
      const side = error => error < 0 ? "n low" : error > 0 ? "n high" : "n";

      // Elements

      function make(tag, style, ...children) {
        const element = document.createElement(tag);
        if (style) element.className = style;
        element.append(...children);
        return element;
      }

      function picture(...boxes) {
        const space = "http://www.w3.org/2000/svg", drawing = document.createElementNS(space, "svg");
        const set = (element, list) => list.forEach(([name, value]) => element.setAttribute(name, value));
        set(drawing, [["width", "100%"], ["height", "12"], ["aria-hidden", "true"]]);
        for (const [style, left, width] of boxes) {
          const box = document.createElementNS(space, "rect");
          set(box, [["class", style], ["x", left + "%"], ["width", width], ["height", "12"]]);
          drawing.append(box);
        }
        return drawing;
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

    """#

/// SHA-256 of both halves in Base64.
let pageScriptHash: StaticString = "AgNMVvxTFVCmJmE5FiBOLK2O3YicKART5CTbVGBIbxk="
