import WireNative

/// Finds the secrets of connections of TLS 1.3 whose hellos were not captured, by trying those of the key log on whole
/// records: the tag of a record proves the secret and the record's number. Before TLS 1.3 keys depend on a random number of
/// the server, too, which is in its hello alone.
///
/// One serves all connections of a shard.
/// - Invariant: what they may cost together is limited by `budget`.
final class LateKeySearch: SecretHolder {
    /// What opened a record.
    struct Found: SecretHolder {
        var secrets: TLSSecrets
        var suite: CipherSuite
        /// The client sent the record.
        var isFromClient: Bool
        var decryptor: RecordDecryptor
        var sequence: UInt64
        var opened: OpenedRecord
    }

    /// Records of a direction that are tried.
    static let recordLimit = 3
    /// Numbers that are tried for the first record of a direction where the secret is known, and at most where it is not.
    static let numberLimit = 1 << 16

    /// Openings of short records that may still be tried: about 0.2 s, where the key log is of other connections.
    private var budget = 400_000
    private var secrets: [TLSSecrets] = []
    private var lineCount = -1

    /// Connections of a key log that are tried, the latest; openings for one record; what making keys costs.
    private static let connectionLimit = 4096
    private static let recordBudget = 1 << 17
    private static let costOfKeys = 8
    /// What is tried where no ServerHello names the suite: browsers and apps negotiate no other.
    private static let suites: [CipherSuite] = (0x1301...0x1303).compactMap { CipherSuite.find($0) }

    /// Tries the key log. `agreed`: the suite, where a ServerHello told.
    func find(_ record: RawSpan, agreed: CipherSuite?, _ keys: KeyLog, into output: inout [UInt8]) -> Found? {
        guard budget > 0 else { return nil }
        if keys.mayGrow || lineCount != keys.lineCount {
            secrets = keys.secretsWithTraffic(limit: LateKeySearch.connectionLimit)
            lineCount = keys.lineCount
        }
        let suites = agreed.map { [$0] } ?? LateKeySearch.suites
        // Bytes of a long record take longer than its tag.
        let cost = 1 + record.byteCount >> 10
        let keyCount = max(1, 2 * secrets.count * suites.count)
        let numbers = LateKeySearch.recordBudget / cost / keyCount
        let last = UInt64(min(max(numbers, 16), LateKeySearch.numberLimit))
        for candidate in secrets {
            for isFromClient in [true, false] {
                guard let secret = candidate.secret(of: .application, isClient: isFromClient) else { continue }
                for suite in suites where suite.digest.length == secret.count {
                    guard budget > 0 else { return nil }
                    guard let decryptor = suite.trafficDecryptor(secret) else { continue }
                    budget -= LateKeySearch.costOfKeys + cost * Int(last)
                    for sequence in 0...last {
                        guard let opened = decryptor.open(record, sequence: sequence, into: &output) else { continue }
                        keys.recordMatch()
                        return Found(
                            secrets: candidate, suite: suite, isFromClient: isFromClient, decryptor: decryptor,
                            sequence: sequence, opened: opened)
                    }
                }
            }
        }
        return nil
    }
}
