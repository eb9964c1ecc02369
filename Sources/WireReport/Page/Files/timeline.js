  // Connections in time. A row draws no more calls than it has room for, so that thousands of them are as quick as a few

  const timetable = find("timetable");
  if (!timetable) return;

  // Connections, with the calls that are told one by one

  const ofConnection = new Map();
  for (const call of calls) {
    if (!ofConnection.has(call.connection)) ofConnection.set(call.connection, []);
    ofConnection.get(call.connection).push(call);
  }
  const connections = parts(data.connectionRows).map((text, place) => {
    const list = numbers(text), {causes} = causesAt(list, 9), name = data.names[list[0]];
    return {place, name, lower: name.toLowerCase(), port: list[1], protocol: data.names[list[2]], close: data.names[list[3]],
      start: list[4], length: list[5], end: list[4] + list[5], first: list[6], calls: list[7], unread: list[8], causes,
      wire: sumOf(causes), own: ofConnection.get(place) || []};
  });

  // The part of the time that is shown, microseconds

  const view = {from: 0, to: data.span};
  // What an opportunity leads to: a connection, and a call of it that is open. Others are not listed then.
  let visited = null;
  const rowHeight = 9, mostLanes = 8, shortest = 1000;

  // Calls that ran at one time stand in lanes of their own.
  function laned(list) {
    const ends = [];
    for (const call of list) {
      let lane = ends.findIndex(end => end <= call.start);
      if (lane < 0) lane = Math.min(ends.length, mostLanes - 1);
      ends[lane] = Math.max(ends[lane] || 0, call.start + call.length);
      call.lane = lane;
    }
    return Math.max(ends.length, 1);
  }

  function drawing(connection) {
    const {own, start, end, first} = connection, length = view.to - view.from;
    connection.lanes ||= laned(own);
    const height = connection.lanes * rowHeight + 5, boxes = [];
    const place = time => 100 * (Math.min(Math.max(time, view.from), view.to) - view.from) / length;
    const box = (style, from, to, y, tall, least) => {
      if (to < view.from || from > view.to) return;
      const left = Math.min(place(from), 100 - least), width = Math.max(place(to) - left, least);
      boxes.push(drawn("rect", [["class", style], ["x", left.toFixed(3) + "%"], ["y", y],
        ["width", width.toFixed(3) + "%"], ["height", tall]]));
    };
    box("tidle", start, end, 5, 2, .15);
    const isClosed = !connection.calls && connection.unread > 0, opened = first < 0 ? end : start + first;
    if (opened > start) box(isClosed ? "tclosed" : "topen", start, opened, 2, 7, .1);
    // What is narrower than a point of the screen is drawn where nothing else is.
    const drawnTo = [];
    for (const call of own) {
      const last = call.start + call.length, right = place(last), y = 2 + call.lane * rowHeight;
      if (last < view.from || call.start > view.to || right - (drawnTo[call.lane] ?? -1) < .05) continue;
      drawnTo[call.lane] = right;
      const answer = call.answer < 0 ? last : call.start + call.answer;
      const sent = call.sent < 0 ? answer : call.start + call.sent;
      box("trequest", call.start, sent, y, 7, .1);
      if (answer > sent) box("twait", sent, answer, y, 7, .05);
      if (last > answer) box("tanswer", answer, last, y, 7, .1);
      if (groupsOf(call.up, call.down)[3]) box("tresent", call.start, last, y + 7, 2, .2);
    }
    return drawn("svg", [["width", "100%"], ["height", height], ["aria-hidden", "true"]], ...boxes);
  }

  function connectionDetails(connection) {
    const box = make("div", "detail"), {own, wire} = connection;
    const left = connection.calls - own.length;
    box.append(make("p", "", connection.protocol + ", client port " + connection.port + ", " + connection.close + "."
      + (left > 0 ? " " + grouped(left) + " of its calls are not told one by one." : "")));
    const bytes = "Bytes of the connection with its calls: " + grouped(wire);
    const body = make("tbody"), most = Math.max(1, ...connection.causes.map(([, bytes]) => bytes));
    for (const [cause, bytes] of connection.causes) {
      const [name, group] = data.causes[cause];
      body.append(make("tr", "", rowHead(name), make("td", "n", grouped(bytes)),
        make("td", "bar-cell", picture(["g" + group, 0, 100 * bytes / most + "%"]))));
    }
    const table = make("table", "cause-table", make("caption", "", bytes), heads("Cause", "Bytes", ""), body);
    table.tHead.rows[0].cells[2].className = "bar-cell";
    box.append(scrolling("Bytes by cause", table));
    const call = visited?.call, rows = 50, from = Math.max(0, Math.min(own.indexOf(call) - 9, own.length - rows));
    if (own.length) box.append(
      make("h4", "", own.length > rows ? "Its calls " + grouped(from + 1) + " to " + grouped(from + rows) : "Its calls"),
      callTable("Calls of the connection", own.slice(from), rows, call));
    return box;
  }

  const timeList = listing({
    table: timetable, status: find("timestatus"), more: find("timemore"), first: isWide ? 25 : 10, key: "start", rises: true,
    told: shown => visited ? "Shown: the connection that was asked for. Choose All for the others."
      : shown ? "Shown: " + shown + " connections, from " + lasting(Math.round(view.from)) + " to "
      + lasting(Math.round(view.to)) + "." : "No connection fits.",
    values: {
      name: entry => entry.lower, start: entry => entry.start, length: entry => entry.length,
      calls: entry => entry.calls || null, wire: entry => entry.wire
    },
    row: connection => {
      const row = make("tr"), name = make("span", "", connection.name + " ");
      name.append(make("small", "", connection.protocol + ", " + connection.close));
      row.append(rowHead(opener(name, row, () => connectionDetails(connection))));
      const cell = text => row.append(make("td", "n", text));
      cell(lasting(Math.max(connection.start, 0)));
      cell(lasting(connection.length));
      cell(connection.calls ? (connection.own.length < connection.calls ? grouped(connection.own.length) + " of " : "")
        + grouped(connection.calls) : "–");
      cell(grouped(connection.wire));
      row.append(make("td", "time-cell", drawing(connection)));
      return row;
    }
  });
  timeList.entries = connections;
  timeList.fits = entry => visited ? entry === visited.connection : entry.end >= view.from && entry.start <= view.to;
  find("timesearch").addEventListener("input", () => { visited = null; });
  timeList.search(find("timesearch"));

  // Axis and picture of all bytes

  const axis = timetable.tHead.rows[0].lastElementChild, overview = find("overview")?.firstElementChild;
  const chosen = drawn("rect", [["class", "chosen"], ["y", "0"], ["height", "64"]]);

  function step(length) {
    const unit = 10 ** Math.floor(Math.log10(length / 4));
    return [1, 2, 5, 10].map(factor => factor * unit).find(size => length / size <= 5) || length;
  }

  function drawAxis() {
    const length = view.to - view.from, size = step(length), marks = [];
    for (let at = Math.ceil(view.from / size) * size; at <= view.to; at += size) {
      const left = 100 * (at - view.from) / length;
      if (left > 92) break;
      marks.push(drawn("rect", [["class", "tick"], ["x", left + "%"], ["y", 2], ["width", 1], ["height", 14]]),
        drawn("text", [["x", left + "%"], ["y", 12], ["dx", 4]], lasting(Math.round(at))));
    }
    axis.replaceChildren(make("span", "hidden", "Time"),
      drawn("svg", [["width", "100%"], ["height", 16], ["aria-hidden", "true"]], ...marks));
  }

  function look(from, to) {
    visited = null;
    const length = Math.min(Math.max(to - from, Math.min(shortest, data.span)), data.span);
    view.from = Math.min(Math.max(from, 0), data.span - length);
    view.to = view.from + length;
    drawAxis();
    const isAll = length >= data.span;
    chosen.setAttribute("x", (isAll ? 0 : 100 * view.from / data.span) + "%");
    chosen.setAttribute("width", (isAll ? 0 : 100 * length / data.span) + "%");
    timeList.restart();
  }

  // Where half of the bytes in view have gone by: what is enlarged should have something in it.
  function middle() {
    const seen = calls.filter(({start}) => start >= view.from && start <= view.to);
    let left = seen.reduce((sum, call) => sum + call.wire, 0) / 2;
    const found = seen.find(call => (left -= call.wire) <= 0);
    return found ? found.start + found.length / 2 : (view.from + view.to) / 2;
  }
  const scaled = factor => {
    const at = factor < 1 ? middle() : (view.from + view.to) / 2, half = (view.to - view.from) / 2 * factor;
    look(at - half, at + half);
  };
  const moved = share => {
    const by = (view.to - view.from) * share;
    look(view.from + by, view.to + by);
  };
  find("zoom").append(push("", "Enlarge", () => scaled(.5)), push("", "Reduce", () => scaled(2)),
    push("", "Earlier", () => moved(-.5)), push("", "Later", () => moved(.5)), push("", "All", () => look(0, data.span)));

  if (overview) {
    overview.append(chosen);
    let begun = null;
    const time = event => {
      const {left, width} = overview.getBoundingClientRect();
      return data.span * Math.min(Math.max((event.clientX - left) / width, 0), 1);
    };
    overview.addEventListener("pointerdown", event => {
      begun = time(event);
      overview.setPointerCapture(event.pointerId);
    });
    overview.addEventListener("pointerup", event => {
      if (begun === null) return;
      const end = time(event), length = Math.abs(end - begun);
      if (length > data.span / 200) look(Math.min(begun, end), Math.max(begun, end));
      begun = null;
    });
    find("draghint").hidden = false;
  }
  find("timetools").hidden = false;
  look(0, data.span);

  // From an opportunity to what is behind it

  function visit(connection, call) {
    look(0, data.span);
    find("timesearch").value = "";
    timeList.words = [];
    visited = {connection, call};
    timeList.restart();
    const button = timetable.tBodies[0].querySelector("button");
    button.click();
    button.focus();
    button.scrollIntoView();
  }
  for (const item of document.querySelectorAll(".parts [data-connection]")) {
    const name = item.firstElementChild, {connection, call} = item.dataset;
    name.replaceWith(push("to api", name.textContent, () => visit(connections[connection], calls[call])));
  }
})();
