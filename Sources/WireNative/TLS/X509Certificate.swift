import CCrypto

/// A certificate (RFC 5280), as far as it tells what a chain needs it for. Its signature is not judged.
@safe public final class X509Certificate {
    private let certificate: OpaquePointer

    /// Nil where `der` is no certificate, where bytes follow it, or where its extensions cannot be read.
    public init?(_ der: RawSpan) {
        let parsed = unsafe der.withUnsafeBytes { bytes -> OpaquePointer? in
            guard let first = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
            var next: UnsafePointer<UInt8>? = unsafe first
            guard let parsed = unsafe d2i_X509(nil, &next, bytes.count) else { return nil }
            guard unsafe next == first + bytes.count else {
                unsafe X509_free(parsed)
                return nil
            }
            return unsafe parsed
        }
        guard let parsed = unsafe parsed else { return nil }
        unsafe certificate = parsed
        // Without a purpose it only reads the extensions.
        guard unsafe X509_check_purpose(certificate, -1, 0) == 1 else { return nil }
    }

    deinit {
        unsafe X509_free(certificate)
    }

    /// Whether it carries the name of the issuer of `other`.
    public func isNamedIssuer(of other: X509Certificate) -> Bool {
        unsafe X509_NAME_cmp(X509_get_subject_name(certificate), X509_get_issuer_name(other.certificate)) == 0
    }

    /// Subject and issuer are the same, the key identifiers agree, and its own key made the signature.
    public var isSelfSigned: Bool { unsafe X509_self_signed(certificate, 1) == 1 }

    public var hasRSAKey: Bool {
        guard let key = unsafe X509_get0_pubkey(certificate) else { return false }
        return unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA
    }

    /// Bytes of its SubjectPublicKeyInfo; 0 where that cannot be encoded.
    public var keyBytes: Int { unsafe max(0, Int(i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), nil))) }

    /// An RSA key signed it.
    public var hasRSASignature: Bool {
        var (digest, key): (Int32, Int32) = (0, 0)
        guard unsafe OBJ_find_sigid_algs(X509_get_signature_nid(certificate), &digest, &key) == 1 else { return false }
        return key == NID_rsaEncryption || key == NID_rsassaPss
    }

    public var signatureBytes: Int {
        var signature: UnsafePointer<ASN1_BIT_STRING>?
        unsafe X509_get0_signature(&signature, nil, certificate)
        return unsafe max(0, Int(ASN1_STRING_length(signature)))
    }
}
