import WireCore
import WireRecords

/// What the script reads: names, and rows of figures as texts. Rows are parted by `;` and lists of whole numbers.
///
/// - apis: calls, or −1 where they are not known; causes up; causes down.
/// - hosts: the columns of their table.
/// - connections: host, client's port, protocol, end, start, length, first call or −1, calls, what was not read, then causes of
///   both directions together.
/// - calls: connection or −1, API or −1, path or −1, status or 0, start; end of the request, begin and end of the response,
///   from the start, −1 where not known; causes up; causes down.
///
/// Causes are their count, then a number and bytes each. Times are microseconds from the first packet.
struct AuditData {
    let page: AuditPage
    private let options: ReportOptions

    init(page: AuditPage) {
        self.page = page
        options = page.options
    }

    func write(to buffer: inout OutputBuffer) {
        buffer.literal("{\"whole\":")
        buffer.integer(page.whole)
        buffer.literal(",\"span\":")
        buffer.integer(TimeSpan(page).length)
        buffer.literal(",\"groups\":")
        buffer.scriptStrings(CostGroup.allCases.map(\.name))
        buffer.literal(",\"causes\":")
        buffer.scriptList(causes) { cause, buffer in
            buffer.literal("[")
            buffer.scriptString(cause.name)
            buffer.literal(",")
            buffer.integer(cause.group.rawValue)
            buffer.literal(cause.isSetup ? ",1]" : "]")
        }
        buffer.literal(",\"apis\":")
        buffer.scriptStrings(page.apis.map { PageDocument.shownName($0.api) })
        rows("apiRows", page.apis, &buffer) { row in
            [row.isEncrypted && row.exchanges == 0 ? -1 : row.exchanges, row.retransmissionsAreUnknown ? 0 : 1]
                + self.costs(row.costs)
        }
        hosts(&buffer)
        connectionsAndCalls(&buffer)
        buffer.literal("}")
    }

    /// The ledger's causes, and what the chosen layer adds to them.
    private var causes: [(name: String, group: CostGroup, isSetup: Bool)] {
        Cause.allCases.map { ($0.title, CostGroup($0), $0.isSetup) }
            + [("link and tunnel headers", .carrying, false), ("hidden by offload (inferred)", .carrying, false)]
    }

    private func costs(_ costs: Directions<CostVector>) -> [Int] { self.costs(costs.up) + self.costs(costs.down) }

    private func costs(_ costs: CostVector) -> [Int] {
        var pairs: [Int] = []
        for cause in Cause.allCases where costs[cause] != 0 { pairs += [cause.rawValue, costs[cause]] }
        let count = Cause.allCases.count
        if options.layer == .link, costs.link != 0 { pairs += [count, costs.link] }
        if options.undoesOffload, costs.offloadHidden != 0 { pairs += [count + 1, costs.offloadHidden] }
        return [pairs.count / 2] + pairs
    }

    private func rows<Row>(
        _ name: StaticString, _ rows: [Row], _ buffer: inout OutputBuffer, _ numbers: (Row) -> [Int]
    ) {
        buffer.literal(",\"")
        buffer.literal(name)
        buffer.literal("\":\"")
        for (place, row) in rows.enumerated() {
            if place > 0 { buffer.literal(";") }
            for number in numbers(row) { buffer.scriptDigits(number) }
        }
        buffer.literal("\"")
    }

    private func hosts(_ buffer: inout OutputBuffer) {
        let hosts = page.hosts.map { AuditHostRow($0, page) }
        buffer.literal(",\"hosts\":")
        buffer.scriptList(hosts) { $1.scriptStrings([$0.name, $0.protocols, $0.verdict]) }
        rows("hostRows", hosts, &buffer) { $0.figures }
    }

    // MARK: One by one

    private func connectionsAndCalls(_ buffer: inout OutputBuffer) {
        let connections = page.connections.shown
        let apis = Dictionary(page.apis.enumerated().map { ($0.element.api, $0.offset) }) { first, _ in first }
        var names = NumberedTexts()
        rows("connectionRows", connections, &buffer) { connection in
            [
                names.number(displayText(connection.host)), Int(connection.client.port),
                names.number(connection.protocolName), names.number(connection.close),
                page.place(connection.time),
                Int(clamping: (connection.end &- connection.time) / 1000),
                connection.firstCall.map { Int(clamping: ($0 &- connection.time) / 1000) } ?? -1, connection.calls,
                connection.unread,
            ] + self.costs(connection.costs.sum)
        }
        rows("callRows", page.calls.shown, &buffer) { call in
            let api = apis[String(decoding: call.api, as: UTF8.self)]
            return [
                page.connectionPlaces[call.connection] ?? -1, api ?? -1, path(of: call, &names), call.status ?? 0,
                page.place(call.time),
                after(call.requestEnd, call), after(call.responseStart, call), after(call.end, call),
            ] + self.costs(call.costs)
        }
        buffer.literal(",\"names\":")
        buffer.scriptStrings(names.texts)
    }

    /// A path is told where the API's name does not have it. Queries are not: they can hold secrets.
    private func path(of call: TrafficSample.Call, _ names: inout NumberedTexts) -> Int {
        guard let path = call.path else { return -1 }
        let parts = call.api.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        if parts.count == 3, Array(parts[2]) == path { return -1 }
        return names.number(shortened(displayText(path), to: 80, ellipsis: "…"))
    }

    private func after(_ time: Int64?, _ call: TrafficSample.Call) -> Int {
        time.map { max(Int(clamping: ($0 &- call.time) / 1000), 0) } ?? -1
    }
}

/// Texts that are told once and then by their number.
private struct NumberedTexts {
    private(set) var texts: [String] = []
    private var numbers: [String: Int] = [:]

    mutating func number(_ text: String) -> Int {
        if let number = numbers[text] { return number }
        numbers[text] = texts.count
        texts.append(text)
        return texts.count - 1
    }
}

extension Cause {
    /// Part of `CostVector.setup`.
    fileprivate var isSetup: Bool {
        [.setupDNS, .setupTCP, .setupTLS, .setupQUIC, .setupHTTP].contains(self)
    }
}

extension Directions<CostVector> {
    /// Both directions together.
    fileprivate var sum: CostVector {
        var sum = up
        sum += down
        return sum
    }
}
