import WireCore
import WireRecords

/// What tables tell of an API.
struct APIFigures {
    var wire: Int
    /// Nil where nobody knows: of what could not be read no call was seen, which is not none.
    var calls: Int?
    var message: Int?
    /// What wire has beyond message, in percent of message; nil where not all messages were read.
    var overhead: String?
    /// Shares of wire; of what was sent again nil where nobody knows.
    var setupShare: String?
    var resentShare: String?
    /// What is known of it.
    var resent: Int

    init(_ row: APISummary, _ options: ReportOptions) {
        let message = row.costs.up.message + row.costs.down.message
        wire = options.wire(row.costs)
        calls = row.callsAreUnknown ? nil : row.exchanges
        self.message = row.callsAreUnknown && message == 0 ? nil : message
        resent = row.costs.up[.retransmission] + row.costs.down[.retransmission]
        let unread = row.costs.up[.opaque] + row.costs.down[.opaque]
        overhead = unread > 0 ? nil : percent(wire - message, of: message)
        setupShare = percent(row.costs.up.setup + row.costs.down.setup, of: wire)
        resentShare = row.retransmissionsAreUnknown ? nil : percent(resent, of: wire)
    }
}
