import CCrypto
import WireNative
import WireTesting

/// What opening QUIC packets costs beside libcrypto alone on the same bytes: the time of both, and the ratio.
///
///     wirebench opening
struct OpeningMeasure {
    private static let packets = 4_000
    private static let rounds = 9
    private static let numberOffset = 9
    private static let numberLength = 2

    private let secret = [UInt8](repeating: 0x5C, count: 32)
    private let bytes: [[UInt8]]

    /// - Parameter length: content of a packet.
    init(length: Int) {
        let sealer = QUICSealer(.aes128GCM13, secret: secret)
        let header = [0x40] + [UInt8](repeating: 7, count: Self.numberOffset - 1)
        let content = [UInt8](repeating: 0x61, count: length)
        bytes = (0..<Self.packets).map { number in
            sealer.seal(header: header, number: UInt64(number), numberLength: Self.numberLength, content)
        }
    }

    static func run() {
        for length in [100, 400, 1_200] {
            let measure = OpeningMeasure(length: length)
            let (own, bare) = measure.best()
            let ratio = (Double(own) / Double(bare) * 100).rounded() / 100
            print("opening: content \(length) ns \(own / packets) libcrypto \(bare / packets) ratio \(ratio)")
        }
    }

    /// Nanoseconds of all packets: the least of several rounds, which alternate.
    private func best() -> (own: Int, bare: Int) {
        var best = (own: Int.max, bare: Int.max)
        for _ in 0..<Self.rounds {
            best.own = min(best.own, Self.time { self.openOwn() })
            best.bare = min(best.bare, Self.time { self.openBare() })
        }
        return best
    }

    private static func time(_ work: () -> Bool) -> Int {
        let clock = ContinuousClock()
        var isRight = false
        let duration = clock.measure { isRight = work() }
        precondition(isRight, "a packet does not open")
        return Int(duration.components.attoseconds / 1_000_000_000)
    }

    private func openOwn() -> Bool {
        guard let source = QUICSecret(.aes128GCM, secret, prefix: "quic "),
            let header = QUICHeaderProtection(source), let opener = QUICPacketOpener(source)
        else { return false }
        var output: [UInt8] = []
        for (number, packet) in bytes.enumerated() {
            let span = unsafe packet.span.bytes
            guard let mask = header.mask(span, sampleAt: Self.numberOffset + 4) else { return false }
            let first = packet[0] ^ (UInt8(truncatingIfNeeded: mask >> 32) & 0x1F)
            let clear = QUICClearHeader(
                first: first, truncatedNumber: UInt32(number), numberLength: Self.numberLength)
            guard
                opener.open(
                    span, numberOffset: Self.numberOffset, clear, number: UInt64(number), into: &output) != nil
            else { return false }
        }
        return true
    }

    /// One call of each kind that libcrypto needs for a packet, and nothing else.
    private func openBare() -> Bool {
        let key = [UInt8](repeating: 0, count: 16)
        let block = unsafe EVP_CIPHER_CTX_new()
        let context = unsafe EVP_CIPHER_CTX_new()
        defer {
            unsafe EVP_CIPHER_CTX_free(block)
            unsafe EVP_CIPHER_CTX_free(context)
        }
        unsafe EVP_EncryptInit_ex(block, EVP_aes_128_ecb(), nil, key, nil)
        unsafe EVP_DecryptInit_ex(context, EVP_aes_128_gcm(), nil, key, nil)
        let nonce = [UInt8](repeating: 0, count: 12)
        var output = [UInt8](repeating: 0, count: 2_048)
        var count: Int32 = 0
        let start = Self.numberOffset + Self.numberLength
        for packet in bytes {
            unsafe packet.withUnsafeBufferPointer { packet in
                guard let base = packet.baseAddress else { return }
                let length = Int32(packet.count - start - 16)
                unsafe EVP_EncryptUpdate(block, &output, &count, base + Self.numberOffset + 4, 16)
                unsafe EVP_DecryptInit_ex(context, nil, nil, nil, nonce)
                unsafe EVP_DecryptUpdate(context, nil, &count, base, Int32(start))
                unsafe EVP_DecryptUpdate(context, &output, &count, base + start, length)
                let tag = unsafe UnsafeMutableRawPointer(mutating: base + packet.count - 16)
                unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, tag)
                // The key is another one, so that the tag is wrong: finding that out takes as long.
                _ = unsafe EVP_DecryptFinal_ex(context, &output, &count)
            }
        }
        return true
    }
}
