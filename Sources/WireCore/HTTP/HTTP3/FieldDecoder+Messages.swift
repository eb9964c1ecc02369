/// Whose a field section is.
struct SectionUse {
    var stream: UInt64
    var owner: Owner
    var role: MessageRole
}

/// Fields of messages.
extension FieldDecoder {
    /// Reads a field section that took `count` bytes with its frame's payload; nil where what it refers to has not come.
    func fields(
        _ bytes: RawSpan, _ count: Int, _ use: SectionUse, isLast: Bool, _ context: inout StreamContext
    ) -> MessageFields? {
        let fields = MessageFields(section: FieldSection(context), bytes: count)
        let limit = context.isCrowdedWithHeads ? 0 : context.options.headerSectionLimit
        switch read(bytes, into: &fields.section, limit: limit, isLast: isLast, &context, use) {
        case .blocked: return nil
        case .read: break
        case .inPart: context.findings.add(.qpackFieldsUnknown)
        case .failed:
            context.findings.add(.qpackMalformed)
            fields.isBroken = true
        }
        if fields.section.isCut { context.findings.add(.headerSectionLimit) }
        return fields
    }
}

extension SectionUse {
    /// The message is the first to refer to insertions, which others may have been taken to be before.
    func note(_ numbers: Set<UInt64>, _ uses: inout InsertionUses, _ context: inout StreamContext) {
        var (bytes, taken) = uses.note(numbers, stream: stream, owner)
        for share in taken {
            guard context.attribution.isOpen(share.owner) else {
                // Its record has been given out, and no insertion counts twice.
                bytes -= share.bytes
                continue
            }
            context.exchanges[Int(share.owner.index), role].insertedBytes -= share.bytes
        }
        guard context.attribution.isOpen(owner) else { return }
        context.exchanges[Int(owner.index), role].insertedBytes += bytes
        if uses.isDoubtful, !numbers.isEmpty { context.exchanges[Int(owner.index), role].isInsertedUnknown = true }
    }
}

extension InsertionUses {
    /// Sections of a stream are missing: messages of later streams may not have been the first to refer to insertions.
    mutating func doubt(behind stream: UInt64, _ role: MessageRole, _ context: inout StreamContext) {
        isDoubtful = true
        for owner in users(behind: stream) where context.attribution.isOpen(owner) {
            context.exchanges[Int(owner.index), role].isInsertedUnknown = true
        }
    }
}
