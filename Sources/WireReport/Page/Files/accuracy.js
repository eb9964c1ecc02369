  // The accuracy page: figures of an API, one API in detail, the table of all

  const table = find("table");
  if (!table) return;
  const rows = data.rows.split(";"), directions = ["up", "down"];
  const swatches = document.querySelectorAll(".sources .swatch");
  const state = {source: 0, direction: "both", off: false};

  // Figures

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

  const side = error => error < 0 ? "n low" : error > 0 ? "n high" : "n";

  // One API

  function sourceRow(source, direction, sum) {
    const row = make("tr", "", rowHead(swatches[source].cloneNode(true), " ", data.sources[source]));
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
      const head = rowHead(label), start = place(isLevel ? Math.max(low, 0) : from), end = place(to);
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

  function tableRow({place, name, calls, sum, seen}) {
    const row = make("tr");
    row.append(rowHead(opener(nameOf(name), row, () => details(place))));
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

  const list = listing({
    table, status: find("status"), more: find("more"), first: 50, values, row: tableRow, key: "absolute",
    told: shown => shown ? "Shown: " + shown + " APIs. Open one for all sources and causes." : "No API fits."
  });
  const isOff = sum => sum && (sum.absolute > 0 || missed(sum) > 0);
  list.fits = ({sum}) => !state.off || isOff(sum);
  function choose() {
    list.entries = data.apis.map((name, place) => {
      const sum = figures(place, state.source, state.direction), seen = sum && sum.compared ? sum : null;
      return {place, name, lower: name.toLowerCase(), calls: data.calls[place], sum, seen};
    });
    list.restart();
  }
  list.search(find("search"));
  const listen = (id, change) => find(id).addEventListener("change", ({target}) => {
    change(target);
    choose();
  });
  listen("source", ({value}) => { state.source = Number(value); });
  listen("direction", ({value}) => { state.direction = value; });
  listen("off", ({checked}) => { state.off = checked; });
  state.source = Number(find("source").value);
  state.direction = find("direction").value;
  find("tools").hidden = false;
  choose();
})();
