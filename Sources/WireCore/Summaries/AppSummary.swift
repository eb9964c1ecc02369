/// All that went to and from one app: its connections with their exchanges, and its UDP.
public struct AppSummary: Sendable, Equatable {
    /// As `CaptureProcess` names it; nil for what no packet names an app of.
    public var app: String?
    public var connections = 0
    public var exchanges = 0
    public var costs = Directions<CostVector>()

    public init(app: String?) { self.app = app }

    public static func == (one: AppSummary, other: AppSummary) -> Bool {
        one.app == other.app && one.connections == other.connections && one.exchanges == other.exchanges
            && one.costs.up == other.costs.up && one.costs.down == other.costs.down
    }
}

/// Rows of apps put together from those of their processes.
struct AppRows {
    private(set) var rows: [AppSummary] = []
    private var places: [String: Int] = [:]
    private var unnamedPlace: Int?
    private let processes: ProcessDirectory

    init(_ processes: ProcessDirectory) { self.processes = processes }

    /// Some app is named.
    var nameSome: Bool { rows.contains { $0.app != nil } }

    /// Adds what connections came to, by the numbers of processes.
    mutating func add(_ sums: ProcessSums) {
        for (number, sum) in sums.rows.enumerated() where sum.connections > 0 {
            let place = place(of: UInt16(number))
            rows[place].connections += sum.connections
            rows[place].exchanges += sum.exchanges
            rows[place].costs += sum.costs
        }
    }

    mutating func add(_ datagrams: DatagramRows) {
        for (number, counts) in datagrams.processes.enumerated() where counts != Directions() {
            rows[place(of: UInt16(number))].costs += Directions(
                up: CostVector(counts.up), down: CostVector(counts.down))
        }
    }

    private mutating func place(of number: UInt16) -> Int {
        let app = processes.process(number)?.app
        if let place = app.map({ places[$0] }) ?? unnamedPlace { return place }
        rows.append(AppSummary(app: app))
        if let app { places[app] = rows.count - 1 } else { unnamedPlace = rows.count - 1 }
        return rows.count - 1
    }
}
