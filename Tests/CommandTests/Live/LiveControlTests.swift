import Testing
import WireCore
import WireRecords
import WireReport
import wireaudit

/// What keys do, without a terminal.
@Suite("Live: keys and the state of the screen")
struct LiveControlTests {
    /// Ten APIs of which the first costs most, two hosts, three connections, calls of two of them.
    private func sample() -> LiveState {
        var state = LiveState()
        state.snapshot.packets = 1
        state.snapshot.apis = (0..<10).map { number in
            var row = APISummary(api: "GET host\(number % 2) /\(number)")
            row.costs.down[.body] = 1000 - number
            row.exchanges = number
            return row
        }
        state.snapshot.hosts = ["host0", "host1"].map { HostSummary(host: $0) }
        state.snapshot.connectionRecords = (0..<3).map { number in
            var record = ConnectionRecord.blank
            record.connection = number
            record.costs.up[.opaque] = number
            return record
        }
        state.finished = (0..<6).map { number in
            var record = ExchangeRecord.blank
            record.connection = number % 2
            record.exchange = number
            record.api = Array("GET host\(number % 2) /\(number % 2)".utf8)
            record.host = Array("host\(number % 2)".utf8)
            record.time = Int64(10 - number)
            return record
        }
        return state
    }

    private func press(_ keys: [Key], _ state: inout LiveState, page: Int = 4) -> LiveControl.Effect {
        var effect = LiveControl.Effect.nothing
        for key in keys { effect = LiveControl.press(key, &state, page: page, ReportOptions()) }
        return effect
    }

    private func api(_ number: Int) -> LiveItem { .api("GET host\(number % 2) /\(number)") }

    // MARK: Selection

    private static let steps: [(keys: [Key], rank: Int?)] = [
        ([], nil), ([.down], 0), ([.character("j")], 0), ([.up], 9), ([.down, .down], 1), ([.down, .up], 0),
        ([.down, .pageDown], 4), ([.end], 9), ([.home], 0), ([.down, .end], 9), ([.end, .home], 0),
        ([.down, .pageDown, .pageDown, .pageDown], 9), ([.end, .pageUp], 5), ([.down, .pageUp], 0),
        ([.character("G")], 9), ([.down, .character("G")], 9), ([.character("G"), .character("g")], 0),
        ([.down, .down, .character("k")], 0), ([.down, .control("n"), .control("f"), .control("p")], 4),
        ([.down, .escape], nil), ([.down, .left], nil), ([.down, .delete], 0), ([.down, .character("x")], 0),
    ]

    @Test("keys move the selection, and stop at the ends", arguments: steps.indices)
    func moves(index: Int) {
        var state = sample()
        _ = press(Self.steps[index].keys, &state)
        #expect(state.place.selection?.rank == Self.steps[index].rank)
        #expect(state.place.selection?.item == Self.steps[index].rank.map(api))
    }

    @Test("the selection follows its item when rows move, and takes the row of one that went")
    func follows() {
        var state = sample()
        _ = press([.down, .down, .down], &state)
        #expect(state.place.selection == LiveSelection(item: api(2), rank: 2))
        state.snapshot.apis[2].costs.down[.body] = 5000
        state.follow(ReportOptions())
        #expect(state.place.selection == LiveSelection(item: api(2), rank: 0))
        _ = press([.down], &state)
        #expect(state.place.selection?.item == api(0))
        state.snapshot.apis.remove(at: 0)
        state.follow(ReportOptions())
        #expect(state.place.selection == LiveSelection(item: api(1), rank: 1))
        state.snapshot.apis = []
        state.follow(ReportOptions())
        #expect(state.place.selection == nil)
        #expect(press([.down, .up, .end, .enter, .pageDown], &state) == .nothing)
        #expect(state.place.selection == nil && state.place.item == nil)
    }

    @Test("each table has its own selection and order; both stay when one comes back")
    func tables() {
        var state = sample()
        _ = press([.down, .down, .tab], &state)
        #expect(state.place.table == .hosts && state.place.selection == nil)
        _ = press([.end, .character("s"), .tab, .character("r")], &state)
        #expect(state.place.table == .connections && state.place.order == LiveOrder(isReversed: true))
        _ = press([.tab], &state)
        #expect(state.place.table == .apis && state.place.selection?.item == api(1))
        #expect(state.place.order == LiveOrder())
        _ = press([.backTab, .backTab], &state)
        #expect(state.place.table == .hosts && state.place.order.sort == .calls)
        #expect(state.place.selection?.item == .host("host1"))
        _ = press([.character("3")], &state)
        #expect(state.place.table == .connections)
    }

