import WireTesting

@testable import WireCore

/// Elements of the stream as a reader would claim them.
extension AttributionProgram {
    // MARK: Elements

    /// Consumes so many bytes of the direction's elements.
    func deliver(_ count: Int, _ direction: Direction) {
        let side = direction.index
        fill(direction, count)
        model.packets[packet].places += Array(next[side]..<next[side] + count)
        model.append(count, direction)
        var left = count
        while left > 0 {
            let element = elements[side][0]
            let taken = min(left, element.count - consumed[side])
            entered += taken
            consume(element, taken, direction)
            next[side] += taken
            consumed[side] += taken
            left -= taken
            if consumed[side] == element.count { advance(direction) }
            check("element")
        }
    }

    private func advance(_ direction: Direction) {
        elements[direction.index].removeFirst()
        consumed[direction.index] = 0
        while let element = elements[direction.index].first, element.count == 0 {
            elements[direction.index].removeFirst()
            if case .decide(let isAccepted) = element { decide(isAccepted, direction) }
            if case .abandon = element { abandon(direction) }
            check("decision")
        }
    }

    private func consume(_ element: Element, _ count: Int, _ direction: Direction) {
        let start = next[direction.index]
        switch element {
        case .record: collect(element, count, direction)
        case .counted(let owner, let cause, _):
            attribution.connection[direction].unattributed[cause] += count
            if let runs = attribution.connection[direction].runs {
                attribution.attributeUnit(count, [], owner, at: StreamPosition(start), runs, direction)
            }
            model.set(start..<start + count, direction, owner, cause)
        default: consumeUnit(element, consumed[direction.index] == 0, count, at: start, direction)
        }
    }

    /// A part of a unit, which may be its first.
    private func consumeUnit(_ element: Element, _ isFirst: Bool, _ count: Int, at start: Int, _ direction: Direction) {
        switch element {
        case .claim(let owner, let cause, _): claim(owner, cause, count, at: start, direction)
        case .partial:
            attribution.deferUnresolved(StreamPosition(start), count, direction)
            unresolved[direction.index] += Array(start..<start + count)
        case .resolve(let owner, let cause, _):
            if isFirst {
                let before = attribution.unresolvedCount(direction)
                if before != unresolved[direction.index].count { failures.append("unresolved bytes") }
                attribution.resolveUnresolved(owner, cause, direction)
                settle(owner, cause, direction)
            }
            claim(owner, cause, count, at: start, direction)
        default: break
        }
    }

    private func settle(_ owner: Owner, _ cause: Cause, _ direction: Direction) {
        for place in unresolved[direction.index] { model.set(place..<place + 1, direction, owner, cause) }
        unresolved[direction.index] = []
    }

    private func claim(_ owner: Owner, _ cause: Cause, _ count: Int, at start: Int, _ direction: Direction) {
        switch random.below(4) {
        case 0 where owner.index >= 0: attribution.claim(account: owner.index, cause, count, direction)
        case 1: attribution.claimUnread(owner, cause, count, direction)
        case 2 where owner == .connection && cause == .opaque: attribution.claimUnowned(count, direction)
        default: attribution.claim(owner, cause, count, direction)
        }
        attribution.appendDirect(owner, upTo: StreamPosition(start + count), direction)
        model.set(start..<start + count, direction, owner, cause)
    }

    func abandon(_ direction: Direction) {
        attribution.abandonUnresolved(direction)
        settle(.connection, .opaque, direction)
    }

    // MARK: Records

    /// Keeps bytes of a record, or reads it where it is whole.
    private func collect(_ element: Element, _ count: Int, _ direction: Direction) {
        guard case .record(let lead, let content, let trail, let isEarly) = element else { return }
        let side = direction.index
        let start = next[side] - consumed[side]
        let isWhole = consumed[side] + count == element.count
        if consumed[side] > 0 || !isWhole {
            pieces[side].append(attribution.deferPiece(StreamPosition(next[side]), count))
            kept += count
            check("record begun")
        }
        guard isWhole else { return }
        if !pieces[side].isEmpty { kept -= element.count }
        var unit = RecordUnit(
            start: StreamPosition(start), lead: lead, trail: trail, end: StreamPosition(start + element.count),
            pieces: pieces[side])
        pieces[side] = []
        guard isEarly else { return read(unit, content, direction) }
        if unit.pieces.isEmpty { unit.pieces = [attribution.deferPiece(unit.start, unit.length)] }
        early[side].append(Early(unit: unit, content: content, packet: attribution.packet))
        attribution.holdRecord(direction)
        kept += element.count
    }

    private func read(_ unit: RecordUnit, _ content: [Element], _ direction: Direction) {
        var position = unit.start.value + unit.lead
        unread = content.reduce(0) { $0 + $1.count }
        let count = unread
        attribution.enter(record: unit)
        check("record entered")
        for element in content {
            if case .abandon = element { abandon(direction) }
            unread -= element.count
            consumeUnit(element, true, element.count, at: position, direction)
            position += element.count
            check("unit in a record")
        }
        attribution.leave(direction)
        records.append((unit.lead, unit.trail, unit.start.value, count, direction))
        check("record left")
    }

    func decide(_ isAccepted: Bool, _ direction: Direction) {
        let held = early[direction.index]
        early[direction.index] = []
        for record in held {
            attribution.attributeDeferred(before: record.unit.start, direction)
            kept -= record.unit.length
            if isAccepted {
                read(record.unit, record.content, direction)
                continue
            }
            attribution.connection[direction].unattributed[.opaque] += record.unit.length
            attribution.attribute(record.unit.pieces, upTo: record.unit.end, .connection, direction)
            model.set(record.unit.start.value..<record.unit.end.value, direction, .connection, .opaque)
        }
        attribution.releaseRecords(direction)
        attribution.attributeDeferred(direction)
    }
}
