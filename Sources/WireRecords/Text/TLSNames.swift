/// The registered name of a TLS handshake message (RFC 8446 §4 and §B.3, RFC 8879), or `type_N`.
package func handshakeName(_ type: UInt8) -> String {
    switch type {
    case 0: "hello_request"
    case 1: "client_hello"
    case 2: "server_hello"
    case 3: "hello_verify_request"
    case 4: "new_session_ticket"
    case 5: "end_of_early_data"
    case 6: "hello_retry_request"
    case 8: "encrypted_extensions"
    case 11: "certificate"
    case 12: "server_key_exchange"
    case 13: "certificate_request"
    case 14: "server_hello_done"
    case 15: "certificate_verify"
    case 16: "client_key_exchange"
    case 20: "finished"
    case 21: "certificate_url"
    case 22: "certificate_status"
    case 23: "supplemental_data"
    case 24: "key_update"
    case 25: "compressed_certificate"
    case 254: "message_hash"
    default: "type_\(type)"
    }
}

/// The name of a level of alert (RFC 8446 §6), or `level_N`.
package func alertLevelName(_ level: UInt8) -> String {
    switch level {
    case 1: "warning"
    case 2: "fatal"
    default: "level_\(level)"
    }
}

/// The registered name of an alert (RFC 8446 §6 and §B.2, with those that it reserves), or `alert_N`.
package func alertName(_ description: UInt8) -> String { alertNames[description] ?? "alert_\(description)" }

private let alertNames: [UInt8: String] = [
    0: "close_notify", 10: "unexpected_message", 20: "bad_record_mac", 21: "decryption_failed", 22: "record_overflow",
    30: "decompression_failure", 40: "handshake_failure", 41: "no_certificate", 42: "bad_certificate",
    43: "unsupported_certificate", 44: "certificate_revoked", 45: "certificate_expired", 46: "certificate_unknown",
    47: "illegal_parameter", 48: "unknown_ca", 49: "access_denied", 50: "decode_error", 51: "decrypt_error",
    60: "export_restriction", 70: "protocol_version", 71: "insufficient_security", 80: "internal_error",
    86: "inappropriate_fallback", 90: "user_canceled", 100: "no_renegotiation", 109: "missing_extension",
    110: "unsupported_extension", 111: "certificate_unobtainable", 112: "unrecognized_name",
    113: "bad_certificate_status_response", 114: "bad_certificate_hash_value", 115: "unknown_psk_identity",
    116: "certificate_required", 120: "no_application_protocol",
]

/// A version below a heading that says TLS: "1.3" of "TLS 1.3", "?" where it is not known. SSL keeps its name.
package func shortVersion(_ version: String?) -> String? {
    guard let version, version.hasPrefix("TLS") else { return version }
    return version == "TLS" ? "?" : String(version.dropFirst(4))
}
