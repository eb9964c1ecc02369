/// Keys with which a client encrypted its hellos to one server (Encrypted Client Hello), as far as hellos show them: the
/// config_id of each.
///
/// A client to which no key is known sends a number at random (RFC 9849 §6.2), so that few of its connections repeat one. A
/// server's own keys come again and again.
struct HelloKeys {
    /// So many are remembered: servers behind one name may have several.
    private static let most = 16

    private var latest: [UInt16] = []
    private var count = 0
    private var repeated = 0

    mutating func add(_ key: UInt16) {
        count += 1
        if let place = latest.firstIndex(of: key) {
            repeated += 1
            latest.remove(at: place)
        } else if latest.count == HelloKeys.most {
            latest.removeFirst()
        }
        latest.append(key)
    }

    /// Numbers come again too often for numbers at random, of which one in sixteen does at most.
    var isServers: Bool { repeated * 4 >= count - 1 && repeated > 0 }
}
