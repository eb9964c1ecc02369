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

    /// Key and nonce of the tags of Retry packets (RFC 9001 §5.8, RFC 9369 §3.3.3).
    var retrySecrets: (key: [UInt8], nonce: [UInt8]) {
        switch self {
        case .version1:
            (
                [0xBE, 0x0C, 0x69, 0x0B, 0x9F, 0x66, 0x57, 0x5A, 0x1D, 0x76, 0x6B, 0x54, 0xE3, 0x68, 0xC8, 0x4E],
                [0x46, 0x15, 0x99, 0xD3, 0x5D, 0x63, 0x2B, 0xF2, 0x23, 0x98, 0x25, 0xBB]
            )
        case .version2:
            (
                [0x8F, 0xB4, 0xB0, 0x1B, 0x56, 0xAC, 0x48, 0xE2, 0x60, 0xFB, 0xCB, 0xCE, 0xAD, 0x7C, 0xCC, 0x92],
                [0xD8, 0x69, 0x69, 0xBC, 0x2D, 0x7C, 0x6D, 0x99, 0x90, 0xEF, 0xB0, 0x4A]
            )
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
