  // The audit page: costs, one call, the tables of APIs and hosts

  const parts = text => text ? text.split(";") : [];

  // Costs: bytes by cause of one direction

  function causesAt(list, at) {
    const count = list[at], end = at + 1 + 2 * count;
    return {causes: pairs(list.slice(at + 1, end)), end};
  }
  const sumOf = causes => causes.reduce((sum, [, bytes]) => sum + bytes, 0);

  function groupsOf(...sides) {
    const groups = data.groups.map(() => 0);
    for (const causes of sides) for (const [cause, bytes] of causes) groups[data.causes[cause][1]] += bytes;
    return groups;
  }

  function bar(groups, whole) {
    let left = 0;
    const boxes = [];
    groups.forEach((bytes, group) => {
      if (bytes <= 0) return;
      const width = 100 * bytes / Math.max(whole, 1);
      boxes.push(["g" + group, left, width + "%"]);
      left += width;
    });
    return picture(...boxes);
  }

  function barCell(groups, whole) { return make("td", "bar-cell", bar(groups, whole)); }

  // A length of time in microseconds
  function lasting(value) {
    if (!value) return "0 s";
    if (value < 1000) return value + " µs";
    if (value < 999950) return tenths(value / 1000) + " ms";
    if (value < 119950000) return tenths(value / 1e6) + " s";
    const seconds = Math.round(value / 1e6), minutes = Math.round(seconds / 60);
    if (seconds < 3600) return Math.floor(seconds / 60) + " min " + seconds % 60 + " s";
    return minutes < 2880 ? Math.floor(minutes / 60) + " h " + minutes % 60 + " min"
      : Math.floor(minutes / 1440) + " d " + Math.round(minutes / 60) % 24 + " h";
  }

  // The bytes of a call as a stack: a line for each cause. `count`: divides the figures
  function causeTable(caption, up, down, count) {
    const body = make("tbody"), sides = [new Map(up), new Map(down)], mean = bytes => Math.round(bytes / count);
    const lines = data.causes.map(([name, group], cause) =>
      ({name, group, up: sides[0].get(cause) || 0, down: sides[1].get(cause) || 0})).filter(line => line.up || line.down);
    const most = Math.max(1, ...lines.map(line => line.up + line.down));
    for (const {name, group, up, down} of lines) {
      body.append(make("tr", "", rowHead(name), make("td", "n", up ? grouped(mean(up)) : ""),
        make("td", "n", down ? grouped(mean(down)) : ""),
        make("td", "bar-cell", picture(["g" + group, 0, 100 * (up + down) / most + "%"]))));
    }
    const table = make("table", "cause-table", make("caption", "", caption), heads("Cause", "Up", "Down", ""), body);
    table.tHead.rows[0].cells[3].className = "bar-cell";
    return table;
  }

  // Calls that are told one by one

  const calls = parts(data.callRows).map(text => {
    const list = numbers(text), up = causesAt(list, 8), down = causesAt(list, up.end);
    return {connection: list[0], api: list[1], path: list[2], status: list[3], start: list[4], sent: list[5],
      answer: list[6], length: Math.max(list[7], 0), up: up.causes, down: down.causes,
      wire: sumOf(up.causes) + sumOf(down.causes)};
  });

  // `chosen`: the call that is open.
  function callTable(label, list, most, chosen) {
    const body = make("tbody"), largest = Math.max(1, ...list.map(call => call.wire));
    for (const call of list.slice(0, most)) {
      const row = make("tr"), api = call.api < 0 ? "other API" : data.apis[call.api];
      const name = nameOf(api);
      if (call.path >= 0) name.append(make("small", "", data.names[call.path]));
      row.append(rowHead(opener(name, row, () => scrolling("Bytes of the call",
        causeTable("Bytes of this call: " + grouped(call.wire), call.up, call.down, 1)))));
      const cell = text => row.append(make("td", "n", text));
      cell(lasting(Math.max(call.start, 0)));
      cell(call.status ? String(call.status) : "–");
      cell(call.sent < 0 ? "–" : lasting(call.sent));
      cell(call.sent < 0 || call.answer < 0 ? "–" : lasting(Math.max(call.answer - call.sent, 0)));
      cell(call.answer < 0 ? "–" : lasting(Math.max(call.length - call.answer, 0)));
      cell(grouped(call.wire));
      row.append(barCell(groupsOf(call.up, call.down), largest));
      body.append(row);
      if (call === chosen) row.querySelector("button").click();
    }
    const table = make("table", "call-table",
      heads("Call", "Start", "Status", "Request", "Waiting", "Response", "Wire", "What for"), body);
    table.tHead.rows[0].cells[7].className = "bar-cell";
    return scrolling(label, table);
  }

  // APIs

  const apis = parts(data.apiRows).map((text, place) => {
    const list = numbers(text), up = causesAt(list, 2), down = causesAt(list, up.end), name = data.apis[place];
    const groups = groupsOf(up.causes, down.causes), knowsResent = list[1] > 0;
    const setup = sumOf([...up.causes, ...down.causes].filter(([cause]) => data.causes[cause][2]));
    return {place, name, lower: name.toLowerCase(), calls: list[0], up: up.causes, down: down.causes, groups, setup, knowsResent,
      wireUp: sumOf(up.causes), wireDown: sumOf(down.causes), wire: sumOf(up.causes) + sumOf(down.causes)};
  });

  function apiDetails(api) {
    const box = make("div", "detail"), own = calls.filter(call => call.api === api.place);
    const count = Math.max(api.calls, 1);
    const caption = api.calls > 1 ? "Bytes of a call, mean of " + grouped(api.calls) : "Bytes";
    box.append(scrolling("Bytes by cause", causeTable(caption, api.up, api.down, count)));
    if (own.length) {
      own.sort((a, b) => b.wire - a.wire || a.start - b.start);
      box.append(make("h4", "", own.length > 10 ? "The 10 largest calls" : "Calls, the largest first"),
        callTable("Calls", own, 10));
    }
    return box;
  }

  const table = find("table");
  if (table) {
    const list = listing({
      table, status: find("status"), more: find("more"), first: isWide ? 50 : 20, key: "wire",
      told: shown => shown ? "Shown: " + shown + " APIs. Open one to see what a call costs." : "No API fits.",
      values: {
        name: api => api.lower, calls: api => api.calls < 0 ? null : api.calls, wire: api => api.wire,
        share: api => api.wire, up: api => api.wireUp, down: api => api.wireDown,
        each: api => api.calls > 0 ? Math.round(api.wire / api.calls) : null,
        overhead: ({wire, groups}) => groups[0] && !groups[4] ? (wire - groups[0]) / groups[0] : null,
        opening: ({wire, setup}) => wire ? setup / wire : null,
        resent: ({wire, groups, knowsResent}) => wire && knowsResent ? groups[3] / wire : null
      },
      row: api => {
        const row = make("tr"), {calls, wire, groups, setup} = api;
        row.append(rowHead(opener(nameOf(api.name), row, () => apiDetails(api))));
        const cell = text => row.append(make("td", "n", text));
        cell(calls < 0 ? "–" : grouped(calls));
        cell(grouped(wire));
        cell(share(wire, data.whole));
        cell(grouped(api.wireUp));
        cell(grouped(api.wireDown));
        cell(calls > 0 ? grouped(Math.round(wire / calls)) : "–");
        cell(groups[0] && !groups[4] ? share(wire - groups[0], groups[0]) : "–");
        cell(share(setup, wire));
        cell(api.knowsResent ? share(groups[3], wire) : "–");
        row.append(barCell(groups, wire));
        return row;
      }
    });
    list.entries = apis;
    list.search(find("search"));
    find("tools").hidden = false;
    list.show();
  }

  // Hosts

  if (find("hosttable")) {
    const keys = ["wire", "up", "down", "opening", "resent", "unread", "connections", "tls", "calls"];
    const list = listing({
      table: find("hosttable"), status: find("hoststatus"), more: find("hostmore"), first: isWide ? 25 : 10, key: "wire",
      told: shown => "Shown: " + shown + " hosts.",
      values: Object.fromEntries([["name", host => host.lower], ...keys.map((key, at) => [key, host => host.figures[at] < 0 ? null : host.figures[at]])]),
      row: ({name, figures, protocols, verdict}) => make("tr", "", rowHead(name + " ", make("small", "", protocols)),
        ...figures.map(figure => make("td", "n", figure < 0 ? "–" : grouped(figure))), make("td", "verdict", verdict))
    });
    list.entries = parts(data.hostRows).map((text, place) => {
      const [name, protocols, verdict] = data.hosts[place];
      return {place, name, lower: name.toLowerCase(), figures: numbers(text), protocols, verdict};
    });
    list.show();
  }
