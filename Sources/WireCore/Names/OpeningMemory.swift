/// Which connections have opened lately, so that a SYN that is sent again, or the answer to one, is not taken for another
/// opening.
struct OpeningMemory {
    private static let slotCount = 4096
    /// Nobody can choose addresses that are taken for others.
    let seed = UInt64.random(in: .min ... .max)
    /// Digests of addresses, ports and the client's initial sequence number; 0 where there is none.
    private var slots = [UInt64](repeating: 0, count: slotCount)

    /// Whether a connection of that digest opens for the first time, as far as is remembered.
    mutating func isFirst(_ digest: UInt64) -> Bool {
        let digest = digest | 1
        let slot = Int(truncatingIfNeeded: digest >> 32) & (OpeningMemory.slotCount - 1)
        guard slots[slot] != digest else { return false }
        slots[slot] = digest
        return true
    }
}
