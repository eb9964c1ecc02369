import WireLogs

/// An API, and its host.
struct APIName: Hashable {
    var name: [UInt8]
    var host: [UInt8]
}

/// When a row's call went on, and the index of its host's timeline.
private struct Period {
    var window: ClosedRange<Int64>
    var timeline: Int
}

/// Bounds of rows, summed by API.
struct BoundsByAPI {
    private var apis: [LogBounds.API] = []
    private var places: [APIName: Int] = [:]
    /// Windows of the rows of each API, by direction: what lies in two of them was sent once.
    private var windows: [(up: [Period], down: [Period])] = []

    private mutating func place(_ name: APIName) -> Int {
        if let place = places[name] { return place }
        places[name] = apis.count
        apis.append(
            LogBounds.API(
                name: String(decoding: name.name, as: UTF8.self), host: String(decoding: name.host, as: UTF8.self)))
        windows.append(([], []))
        return apis.count - 1
    }

    mutating func addRow(_ name: APIName) { apis[place(name)].rows += 1 }

    /// A row that was added has no bounds.
    mutating func addUnbounded(_ name: APIName) { apis[place(name)].unbounded += 1 }

    mutating func add(
        _ figure: LogBounds.Figure, _ window: ClosedRange<Int64>, _ timeline: Int, _ direction: Direction,
        _ name: APIName
    ) {
        let place = place(name)
        apis[place][direction].add(figure)
        let period = Period(window: window, timeline: timeline)
        if direction == .up { windows[place].up.append(period) } else { windows[place].down.append(period) }
    }

    func finish(_ timelines: [HostTimeline]) -> [LogBounds.API] {
        var apis = apis
        for place in apis.indices {
            for direction in Direction.allCases {
                let periods = direction == .up ? windows[place].up : windows[place].down
                var side = apis[place][direction]
                side.most = min(side.most, BoundsByAPI.most(periods, direction, timelines))
                // A row that is there twice has its least twice.
                side.least = min(side.least, side.most)
                side.mostGivenBodies = max(min(side.mostGivenBodies, side.most), side.least)
                apis[place][direction] = side
            }
        }
        return apis.sorted {
            ($1.up.logged.saturatingSum($1.down.logged), $0.name) < (
                $0.up.logged.saturatingSum($0.down.logged), $1.name
            )
        }
    }

    /// All that was sent in any of the windows, once.
    private static func most(_ periods: [Period], _ direction: Direction, _ timelines: [HostTimeline]) -> Int {
        Dictionary(grouping: periods, by: \.timeline).reduce(0) { sum, own in
            HostTimeline.union(own.value.map(\.window)).reduce(sum) { sum, window in
                let calls = own.value.count { window.contains($0.window.lowerBound) }
                return sum + timelines[own.key].most(direction, window, calls: calls)
            }
        }
    }
}

extension LogBounds.Side {
    fileprivate mutating func add(_ figure: LogBounds.Figure) {
        rows += 1
        logged = logged.saturatingSum(figure.logged)
        least = least.saturatingSum(figure.message.lowerBound)
        most = most.saturatingSum(figure.message.upperBound)
        mostGivenBodies = mostGivenBodies.saturatingSum(figure.mostGivenBodies)
        if figure.isExact { exact += 1 }
        if figure.logged > figure.message.upperBound { tooHigh += 1 }
        if figure.logged < figure.message.lowerBound { tooLow += 1 }
    }
}
