/// Types of handshake messages (RFC 8446 §4, RFC 5246 §7.4).
enum HandshakeType {
    static let clientHello: UInt8 = 1
    static let serverHello: UInt8 = 2
    static let newSessionTicket: UInt8 = 4
    static let endOfEarlyData: UInt8 = 5
    static let encryptedExtensions: UInt8 = 8
    static let certificate: UInt8 = 11
    static let serverHelloDone: UInt8 = 14
    static let clientKeyExchange: UInt8 = 16
    static let finished: UInt8 = 20
    static let keyUpdate: UInt8 = 24
    static let compressedCertificate: UInt8 = 25
}

/// The handshake messages of one direction, which lie in records as they please (RFC 8446 §5.1).
///
///     type (1)  length (3)  body        type (1)  length (3)  body
///     '-- record --'  '------ record ------'  '---- record ----'
///
/// Only messages that are read are kept, and of those at most `keptLimit` bytes; all others pass by their length. Of tickets
/// only the lifetime is kept, with which they begin.
struct HandshakeStream: Sendable {
    /// A message whose last byte came.
    struct Message {
        var type: UInt8
        /// Bytes with the four bytes of header.
        var length: Int
        /// The body is in `body`.
        var isKept: Bool
    }

    static let headerLength = 4
    static let keptLimit = 1 << 16
    static let lifetimeLength = 4

    /// Where messages begin is not known any more.
    private(set) var isLost = false
    /// Certificate messages are read, too.
    var keepsCertificates = false
    /// Body of the message that was returned last, where it is kept.
    private(set) var body: [UInt8] = []
    private var header: UInt32 = 0
    private var headerBytes = 0
    private var remaining = 0
    private var isKept = false
    /// Bytes of the body that are kept.
    private var wanted = 0

    /// Nothing of a message is waiting for its rest.
    var isBetweenMessages: Bool { headerBytes == 0 }

    /// The type of the message that is coming in.
    private var type: UInt8 { UInt8(truncatingIfNeeded: header >> 24) }

    /// Takes bytes from `offset` up to the end of the next message, or all up to `end`: then nil.
    mutating func next(_ bytes: RawSpan, _ offset: inout Int, end: Int) -> Message? {
        while headerBytes < HandshakeStream.headerLength {
            guard offset < end else { return nil }
            header = header << 8 | UInt32(bytes.u8(offset))
            headerBytes += 1
            offset += 1
            if headerBytes == HandshakeStream.headerLength { beginBody() }
        }
        let taken = min(remaining, end - offset)
        if isKept, body.count < wanted {
            bytes.append(offset..<offset + min(taken, wanted - body.count), to: &body)
        }
        offset += taken
        remaining -= taken
        guard remaining == 0 else { return nil }
        headerBytes = 0
        let length = HandshakeStream.headerLength + Int(header & 0xFF_FFFF)
        return Message(type: type, length: length, isKept: isKept)
    }

    private mutating func beginBody() {
        remaining = Int(header & 0xFF_FFFF)
        body = []
        let isRead =
            switch type {
            case HandshakeType.clientHello, HandshakeType.serverHello, HandshakeType.encryptedExtensions,
                HandshakeType.clientKeyExchange, HandshakeType.newSessionTicket:
                true
            case HandshakeType.certificate: keepsCertificates
            default: false
            }
        isKept = isRead && remaining <= HandshakeStream.keptLimit
        wanted = type == HandshakeType.newSessionTicket ? HandshakeStream.lifetimeLength : remaining
    }

    /// Forgets the message that is coming in: other keys, another stream.
    mutating func restart() {
        let keepsCertificates = keepsCertificates
        self = HandshakeStream()
        self.keepsCertificates = keepsCertificates
    }

    mutating func lose() {
        restart()
        isLost = true
    }

    /// Lets go of a body that was read.
    mutating func forgetBody() { body = [] }
}
