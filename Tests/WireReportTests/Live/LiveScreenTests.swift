import Testing
import WireCore
import WireJoin
import WireRecords
import WireReport

@Suite("The live screen")
struct LiveScreenTests {
    private func lines(
        _ state: LiveState = sampleLive(), _ columns: Int = 80, _ rows: Int = 24, unicode: Bool = true,
        color: Bool = false, options: ReportOptions = ReportOptions()
    ) -> [String] {
        LiveScreen(options: options, style: TerminalStyle(unicode: unicode, color: color))
            .lines(state, columns: columns, rows: rows)
    }

    private func text(_ state: LiveState, _ columns: Int = 80, _ rows: Int = 24, unicode: Bool = true) -> String {
        lines(state, columns, rows, unicode: unicode).joined(separator: "\n")
    }

    // MARK: What it looks like

    @Test("it looks like this", arguments: liveGoldens)
    func golden(golden: LiveGolden) {
        #expect(text(sampleLive(), golden.columns, golden.rows, unicode: golden.unicode) == golden.text)
    }

    @Test("colours change nothing but colours", arguments: liveGoldens)
    func colours(golden: LiveGolden) {
        let painted = lines(sampleLive(), golden.columns, golden.rows, unicode: golden.unicode, color: true)
        // Where colours tell the parts of a bar apart, shapes need not.
        func plain(_ text: String) -> String {
            text.replacing(/\u{1B}\[[0-9;]*m/, with: "").replacing(/[█▆▓▒░─·]/, with: "█")
        }
        let stripped = painted.map { line in
            var line = plain(line)
            while line.last == " " { line.removeLast() }
            return line
        }
        #expect(stripped.joined(separator: "\n") == plain(golden.text))
        #expect(painted.joined().contains("\u{1B}["))
    }

    @Test("a waterfall's, an API's and a status's colours")
    func paints() {
        let shown = lines(sampleLive(), 120, 40, color: true).joined(separator: "\n")
        #expect(shown.contains("\u{1B}[33m! 12 packets lost"))
        #expect(shown.contains("\u{1B}[1mWHERE THE BYTES WENT"))
        #expect(shown.contains("\u{1B}[33m 404\u{1B}[0m"))
        #expect(shown.contains("\u{1B}[31m 503\u{1B}[0m"))
        #expect(shown.contains("\u{1B}[32m221 kB/s\u{1B}[0m"))
    }

    @Test("apps that packets name stand in the table and the detail of connections, and the filter finds them")
    func apps() {
        var state = sampleLive()
        state.place.show(.connections)
        #expect(!text(state, 120, 30).contains("app"))
        state.snapshot.connectionRecords[0].process = CaptureProcess(app: "Shop\u{1B}", name: "nsurlsessiond", pid: 88)
        let table = lines(state, 120, 30)
        #expect(table.contains { $0.contains("CONNECTIONS BY") && $0.contains("app") })
        #expect(table.count { $0.contains("Shop") } == 1 && !table.joined().contains("\u{1B}"))
        state.filterText = "shop"
        #expect(lines(state, 120, 30).contains { $0.contains("(1 of 3)") })
        state.place.open(.connection(0))
        let detail = text(state, 120, 40)
        #expect(detail.contains("nsurlsessiond") && detail.contains("Shop"))
    }

    // MARK: Bounds

    @Test("no line is wider than the terminal and there are never too many, whatever the size", arguments: 0..<6)
    func bounds(kind: Int) {
        var state = [sampleLive(), hostileLive(), LiveState(), sampleLive(), hostileLive(), sampleLive()][kind]
        if kind == 3 { state.showsHelp = true }
        if kind == 4 {
            state.filterText = String(repeating: "日本\u{1B}", count: 40)
            state.isEditingFilter = true
            state.isFrozen = true
        }
        if kind == 1 { state.place.show(.connections) }
        if kind == 4 { state.place.show(.hosts) }
        if kind == 5 { state.place.open(.connection(1)) }
        if kind == 5 { state.snapshot.apis = (0..<60).map { APISummary(api: "GET host /\($0)") } }
        for columns in 1...120 {
            for rows in 1...50 where columns == 80 || columns <= 20 && rows <= 5 || (rows * 7 + columns) % 13 == 0 {
                let lines = lines(state, columns, rows, unicode: rows % 3 > 0, color: columns % 2 == 0)
                #expect(lines.count <= rows && !lines.isEmpty, "\(columns) x \(rows)")
                let tooWide = lines.first { paintedWidth($0) > columns }
                #expect(tooWide == nil, "\(columns) x \(rows)")
            }
        }
        #expect(lines(state, 0, 24).isEmpty)
        #expect(lines(state, 80, 0).isEmpty)
        #expect(lines(state, -1, -1).isEmpty)
    }

    @Test(
        "nothing from a capture acts on the terminal", arguments: [(20, 5), (40, 12), (80, 24), (120, 40), (200, 60)])
    func hostile(columns: Int, rows: Int) {
        var state = hostileLive()
        for step in 0..<6 {
            if step == 3 { state.place.show(.hosts) }
            if step == 4 { state.place.show(.connections) }
            if step == 5 { state.place.open(.connection(0)) }
            state.isEditingFilter = step == 1
            state.filterText = 1...2 ~= step ? "\u{1B}[2J\r\n" : ""
            state.showsHelp = step == 2
            for line in lines(state, columns, rows, color: true) {
                let rest = line.replacing(/\u{1B}\[[0-9;]*m/, with: "")
                #expect(
                    !rest.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) }, "\(line)")
                #expect(!rest.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\u{200B}" || $0 == "\u{2066}" })
            }
        }
        #expect(text(state, columns, rows, unicode: false).utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
    }

    // MARK: What stands still

    @Test("columns stay where they are while numbers grow", arguments: [(40, 12), (80, 24), (120, 40), (200, 60)])
    func still(columns: Int, rows: Int) {
        var state = sampleLive()
        func headings(_ state: LiveState) -> [String] {
            lines(state, columns, rows).filter { line in
                ["WHERE THE", "APIs BY", "LAST"].contains { line.contains($0) }
            }
        }
        /// Where numbers of the totals end.
        func ends(_ state: LiveState) -> [Int] {
            lines(state, columns, rows).filter { $0.hasPrefix("bytes") }.map(\.count)
        }
        let before = (headings(state), ends(state))
        for index in state.snapshot.apis.indices {
            state.snapshot.apis[index].exchanges *= 4999
            for cause in Cause.allCases {
                state.snapshot.apis[index].costs.up[cause] *= 999
                state.snapshot.apis[index].costs.down[cause] *= 999
                state.snapshot.ledger.causes.up[cause] += state.snapshot.apis[index].costs.up[cause] * 10
            }
        }
        state.snapshot.bytes *= 999
        state.snapshot.ledger.bytes *= 999
        state.snapshot.ledger.layers.payload *= 999
        state.snapshot.packets *= 7777
        state.snapshot.exchanges *= 7777
        state.elapsed += 30_000_000_000
        #expect(headings(state) == before.0)
        #expect(ends(state) == before.1)
        #expect(!before.0.isEmpty)
    }

    @Test("the last line is that of the keys; without room they go before the numbers do")
    func keys() {
        for rows in 8...40 {
            let lines = lines(sampleLive(), 80, rows)
            #expect(lines.count == rows)
            #expect(lines.last == "q quit   ? help   p freeze   tab hosts   s sort by rate   / filter")
        }
        #expect(!text(sampleLive(), 80, 7).contains("quit"))
    }

    // MARK: What it says

    @Test("losses are said at every size", arguments: [(80, 24), (20, 5), (20, 2), (40, 1), (12, 1)])
    func losses(columns: Int, rows: Int) {
        var state = sampleLive()
        #expect(text(state, columns, rows).contains(/12.*lost/))
        state.interfaces = state.interfaces.map { interface in
            var interface = interface
            interface.droppedByKernel = 0
            interface.droppedByInterface = 0
            return interface
        }
        #expect(!text(state, columns, rows).contains(/[1-9][0-9]* lost/))
    }

    @Test("a frozen screen says so, and how to go on", arguments: [(20, 5), (40, 12), (80, 24), (200, 60)])
    func frozen(columns: Int, rows: Int) {
        var state = sampleLive()
        #expect(!text(state, columns, rows).contains("FROZEN"))
        state.isFrozen = true
        #expect(lines(state, columns, rows)[0].contains("FROZEN"))
        #expect(rows < 8 || text(state, columns, rows).contains("p go on"))
    }

    @Test("what is typed chooses APIs and exchanges, in any case, and its end is shown")
    func filter() {
        var state = sampleLive()
        state.filterText = "ITEMS"
        let shown = text(state, 120, 40)
        #expect(shown.contains("APIs BY WIRE BYTES (1 of 3)"))
        #expect(shown.contains("GET api.example.com /v1/items/{id}"))
        #expect(!shown.contains("/v1/orders "))
        #expect(shown.contains("only 'ITEMS'"))
        state.filterText = "nothing like it"
        #expect(text(state).contains("No API matches the selection."))
        #expect(!text(state).contains("LAST EXCHANGES"))
        state.isEditingFilter = true
        #expect(lines(state, 80, 24).last?.hasPrefix("filter: nothing like it▏") == true)
        #expect(lines(state, 8, 2).last == "/ike it▏")
        #expect(lines(state, 80, 24, unicode: false).last?.hasPrefix("filter: nothing like it_") == true)
    }

    @Test(
        "a choice that leaves one row leaves the heading and its columns, too",
        arguments: [(100, 30), (80, 24), (60, 20)])
    func filteredHeading(columns: Int, rows: Int) throws {
        var state = sampleLive()
        state.filterText = "items"
        let lines = lines(state, columns, rows)
        let heading = try #require(lines.firstIndex { $0.hasPrefix("APIs BY") }, "\(lines)")
        #expect(lines[heading].contains("(1 of 3)") && lines[heading].contains("wire"))
        #expect(lines[heading + 1].hasPrefix("GET api.example."))
    }

    @Test("--host and --api choose too")
    func selection() {
        var options = ReportOptions()
        options.selection = Selection(hosts: ["img"])
        let shown = lines(sampleLive(), 120, 40, options: options).joined(separator: "\n")
        #expect(shown.contains("(1 of 3)"))
        #expect(!shown.contains("/v1/orders"))
    }

    @Test(
        "APIs are sorted as was chosen",
        arguments: [
            (LiveSort.wire, ["orders", "items", "large"]), (.rate, ["orders", "items", "large"]),
            (.calls, ["items", "orders", "large"]), (.name, ["items", "large", "orders"]),
        ])
    func sorting(sort: LiveSort, order: [String]) {
        var state = sampleLive()
        state.place.order.sort = sort
        let shown = lines(state, 120, 40)
        let start = shown.firstIndex { $0.hasPrefix("APIs BY") } ?? 0
        for (index, word) in order.enumerated() { #expect(shown[start + 1 + index].contains(word), "\(sort)") }
        state.place.order.isReversed = true
        let turned = lines(state, 120, 40)
        for (index, word) in order.reversed().enumerated() { #expect(turned[start + 1 + index].contains(word)) }
    }

    @Test("what has no room is summed: shown and unshown rows add up")
    func sums() {
        var state = sampleLive()
        state.snapshot.apis = (1...500).map { number in
            var row = APISummary(api: "GET host /\(number)")
            row.exchanges = 1
            row.costs.down[.body] = number
            return row
        }
        for rows in 12...60 {
            let lines = lines(state, 80, rows)
            let wire = lines.filter { $0.hasPrefix("GET host") || $0.hasPrefix("… and") }.compactMap { line in
                line.firstMatch(of: /\ \ +[\d,]+\ \ +([\d,]+)/).flatMap { Int($0.1.replacing(",", with: "")) }
            }
            #expect(wire.reduce(0, +) == 500 * 501 / 2, "\(rows) rows")
        }
    }

    @Test("without a packet, without HTTP, without keys: it says what there is not")
    func empty() {
        var state = LiveState()
        #expect(text(state).contains("No packet received yet."))
        state.snapshot.packets = 1
        #expect(text(state).contains("No HTTP message has been seen yet."))
        var row = APISummary(api: "https://api.example.com (encrypted)")
        row.isEncrypted = true
        row.costs.down[.opaque] = 1234
        state.snapshot.apis = [row]
        #expect(text(state).contains("calls —: TLS without keys; use --keys FILE"))
        #expect(text(state).contains(/https:\/\/api.example.com +— +1,234 +— +—/))
        state.keySecrets = 0
        #expect(text(state).contains("calls —: TLS for which no key was received"))
        state.keySecrets = nil
        state.snapshot.apis = [APISummary(api: "GET host /")]
        #expect(!text(state).contains("--keys"))
    }

    @Test("faults, notes and limits nearly reached are said, the weightiest first")
    func alerts() {
        var state = sampleLive()
        state.evidence?.fault = "shop.pcapng: No space left on device"
        state.interfaces[1].fault = "the interface was removed"
        state.limits[2].used = 9500
        state.note = "the clock went back"
        let shown = lines(state, 120, 40).filter { $0.hasPrefix("! ") }
        #expect(
            shown == [
                "! 12 packets lost (1.0 %): 10 by the kernel, 2 by the interface; they are not counted",
                "! shop.pcapng: No space left on device; capture and audit continue",
                "! utun4: the interface was removed; no more packets come from it",
                "! API rows: 9,500 of at most 10,000",
                "! the clock went back",
            ])
        #expect(text(state, 120, 40).contains("wrote shop_00003.pcapng"))
        #expect(lines(state, 80, 5).filter { $0.hasPrefix("! ") }.count == 1)
    }

    @Test("an exchange stands once, marked while it may change; flags are told")
    func exchanges() {
        var state = sampleLive()
        state.finished.insert(state.snapshot.recent[1], at: 0)
        let shown = lines(state, 120, 40)
        #expect(shown.filter { $0.contains("POST api.example.com/v1/orders") }.count == 1)
        #expect(shown.filter { $0.contains(" ~ ") }.count == 1)
        #expect(shown.contains { $0.hasSuffix("! GET api.example.com/v1/me [no-response, reset]") })
    }

    @Test("help tells every key and takes the place of the tables", arguments: [(40, 12), (80, 24), (160, 50)])
    func help(columns: Int, rows: Int) {
        var state = sampleLive()
        state.showsHelp = true
        let shown = text(state, columns, rows)
        for word in [
            "KEYS", "LIMITS", "3 of 65,536", "? back", "enter", "esc", "pgup pgdn", "space p", "tab 1 2 3", "home end",
        ] {
            #expect(shown.contains(word), "\(word)")
        }
        for words in [["quit", "end the capture"], ["filter", "contain a text"], ["turn", "the last row first"]] {
            #expect(words.contains { shown.contains($0) }, "\(words)")
        }
        #expect(shown.contains("COLUMNS") == (rows > 12))
        #expect(!shown.contains("APIs BY"))
        #expect(shown.contains("! 12 packets lost"))
    }

    // MARK: Places

    @Test("tables and what is opened look like this", arguments: placeGoldens)
    func places(golden: LivePlaceGolden) {
        #expect(text(golden.state, golden.columns, golden.rows, unicode: golden.unicode) == golden.text)
    }

    @Test("a selected row is reversed where there are colours, over the whole width", arguments: placeGoldens)
    func highlights(golden: LivePlaceGolden) {
        let shown = lines(golden.state, golden.columns, golden.rows, unicode: golden.unicode, color: true)
        let reversed = shown.dropFirst().filter { $0.contains("\u{1B}[7m") }
        let isSelected = golden.state.place.selection != nil
        #expect(reversed.count == (isSelected ? 1 : 0))
        for line in reversed { #expect(paintedWidth(line) == golden.columns) }
    }

    @Test(
        "a selection far behind is on the screen, and shown and summed rows add up", arguments: [0, 7, 250, 400, 499])
    func far(rank: Int) {
        var state = sampleLive()
        state.snapshot.apis = (0..<500).map { number in
            var row = APISummary(api: "GET host /\(number)")
            row.exchanges = 1
            row.costs.down[.body] = 1000 - number
            return row
        }
        state.place.selection = LiveSelection(item: .api("GET host /\(rank)"), rank: rank)
        let shown = lines(state, 80, 24)
        #expect(shown.contains { $0.hasPrefix("> GET host /\(rank) ") })
        let wire = shown.filter { $0.hasPrefix("GET host") || $0.hasPrefix("> GET") || $0.hasPrefix("… and") }
            .compactMap { $0.firstMatch(of: /\ \ +[\d,]+\ \ +([\d,]+)/).flatMap { Int($0.1.replacing(",", with: "")) } }
        #expect(wire.reduce(0, +) == (501...1000).reduce(0, +))
    }

    @Test(
        "what was opened and is gone says so", arguments: [LiveItem.connection(99), .api("GET none /"), .host("none")])
    func gone(item: LiveItem) {
        var state = sampleLive()
        state.place.open(item)
        #expect(text(state).contains(/is not among those that are|There is nothing of it yet/))
    }
}
