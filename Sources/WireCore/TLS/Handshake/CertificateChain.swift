import WireNative

/// The certificates that a server sent, and what they cost more than clients need.
///
/// A class, so that the facts of a connection without one hold no more than a pointer.
public final class CertificateChain: Sendable {
    /// What a certificate is to the chain.
    public enum Use: Sendable, Equatable {
        /// It leads from the server's own certificate to a root.
        case path
        /// Signed by itself, and not the server's own: a client that trusts it has it.
        case root
        /// The same certificate stands before it.
        case repetition
        /// Nothing before it in the path names it as issuer.
        case unrelated
    }

    /// One certificate.
    public struct Part: Sendable, Equatable {
        /// Bytes of the certificate with its length and, in TLS 1.3, its extensions.
        public var bytes: Int
        public var use: Use
    }

    /// What a CompressedCertificate message (RFC 8879) saves.
    public struct Compression: Sendable, Equatable {
        /// The client offered it: its own algorithms were tried. Otherwise Brotli was.
        public var isOffered: Bool
        /// For the message as sent.
        public var saving: Int
        /// For the message without the certificates that no client needs.
        public var savingOfNeeded: Int
    }

    /// In the order of the message.
    public let parts: [Part]
    /// Nil before TLS 1.3, and where the library refuses.
    public let compression: Compression?
    /// About what keys and signatures of P-256 would save in the path; 0 where the server's own key is none of RSA.
    public let ellipticSaving: Int

    /// Bytes of certificates that clients do not need.
    public var unneeded: Int { parts.reduce(0) { $0 + ($1.use == .path ? 0 : $1.bytes) } }

    /// Reads the body of a Certificate message. Nil where one of its entries is no certificate of X.509.
    /// `codings`: offered by the client.
    init?(_ body: RawSpan, isTLS13: Bool, codings: [CertificateCoding]) {
        guard let message = CertificateMessage(body, isTLS13: isTLS13) else { return nil }
        var certificates: [X509Certificate] = []
        for entry in message.entries {
            guard let certificate = X509Certificate(body.extracting(entry.certificate)) else { return nil }
            certificates.append(certificate)
        }
        let uses = CertificateChain.uses(certificates, message.entries.map { body.array($0.certificate) })
        parts = zip(message.entries, uses).map { Part(bytes: $0.all.count, use: $1) }
        let path = zip(certificates, uses).filter { $0.1 == .path }.map(\.0)
        ellipticSaving = CertificateChain.ellipticSaving(path)
        let whole = message.body(body) { _ in true }
        let needed = message.body(body) { uses[$0] == .path }
        let tried = codings.isEmpty ? [.brotli] : codings
        guard isTLS13, let saving = CertificateChain.saving(whole, tried),
            let ofNeeded = CertificateChain.saving(needed, tried)
        else {
            compression = nil
            return
        }
        compression = Compression(isOffered: !codings.isEmpty, saving: saving, savingOfNeeded: ofNeeded)
    }

    /// What each certificate is to the chain. Names alone make the path, so that none is called needless that some client
    /// may go through.
    private static func uses(_ certificates: [X509Certificate], _ contents: [[UInt8]]) -> [Use] {
        var uses = [Use](repeating: .unrelated, count: certificates.count)
        var waiting = [0]
        uses[0] = .path
        while let current = waiting.popLast() {
            for index in uses.indices where uses[index] == .unrelated {
                guard certificates[index].isNamedIssuer(of: certificates[current]) else { continue }
                uses[index] = certificates[index].isSelfSigned ? .root : .path
                waiting.append(index)
            }
        }
        for index in uses.indices where contents[..<index].contains(contents[index]) { uses[index] = .repetition }
        return uses
    }

    /// Algorithm and two lengths of a CompressedCertificate.
    private static let compressedHeader = 8

    private static func saving(_ body: [UInt8], _ codings: [CertificateCoding]) -> Int? {
        codings.compactMap { $0.size(of: body) }.min().map { max(0, body.count - compressedHeader - $0) }
    }

    /// SubjectPublicKeyInfo of a P-256 key, and the usual length of a signature by one.
    private static let (ellipticKey, ellipticSignature) = (91, 71)

    private static func ellipticSaving(_ path: [X509Certificate]) -> Int {
        guard path.first?.hasRSAKey == true else { return 0 }
        return path.reduce(0) { sum, certificate in
            let key = certificate.hasRSAKey ? max(0, certificate.keyBytes - ellipticKey) : 0
            let signature = certificate.hasRSASignature ? max(0, certificate.signatureBytes - ellipticSignature) : 0
            return sum + key + signature
        }
    }
}

extension CertificateChain: Equatable {
    public static func == (left: CertificateChain, right: CertificateChain) -> Bool {
        (left.parts, left.ellipticSaving) == (right.parts, right.ellipticSaving)
            && left.compression == right.compression
    }
}