    @Test("a key goes through all orders of a table and returns", arguments: LiveTable.allCases)
    func orders(table: LiveTable) {
        var state = sample()
        state.place.show(table)
        var seen: [LiveSort] = []
        for _ in table.sorts {
            seen.append(state.place.order.sort)
            _ = press([.character("s")], &state)
        }
        #expect(seen == table.sorts && state.place.order.sort == .wire)
    }

    // MARK: Opening

    private static let openings: [(keys: [Key], item: LiveItem?, depth: Int)] = [
        ([.enter], .api("GET host0 /0"), 1), ([.down, .down, .right], .api("GET host1 /1"), 1),
        ([.enter, .escape], nil, 0), ([.enter, .left], nil, 0), ([.enter, .backspace], nil, 0),
        ([.enter, .tab], nil, 0), ([.tab, .down, .enter], .host("host0"), 1),
        ([.tab, .enter, .enter], .api("GET host0 /0"), 2), ([.tab, .enter, .enter, .escape], .host("host0"), 1),
        ([.character("3"), .enter], .connection(2), 1),
        // The last call of an API, its connection, and back to the API.
        ([.down, .enter, .down, .enter], .connection(0), 2),
        ([.down, .enter, .enter, .enter], .api("GET host0 /0"), 1),
        ([.enter, .enter, .escape, .escape, .escape], nil, 0),
    ]

    @Test("enter opens the selected row, escape goes back one step", arguments: openings.indices)
    func opens(index: Int) {
        var state = sample()
        _ = press(Self.openings[index].keys, &state)
        #expect(state.place.item == Self.openings[index].item)
        #expect(state.place.depth == Self.openings[index].depth)
    }

    @Test("what the screen needs of the audit is told")
    func content() {
        var state = sample()
        #expect(state.place.content == [])
        _ = press([.tab], &state)
        #expect(state.place.content == .hosts)
        _ = press([.tab, .enter], &state)
        #expect(state.place.content == .connections)
        _ = press([.character("1"), .enter, .enter], &state)
        #expect(state.place.content == .connections)
    }

    // MARK: Others

    @Test("a filter is typed, kept or cleared; its keys do nothing else")
    func filter() {
        var state = sample()
        _ = press([.character("/"), .character("q"), .character("j"), .character(" "), .character("é")], &state)
        #expect(state.isEditingFilter && state.filterText == "qj é" && !state.isFrozen)
        _ = press([.backspace, .backspace, .up, .enter], &state)
        #expect(!state.isEditingFilter && state.filterText == "qj" && state.place.selection == nil)
        _ = press([.escape], &state)
        #expect(state.filterText.isEmpty)
        _ = press([.character("/"), .character("a"), .control("u"), .character("b"), .escape], &state)
        #expect(state.filterText.isEmpty && !state.isEditingFilter)
        _ = press([.character("/")] + Array(repeating: Key.character("x"), count: 999), &state)
        #expect(state.filterText.count == 200)
        state.filterText = "/7"
        _ = press([.enter, .down, .down], &state)
        #expect(state.place.selection == LiveSelection(item: api(7), rank: 0))
    }

    @Test("freezing, help and the end")
    func others() {
        var state = sample()
        _ = press([.character(" ")], &state)
        #expect(state.isFrozen)
        _ = press([.character("p")], &state)
        #expect(!state.isFrozen)
        _ = press([.character("?"), .down, .tab, .character("/")], &state)
        #expect(state.showsHelp && state.place.selection == nil && state.place.table == .apis && !state.isEditingFilter)
        _ = press([.escape], &state)
        #expect(!state.showsHelp)
        #expect(press([.character("q")], &state) == .end)
        #expect(press([.control("l")], &state) == .renewal)
        #expect(press([.character("/"), .character("q")], &state) == .nothing)
        #expect(press([.control("c")], &state) == .end)
    }
}
