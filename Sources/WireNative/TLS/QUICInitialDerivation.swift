/// Derives the secrets of Initial packets (RFC 9001 §5.2) for many connections, one after another: what libcrypto made ready
/// for one serves for the next.
///
/// These secrets are no secrets: anyone can make them. Not for two threads at a time.
public final class QUICInitialDerivation {
    private static let limit = 4
    private static let labels = (client: info("client in"), server: info("server in"))

    /// Contexts of HMAC with SHA-256 that nobody uses.
    private var idle: [HMACContext] = []
    /// The salt that extraction used last, which is its key.
    private var salted: (salt: [UInt8], context: HMACContext)?

    public init() {}

    /// The secrets of both endpoints. Nil where libcrypto refuses.
    ///
    /// - Parameters:
    ///   - salt: the version's.
    ///   - id: the destination connection ID of the client's first Initial, or what Retry put in its place.
    public func secrets(salt: [UInt8], id: [UInt8]) -> (client: [UInt8], server: [UInt8])? {
        guard let initial = extract(salt: salt, keyingMaterial: id),
            let expander = SecretExpander(initial, .sha256, self),
            let client = expander.expand(info: Self.labels.client, length: initial.count),
            let server = expander.expand(info: Self.labels.server, length: initial.count)
        else { return nil }
        return (client, server)
    }

    /// HKDF-Extract, which is an HMAC with the salt as its key (RFC 5869 §2.2).
    public func extract(salt: [UInt8], keyingMaterial: [UInt8]) -> [UInt8]? {
        if let salted, salted.salt == salt { return salted.context.code(keyingMaterial) }
        guard let context = salted?.context ?? HMACContext(.sha256), context.setKey(salt) else {
            salted = nil
            return nil
        }
        salted = (salt, context)
        return context.code(keyingMaterial)
    }

    func take() -> HMACContext? { idle.popLast() ?? HMACContext(.sha256) }

    func giveBack(_ context: HMACContext) {
        if idle.count < Self.limit { idle.append(context) }
    }

    private static func info(_ label: String) -> [UInt8] {
        TLSKeySchedule.info(label: label, context: [], length: TLSDigest.sha256.length) ?? []
    }
}
