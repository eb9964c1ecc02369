/// What a ServerHello says (RFC 8446 §4.1.3, RFC 5246 §7.4.1.3).
struct ServerHello: Sendable {
    /// The selected version; that of supported_versions where the extension is there.
    var version: UInt16 = 0
    /// 32 bytes.
    var random: [UInt8] = []
    var sessionIdentifier: [UInt8] = []
    var suite: UInt16 = 0
    var compressionMethod: UInt8 = 0
    /// The selected protocol (RFC 7301); TLS 1.3 says it in EncryptedExtensions instead.
    var applicationProtocol: [UInt8]?
    var selectsPreSharedKey = false
    /// RFC 7366.
    var encryptsThenMACs = false
    /// RFC 7627.
    var hasExtendedMasterSecret = false
    /// The part behind the compression method contradicts itself; what could be read of it was.
    var isMalformed = false

    /// The random of a HelloRetryRequest (RFC 8446 §4.1.3).
    private static let retryRandom: [UInt8] = [
        0xCF, 0x21, 0xAD, 0x74, 0xE5, 0x9A, 0x61, 0x11, 0xBE, 0x1D, 0x8C, 0x02, 0x1E, 0x65, 0xB8, 0x91,
        0xC2, 0xA2, 0x11, 0x16, 0x7A, 0xBB, 0x8C, 0x5E, 0x07, 0x9E, 0x09, 0xE2, 0xC8, 0xA8, 0x33, 0x9C,
    ]

    var isRetryRequest: Bool { random == ServerHello.retryRandom }

    /// Reads a message without its four bytes of header. Nil when the fixed part cannot be read.
    init?(_ body: RawSpan) {
        var walk = FieldWalk(0..<body.byteCount)
        guard let version = walk.u16(body), version >> 8 == 3 || version >> 8 == 0x7F, let random = walk.take(32)
        else { return nil }
        self.version = version
        self.random = body.array(random)
        // Old drafts of TLS 1.3 had neither session nor compression method here.
        let isDraft = version >> 8 == 0x7F
        let session = isDraft ? 0..<0 : walk.vector8(body)
        guard let session, session.count <= 32, let suite = walk.u16(body),
            let method = isDraft ? 0 : walk.u8(body)
        else { return nil }
        sessionIdentifier = body.array(session)
        self.suite = suite
        compressionMethod = method
        if walk.isAtEnd { return }
        guard let extensions = walk.vector16(body) else {
            isMalformed = true
            return
        }
        isMalformed = !readExtensions(body, extensions) || !walk.isAtEnd
    }

    private mutating func readExtensions(_ body: RawSpan, _ range: Range<Int>) -> Bool {
        var walk = FieldWalk(range)
        while !walk.isAtEnd {
            guard let type = walk.u16(body), let content = walk.vector16(body) else { return false }
            switch type {
            case ExtensionType.supportedVersions:
                guard content.count == 2 else { return false }
                version = body.be16(content.lowerBound)
            case ExtensionType.applicationProtocol:
                guard let names = protocolNames(body, content, limit: 1), let name = names.first else { return false }
                applicationProtocol = name
            case ExtensionType.encryptThenMAC: encryptsThenMACs = true
            case ExtensionType.extendedMasterSecret: hasExtendedMasterSecret = true
            case ExtensionType.preSharedKey: selectsPreSharedKey = true
            default: break
            }
        }
        return true
    }
}

/// What EncryptedExtensions say (RFC 8446 §4.3.1).
struct EncryptedExtensions: Sendable {
    var applicationProtocol: [UInt8]?
    var acceptsEarlyData = false
    /// QUIC's, as they were sent; empty where there are none.
    var transportParameters: [UInt8] = []

    /// Reads a message without its four bytes of header. Nil when it contradicts itself.
    init?(_ body: RawSpan) {
        var outer = FieldWalk(0..<body.byteCount)
        guard let extensions = outer.vector16(body), outer.isAtEnd else { return nil }
        var walk = FieldWalk(extensions)
        while !walk.isAtEnd {
            guard let type = walk.u16(body), let content = walk.vector16(body) else { return nil }
            if type == ExtensionType.earlyData { acceptsEarlyData = true }
            if type == ExtensionType.transportParameters { transportParameters = body.array(content) }
            guard type == ExtensionType.applicationProtocol else { continue }
            guard let name = protocolNames(body, content, limit: 1)?.first else { return nil }
            applicationProtocol = name
        }
    }
}
