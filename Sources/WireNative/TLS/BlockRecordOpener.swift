import CCrypto

/// Records under a block cipher in CBC mode, with a MAC in the ciphertext or behind it (RFC 2246 §6.2.3.2,
/// RFC 5246 §6.2.3.2, RFC 7366).
@safe final class BlockRecordOpener: RecordOpener {
    private let context: OpaquePointer
    private let mac: RecordMAC
    private let blockLength: Int
    private let encryptThenMAC: Bool
    /// Each record brings its IV (TLS 1.1 and later); else the last block of the one before it is the IV.
    private let bringsIV: Bool
    private let chained: UnsafeMutablePointer<UInt8>

    init?(
        _ cipher: RecordCipher, _ block: BlockCipher, mac: RecordMAC?, version: UInt16, key: [UInt8], iv: [UInt8],
        encryptThenMAC: Bool
    ) {
        guard version <= 0x0303, let mac, let algorithm = unsafe Libcrypto.cipher(cipher),
            let context = unsafe EVP_CIPHER_CTX_new()
        else { return nil }
        unsafe self.context = unsafe context
        self.mac = mac
        blockLength = block.blockLength
        self.encryptThenMAC = encryptThenMAC
        bringsIV = version > 0x0301
        unsafe chained = .allocate(capacity: blockLength)
        unsafe chained.initialize(repeating: 0, count: blockLength)
        for (index, byte) in iv.enumerated() where index < blockLength { unsafe chained[index] = byte }
        guard unsafe EVP_DecryptInit_ex(context, algorithm, nil, key, nil) == 1,
            unsafe EVP_CIPHER_CTX_set_padding(context, 0) == 1
        else { return nil }
    }

    deinit {
        unsafe EVP_CIPHER_CTX_free(context)
        unsafe chained.deallocate()
    }

    func open(
        _ record: UnsafeRawBufferPointer, sequence: UInt64, into output: UnsafeMutableRawBufferPointer
    ) -> OpenedRecord? {
        let lead = RecordLayout.headerLength + (bringsIV ? blockLength : 0)
        let end = record.count - (encryptThenMAC ? mac.length : 0)
        guard end > lead, (end - lead).isMultiple(of: blockLength) else { return nil }
        if encryptThenMAC {
            let covered = unsafe UnsafeRawBufferPointer(rebasing: record[RecordLayout.headerLength..<end])
            guard let base = record.baseAddress,
                unsafe mac.matches(base + end, sequence: sequence, record: record, content: covered)
            else { return nil }
        }
        guard unsafe decrypt(record, lead..<end, output) else { return nil }
        let plain = unsafe UnsafeRawBufferPointer(rebasing: output[..<(end - lead)])
        guard let length = unsafe contentLength(plain, sequence, record) else { return nil }
        unsafe skip(record)
        return unsafe OpenedRecord(
            contentType: record[0], content: 0..<length, lead: lead, trail: record.count - lead - length)
    }

    func skip(_ record: UnsafeRawBufferPointer) {
        let end = record.count - (encryptThenMAC ? mac.length : 0)
        guard !bringsIV, end >= RecordLayout.headerLength + blockLength else { return }
        for index in 0..<blockLength { unsafe chained[index] = record[end - blockLength + index] }
    }

    private func decrypt(
        _ record: UnsafeRawBufferPointer, _ range: Range<Int>, _ output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard let base = unsafe record.baseAddress?.assumingMemoryBound(to: UInt8.self),
            let room = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return false }
        let iv = unsafe bringsIV ? base + RecordLayout.headerLength : UnsafePointer(chained)
        var count: Int32 = 0
        return unsafe EVP_DecryptInit_ex(context, nil, nil, nil, iv) == 1
            && EVP_DecryptUpdate(context, room, &count, base + range.lowerBound, Int32(range.count)) == 1
            && Int(count) == range.count
    }

    /// Content in what was decrypted, when its padding, and the MAC where it is in there, are right.
    private func contentLength(
        _ plain: UnsafeRawBufferPointer, _ sequence: UInt64, _ record: UnsafeRawBufferPointer
    ) -> Int? {
        let padding = unsafe plain[plain.count - 1]
        // The last byte tells the number of those before it, which all have the same value.
        let behind = (encryptThenMAC ? 0 : mac.length) + Int(padding) + 1
        guard behind <= plain.count, let base = plain.baseAddress else { return nil }
        for index in plain.count - 1 - Int(padding)..<plain.count - 1 where unsafe plain[index] != padding {
            return nil
        }
        let length = plain.count - behind
        if encryptThenMAC { return length }
        let content = unsafe UnsafeRawBufferPointer(rebasing: plain[..<length])
        let isAuthentic = unsafe mac.matches(base + length, sequence: sequence, record: record, content: content)
        return isAuthentic ? length : nil
    }
}
