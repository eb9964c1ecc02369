import WireTesting

@testable import WireCore

/// What lies in the stream: chosen at random, one element behind the other.
extension AttributionProgram {
    private static let causes: [Cause] = [.startLine, .headers, .framing, .body, .opaque]

    /// Makes elements until there are so many bytes to come.
    func fill(_ direction: Direction, _ count: Int) {
        let side = direction.index
        while elements[side].reduce(-consumed[side], { $0 + $1.count }) < count { append(direction) }
    }

    private func append(_ direction: Direction) {
        let side = direction.index
        if isDirect {
            elements[side] += units(upTo: 3)
            return
        }
        switch random.below(finishesElements ? 2 : 8) {
        case 0: elements[side].append(.counted(.handshake, .setupTLS, 1 + random.below(40)))
        case 1: elements[side].append(.counted(.connection, .teardown, 1 + random.below(9)))
        case 3 where !hasContent[side]: appendEarly(side)
        default:
            hasContent[side] = true
            // Records that a unit goes on in.
            let parts = units(upTo: 5)
            let cut = random.below(parts.count + 1)
            for content in [Array(parts[..<cut]), Array(parts[cut...])] where content.contains(where: { $0.count > 0 })
            {
                elements[side].append(record(content))
                if random.oneIn(3) { elements[side].append(.counted(.connection, .tlsRecords, 1 + random.below(9))) }
            }
        }
    }

    private func appendEarly(_ side: Int) {
        for _ in 0...random.below(2) {
            elements[side].append(record(units(upTo: 2), isEarly: true))
            if random.oneIn(2) { elements[side].append(.counted(.handshake, .setupTLS, 1 + random.below(20))) }
        }
        elements[side].append(.decide(isAccepted: random.oneIn(2)))
    }

    private func record(_ content: [Element], isEarly: Bool = false) -> Element {
        .record(lead: 5 + random.below(9), content: content, trail: random.below(18), isEarly: isEarly)
    }

    private func claim() -> Element {
        let (owner, cause) = owner()
        return .claim(owner, cause, 1 + random.below(25))
    }

    private func owner() -> (Owner, Cause) {
        if random.oneIn(4) { return (.connection, random.oneIn(2) ? .setupHTTP : .opaque) }
        return (random.element(owners), random.element(Self.causes))
    }

    /// Claims, and bytes whose owner shows behind them.
    private func units(upTo most: Int) -> [Element] {
        var units: [Element] = []
        for _ in 0...random.below(most) {
            let (owner, cause) = owner()
            if random.oneIn(3) {
                for _ in 0...random.below(2) { units.append(.partial(1 + random.below(8))) }
                units.append(random.oneIn(6) ? .abandon : .resolve(owner, cause, 1 + random.below(9)))
            }
            units.append(random.oneIn(2) ? .claim(owner, cause, 1 + random.below(25)) : claim())
        }
        return units
    }
}
