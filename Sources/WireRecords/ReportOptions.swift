import WireCore
import WireStatistics

/// The version in `--version` and in every machine-readable report.
public let toolVersion = "0.1.0"

/// Which bytes a wire figure holds (ByteLedger.md §1.3).
public enum WireLayer: String, Sendable, CaseIterable {
    /// Network and transport headers and payload: what a carrier meters.
    case ip
    /// With link and tunnel headers.
    case link
}

/// What a report shows of a result, and the choices it repeats to its reader.
public struct ReportOptions: Sendable {
    public var layer: WireLayer = .ip
    public var setup: SetupPolicy = .first
    /// Adds the inferred header bytes that offload hid to the wire figures, as a cause of their own.
    public var undoesOffload = false
    /// Values in targets and URLs are not shown (`RedactedURL`): they can be secrets and names.
    public var redactsQuery = false
    /// Text of CSV stands as it was on the wire: nothing is escaped for spreadsheets and viewers.
    public var isRawCSV = false
    /// The BPF expression that chose the frames.
    public var filter: String?
    /// At which connections count that several have; nil: nearest to the network.
    public var countedInterface: String?
    public var files: [String] = []
    public var templates: [String] = []
    public var operations = OperationOptions()
    public var selection = Selection()
    /// Most rows of each table on a terminal; nil for all. JSON always has all.
    public var top: Int? = 20
    /// A terminal's tables say what their columns mean.
    public var explains = false
    /// A terminal's report on accuracy has the main points of the first source only.
    public var isBrief = false
    /// Somebody chose the estimators or gave a log. Else no source of an accuracy report is more the reader's than the
    /// others, and the report says so.
    public var hasChosenSources = true
    /// Of a report that was merged from capture sessions.
    public var merged: MergedSessions?

    public init() {}

    /// Wire bytes by the chosen layer.
    package func wire(_ costs: CostVector) -> Int {
        costs.internet + (layer == .link ? costs.link : 0) + (undoesOffload ? costs.offloadHidden : 0)
    }

    package func wire(_ costs: Directions<CostVector>) -> Int { wire(costs.up) + wire(costs.down) }

    /// What shares are of: all bytes of IP, or of frames where the link layer counts.
    package func whole(_ ledger: LedgerSummary) -> Int {
        let hidden = ledger.causes.up.offloadHidden + ledger.causes.down.offloadHidden
        return (layer == .link ? ledger.bytes : ledger.layers.internet) + (undoesOffload ? hidden : 0)
    }

    /// Bytes of the IP layer, whatever layer the report is of: what savings are a part of.
    package func wholeInternet(_ ledger: LedgerSummary) -> Int {
        var options = self
        options.layer = .ip
        return options.whole(ledger)
    }

    /// What `whole` consists of.
    package var wholeNoun: String { layer == .link ? "frame" : "IP" }
}
