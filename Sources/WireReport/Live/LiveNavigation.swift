import WireCore

/// A thing that a row of the live screen stands for. A selection follows it, wherever its row moves.
public enum LiveItem: Hashable, Sendable {
    /// By the name of its row.
    case api(String)
    case host(String)
    /// By its number in the audit.
    case connection(Int)
    case call(connection: Int, exchange: Int)
}

/// A table that fills the live screen.
public enum LiveTable: Int, Sendable, CaseIterable {
    case apis, hosts, connections

    var name: String {
        switch self {
        case .apis: "APIs"
        case .hosts: "hosts"
        case .connections: "connections"
        }
    }

    /// The orders that it can be in, the usual one first.
    public var sorts: [LiveSort] {
        switch self {
        case .apis: [.wire, .rate, .calls, .name]
        case .hosts: [.wire, .calls, .connections, .name]
        case .connections: [.wire, .latest, .calls, .name]
        }
    }

    /// The table so many places on, around the end.
    public func advanced(by distance: Int) -> LiveTable {
        let all = LiveTable.allCases
        return all[((rawValue + distance) % all.count + all.count) % all.count]
    }
}

/// What comes first in a table.
public enum LiveSort: String, Sendable, CaseIterable {
    case wire, rate, calls, connections, latest, name
}

/// The order of a table.
public struct LiveOrder: Sendable, Equatable {
    public var sort = LiveSort.wire
    /// The last comes first.
    public var isReversed = false

    public init(sort: LiveSort = .wire, isReversed: Bool = false) {
        self.sort = sort
        self.isReversed = isReversed
    }
}

/// The selected row.
public struct LiveSelection: Sendable, Equatable {
    public var item: LiveItem
    /// Where it stood last: the row there is selected when the item goes.
    public var rank: Int

    public init(item: LiveItem, rank: Int) {
        self.item = item
        self.rank = rank
    }
}

/// Where a person is on the live screen: in a table, or in something that was opened there.
///
/// - Invariant: no item is open twice, and no more than `deepest` are.
public struct LiveNavigation: Sendable {
    private static let deepest = 8

    private struct Level: Sendable {
        var item: LiveItem
        var selection: LiveSelection?
    }

    public private(set) var table = LiveTable.apis
    private var opened: [Level] = []
    private var selections: [LiveTable: LiveSelection] = [:]
    private var orders: [LiveTable: LiveOrder] = [:]

    public init() {}

    /// What is open; nil in a table.
    public var item: LiveItem? { opened.last?.item }
    public var depth: Int { opened.count }

    /// In the table, or in what is open.
    public var selection: LiveSelection? {
        get { opened.isEmpty ? selections[table] : opened[opened.count - 1].selection }
        set {
            if opened.isEmpty { selections[table] = newValue } else { opened[opened.count - 1].selection = newValue }
        }
    }

    /// Of the table; an opened host shows its APIs in the order of theirs.
    public var order: LiveOrder {
        get { orders[orderedTable] ?? LiveOrder() }
        set { orders[orderedTable] = newValue }
    }

    var orderedTable: LiveTable {
        if case .host? = item { .apis } else { table }
    }

    /// Calls stand in the order of their times.
    public var canSort: Bool {
        switch item {
        case nil, .host?: true
        default: false
        }
    }

    public mutating func show(_ table: LiveTable) {
        opened = []
        self.table = table
    }

    /// What is open already is returned to.
    public mutating func open(_ item: LiveItem) {
        if let level = opened.firstIndex(where: { $0.item == item }) {
            opened.removeLast(opened.count - level - 1)
            return
        }
        if opened.count == Self.deepest { opened.removeFirst() }
        opened.append(Level(item: item))
    }

    /// Goes back to where it was opened. False where nothing is open.
    public mutating func close() -> Bool { opened.popLast() != nil }

    /// What one more press of the key chooses.
    public var nextSort: LiveSort {
        let sorts = orderedTable.sorts
        let place = sorts.firstIndex(of: order.sort) ?? 0
        return sorts[(place + 1) % sorts.count]
    }

    /// What the screen needs of the audit beside what it always has.
    public var content: SnapshotContent {
        var content: SnapshotContent = table == .hosts ? .hosts : table == .connections ? .connections : []
        for level in opened {
            switch level.item {
            case .host: content.insert(.hosts)
            case .connection: content.insert(.connections)
            case .api, .call: break
            }
        }
        return content
    }
}
