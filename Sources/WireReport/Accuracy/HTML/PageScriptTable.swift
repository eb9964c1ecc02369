/// The second half of the page's script: one API in detail, and the table that sorts, searches and shows more. It goes
/// on inside the function that the first half begins.
let pageScriptTable: StaticString = #"""
      // One API

      function sourceRow(source, direction, sum) {
        const head = make("th", "", swatches[source].cloneNode(true), " ", data.sources[source]);
        const row = make("tr", "", head);
        head.scope = "row";
        const cell = (text, style) => row.append(make("td", style || "n", text));
        cell(direction ? "responses" : "requests", "left");
        cell(grouped(sum.compared) + " of " + grouped(sum.calls));
        if (!sum.compared) {
          row.append(make("td", "none", "no figure"));
          row.lastChild.colSpan = 11;
          return row;
        }
        cell(grouped(sum.message));
        cell(grouped(sum.estimate));
        cell(signed(sum.error), side(sum.error));
        cell(percent(sum.error, sum.message));
        const mean = Math.round(sum.error / sum.compared);
        cell(signed(mean) + " [" + signed(sum.low) + " … " + signed(sum.high) + "]");
        for (const key of ["p50", "p90", "p99", "max", "wire"]) cell(grouped(sum[key]));
        cell(percent(sum.estimate - sum.wire, sum.wire));
        return row;
      }

      function steps(sum) {
        const list = [{label: "Estimate of " + data.sources[state.source], level: sum.estimate}];
        let running = sum.estimate;
        const step = (label, bytes, code) => { if (bytes) list.push({label, code, bytes}); };
        const climb = (causes, goal, rest) => {
          for (const [cause, bytes] of causes.sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]))) {
            step(data.causes[cause][1], -bytes, data.causes[cause][0]);
            running -= bytes;
          }
          step(rest, goal - running);
          running = goal;
        };
        const whole = sum.message === sum.allMessage, rest = "not booked to a cause";
        climb(sum.causes.filter(([cause]) => !data.causes[cause][2]), sum.message, rest);
        list.push({label: whole ? "HTTP messages" : "HTTP messages of the compared calls", level: sum.message});
        if (!whole) {
          climb(sum.unseen, sum.allMessage, "calls for which it gives no figure");
          list.push({label: "HTTP messages of all calls", level: sum.allMessage});
        }
        const transport = sum.wire - sum.message;
        climb(sum.causes.filter(([cause]) => data.causes[cause][2]), sum.allMessage + transport, rest);
        step("transport of the calls that are not compared", sum.allWire - sum.allMessage - transport);
        list.push({label: "Wire bytes", level: sum.allWire});
        return list;
      }

      function waterfall(sum) {
        const list = steps(sum), body = make("tbody");
        let low = Infinity, high = 1, running = 0;
        for (const line of list) {
          line.isLevel = line.bytes === undefined;
          line.from = running;
          running = line.isLevel ? line.level : running + line.bytes;
          line.to = running;
          low = Math.min(low, running);
          high = Math.max(high, running);
        }
        low = low > .7 * high ? Math.max(low - Math.max(high - low, high / 1000) * .4, 0) : Math.min(low, 0);
        const place = value => 100 * (value - low) / (high - low);
        for (const {isLevel, label, code, bytes, level, from, to} of list) {
          const head = make("th", "", label), start = place(isLevel ? Math.max(low, 0) : from), end = place(to);
          head.scope = "row";
          if (code) head.append(" ", make("code", "", code));
          const width = Math.max(Math.abs(end - start), (isLevel ? level : bytes) ? .3 : 0) + "%";
          const style = isLevel ? "bar-level" : bytes > 0 ? "bar-missing" : "bar-surplus";
          const boxes = [[style, Math.min(start, end, 99.7), width]];
          if (isLevel && low > 0) boxes.push(["break", 2.5, "3"]);
          body.append(make("tr", isLevel ? "level" : "", head,
            make("td", "n", isLevel ? grouped(level) : signed(bytes)), make("td", "bar-cell", picture(...boxes))));
        }
        const caption = make("caption", "", "From estimate to wire, requests and responses");
        if (low > 0) caption.append(make("small", "", "Bars begin at " + grouped(Math.round(low)) + " bytes."));
        const chart = make("table", "waterfall", caption, heads("Cause", "Bytes", ""), body);
        chart.tHead.rows[0].cells[2].className = "bar-cell";
        return chart;
      }

      function details(api) {
        const body = make("tbody");
        data.sources.forEach((_, source) => directions.forEach((_, direction) => {
          const sum = read(api, source, direction);
          if (sum) body.append(sourceRow(source, direction, sum));
        }));
        const columns = heads("Source", "Direction", "Calls", "Messages", "Estimate", "Error", "%", "Mean error [95 %]",
          "p50", "p90", "p99", "Max", "Wire", "Against wire");
        const all = make("table", "detail-table", columns, body);
        all.tHead.rows[0].cells[1].className = "left";
        const sum = figures(api, state.source, "both"), box = make("div", "detail", scrolling("All sources", all));
        if (sum && sum.compared) box.append(scrolling("Causes", waterfall(sum)));
        return box;
      }

      // The table

      function tableRow({api, name, calls, sum, seen}) {
        const button = make("button", "open", nameOf(name)), head = make("th", "", button), row = make("tr", "", head);
        button.type = "button";
        button.setAttribute("aria-expanded", "false");
        button.addEventListener("click", () => toggle(button, row, api));
        head.scope = "row";
        const cell = (text, style) => row.append(make("td", style || "n", text));
        cell(grouped(calls));
        if (!seen) {
          cell(sum ? share(sum.recorded, sum.messages) : "–");
          for (let rest = 0; rest < 9; rest++) cell(sum && rest === 6 ? grouped(missed(sum)) : "–", "n none");
          return row;
        }
        cell(share(sum.recorded, sum.messages));
        cell(grouped(sum.message));
        cell(grouped(sum.estimate));
        cell(signed(sum.error), side(sum.error));
        cell(percent(sum.error, sum.message));
        cell(grouped(sum.absolute));
        cell(tenths(sum.absolute / sum.compared));
        cell(grouped(missed(sum)));
        cell(grouped(sum.wire));
        cell(percent(sum.estimate - sum.wire, sum.wire));
        return row;
      }

      function toggle(button, row, api) {
        const isOpen = button.getAttribute("aria-expanded") === "true";
        button.setAttribute("aria-expanded", String(!isOpen));
        if (isOpen) return row.nextSibling.remove();
        const cell = make("td", "", details(api));
        cell.colSpan = row.cells.length;
        row.after(make("tr", "opened", cell));
      }

      let entries = [];
      function choose() {
        entries = data.apis.map((name, api) => {
          const sum = figures(api, state.source, state.direction), seen = sum && sum.compared ? sum : null;
          return {api, name, lower: name.toLowerCase(), calls: data.calls[api], sum, seen};
        });
        show();
      }

      function compare(left, right) {
        const value = values[state.key], a = value(left), b = value(right);
        if ((a === null) !== (b === null)) return (a === null) - (b === null);
        if (a !== b) return (a < b) === state.falling ? 1 : -1;
        return left.name < right.name ? -1 : left.name > right.name ? 1 : left.api - right.api;
      }

      function show() {
        const isOff = sum => sum && (sum.absolute > 0 || missed(sum) > 0);
        const fits = ({lower, sum}) => state.words.every(word => lower.includes(word)) && (!state.off || isOff(sum));
        const fitting = entries.filter(fits).sort(compare);
        table.tBodies[0].replaceChildren(...fitting.slice(0, state.shown).map(tableRow));
        const count = Math.min(state.shown, fitting.length);
        const whole = fitting.length < entries.length ? " that fit, of " + grouped(entries.length) : "";
        find("status").textContent = fitting.length === 0 ? "No API fits." : "Shown: " + grouped(count) + " of "
          + grouped(fitting.length) + whole + " APIs. Open one for all sources and causes.";
        for (const head of table.tHead.rows[0].cells) {
          const order = state.falling ? "descending" : "ascending";
          if (head.dataset.key === state.key) head.setAttribute("aria-sort", order);
          else head.removeAttribute("aria-sort");
        }
        const more = find("more");
        more.hidden = count >= fitting.length;
        more.replaceChildren(...[100, Infinity].map(step => {
          const button = make("button", "", step === 100 ? "Show 100 more" : "Show all " + grouped(fitting.length));
          button.type = "button";
          button.addEventListener("click", () => { state.shown += step; show(); });
          return button;
        }));
      }

      for (const head of table.tHead.rows[0].cells) {
        const button = make("button", "sort", head.textContent);
        button.type = "button";
        button.addEventListener("click", () => {
          state.falling = state.key === head.dataset.key ? !state.falling : head.dataset.key !== "name";
          state.key = head.dataset.key;
          show();
        });
        head.replaceChildren(button);
      }
      const listen = (id, kind, change) => find(id).addEventListener(kind, ({target}) => {
        state.shown = 50;
        change(target);
      });
      listen("search", "input", ({value}) => {
        state.words = value.toLowerCase().split(/\s+/).filter(Boolean);
        show();
      });
      listen("source", "change", ({value}) => { state.source = Number(value); choose(); });
      listen("direction", "change", ({value}) => { state.direction = value; choose(); });
      listen("off", "change", ({checked}) => { state.off = checked; show(); });
      state.source = Number(find("source").value);
      state.direction = find("direction").value;
      find("tools").hidden = false;
      choose();
    })();
    """#
