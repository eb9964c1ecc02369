/// Which part of a frame tells of the process that it is of.
public enum ProcessCarrier: UInt8, Sendable {
    case none
    /// PKTAP's header.
    case tap
    /// PCAPdroid's trailer.
    case trailer
}

extension ProcessDirectory {
    /// The number of the process that a frame tells of; 0 for none.
    package func number(of packet: DecodedPacket, _ bytes: RawSpan) -> UInt16 {
        number(ProcessIdentity(packet.processCarrier, bytes, at: packet.processOffset, self))
    }
}

extension ProcessIdentity {
    fileprivate init(_ carrier: ProcessCarrier, _ bytes: RawSpan, at offset: Int, _ directory: ProcessDirectory) {
        self.init()
        switch carrier {
        case .none: break
        case .tap: readTap(bytes, at: offset, directory)
        case .trailer:
            // Its magic number, the user that the app is, its name.
            isUser = true
            pid = bytes.be32(offset + 4)
            name = directory.name(offset + 8..<offset + 28, in: bytes)
        }
    }

    /// PKTAP, all numbers least significant byte first: its length (0), process number (52) and name (56, 17 bytes),
    /// effective process number (84) and name (88, 17 bytes). At least 76 bytes were captured.
    private mutating func readTap(_ bytes: RawSpan, at start: Int, _ directory: ProcessDirectory) {
        pid = bytes.le32(start + 52)
        name = directory.name(start + 56..<start + 73, in: bytes)
        guard bytes.le32(start) >= 108, bytes.byteCount - start >= 108 else { return }
        effectivePID = bytes.le32(start + 84)
        effectiveName = directory.name(start + 88..<start + 105, in: bytes)
    }
}
