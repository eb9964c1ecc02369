/// A version of QUIC that is read.
enum QUICVersion: Sendable, Hashable, CaseIterable {
    /// RFC 9000.
    case version1
    /// RFC 9369.
    case version2

    /// Nil: not known here; of its packets only what RFC 8999 says can be told.
    init?(_ number: UInt32) {
        switch number {
        case 1: self = .version1
        case 0x6B33_43CF: self = .version2
        default: return nil
        }
    }

    /// From which Initial secrets are made (RFC 9001 §5.2, RFC 9369 §3.3.1).
    var initialSalt: [UInt8] {
        switch self {
        case .version1:
            [
                0x38, 0x76, 0x2C, 0xF7, 0xF5, 0x59, 0x34, 0xB3, 0x4D, 0x17, 0x9A, 0xE6, 0xA4, 0xC8, 0x0C, 0xAD, 0xCC,
                0xBB, 0x7F, 0x0A,
            ]
        case .version2:
            [
                0x0D, 0xED, 0xE3, 0xDE, 0xF7, 0x00, 0xA6, 0xDB, 0x81, 0x93, 0x81, 0xBE, 0x6E, 0x26, 0x9D, 0xCB, 0xF9,
                0xBD, 0x2E, 0xD9,
            ]
        }
    }

    /// What stands before "key", "iv", "hp" and "ku" in the labels of the key schedule.
    var labelPrefix: String {
        switch self {
        case .version1: "quic "
        case .version2: "quicv2 "
        }
    }

    /// The type of a long header by its two bits (RFC 9000 §17.2, RFC 9369 §3.2).
    func kind(_ bits: UInt8) -> QUICPacketKind {
        switch (self, bits & 3) {
        case (.version1, 0), (.version2, 1): .initial
        case (.version1, 1), (.version2, 2): .earlyData
        case (.version1, 2), (.version2, 3): .handshake
        default: .retry
        }
    }
}

/// What a packet is by its header.
enum QUICPacketKind: UInt8, Sendable {
    case initial, earlyData, handshake, retry
    /// Version Negotiation (RFC 9000 §17.2.1).
    case negotiation
    /// A short header (RFC 9000 §17.3): 1-RTT, or nothing that can be told from it.
    case short
    /// A long header of a version that is not known here.
    case unknown
}
