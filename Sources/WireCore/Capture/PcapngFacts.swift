/// Blocks that tell something about the capture: statistics, names, secrets. What of them cannot be read is left out;
/// no frame depends on it.
extension PcapngBlocks {
    /// Interface statistics block (pcapng §4.6). The latest one of an interface holds.
    mutating func readStatistics(_ buffer: RawSpan, body: Int, end: Int) {
        guard end - body >= 12 else { return }
        let interface = Int(order.u32(buffer, body))
        guard interface < interfaces.count else { return }
        var dropped: Int?
        var options = PcapngOptions(from: body + 12, to: end, order: order)
        while options.advance(buffer) {
            // isb_ifdrop and isb_osdrop: lost by the interface, lost by the operating system.
            guard options.code == 5 || options.code == 7, options.length >= 8 else { continue }
            let count = Int(clamping: order.u64(buffer, options.valueOffset))
            dropped = (dropped ?? 0).addingSaturating(count)
        }
        if let dropped { interfaces[interface].statisticsDropped = dropped }
    }

    /// Name resolution block (pcapng §4.5): records of an address and one or more names, each ended by a zero.
    mutating func readNames(_ buffer: RawSpan, body: Int, end: Int) {
        // Records are laid out as options are, and end with the same mark.
        var records = PcapngOptions(from: body, to: end, order: order)
        while records.advance(buffer) {
            let value = records.valueOffset
            let address: IPAddress
            let addressLength: Int
            switch (records.code, records.length) {
            case (1, 5...):
                address = IPAddress(version4: buffer.be32(value))
                addressLength = 4
            case (2, 17...):
                address = IPAddress(high: buffer.be64(value), low: buffer.be64(value + 8), isVersion6: true)
                addressLength = 16
            default:
                continue
            }
            guard readNames(buffer, from: value + addressLength, to: value + records.length, of: address) else {
                passedOver += 1
                return
            }
        }
    }

    /// False where there are too many.
    private mutating func readNames(_ buffer: RawSpan, from start: Int, to end: Int, of address: IPAddress) -> Bool {
        var name: [UInt8] = []
        for offset in start..<end {
            let byte = buffer.u8(offset)
            if byte != 0 { name.append(byte) }
            guard byte == 0 || offset == end - 1, !name.isEmpty else { continue }
            guard names.count < Self.nameLimit else { return false }
            names.append(CaptureName(address: address, name: name))
            name = []
        }
        return true
    }

    /// Decryption secrets block (pcapng §4.7). Only TLS key logs are kept.
    mutating func readSecrets(_ buffer: RawSpan, body: Int, end: Int) {
        let tlsKeyLog: UInt32 = 0x544c_534b
        guard end - body >= 8, order.u32(buffer, body) == tlsKeyLog else { return }
        let length = Int(order.u32(buffer, body + 4))
        guard length <= end - body - 8 else { return }
        guard secrets.count + length < CaptureParser.secretsLimit else {
            passedOver += 1
            return
        }
        buffer.append(body + 8..<body + 8 + length, to: &secrets)
        // The last line of one block must not run into the first of the next.
        if let last = secrets.last, last != 0x0a { secrets.append(0x0a) }
    }
}
