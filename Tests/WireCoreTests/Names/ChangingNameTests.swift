import Testing

@testable import WireCore

@Suite("Names of addresses that change")
struct ChangingNameTests {
    private let address = IPAddress(version4: 7)

    private func text(_ directory: NameDirectory, _ ordinal: Int) -> String? {
        directory.name(of: address, at: ordinal).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("are those at the frame that is asked about, however often they change", arguments: [nil, 10, 1000])
    func changes(settling: Int?) {
        let directory = NameDirectory()
        #expect(text(directory, 0) == nil)
        for ordinal in 1...20_000 {
            #expect(!directory.replace(address, name: Array("n\(ordinal / 2)".utf8), at: ordinal))
            if let settling, ordinal % settling == 0 { directory.settle(ordinal - settling / 2) }
        }
        #expect(text(directory, 0) == nil)
        for ordinal in [19_995, 19_996, 19_999, 20_000] { #expect(text(directory, ordinal) == "n\(ordinal / 2)") }
        #expect(text(directory, 30_000) == "n10000")
        if settling == nil {
            for ordinal in [2, 3, 777, 12_345] { #expect(text(directory, ordinal) == "n\(ordinal / 2)") }
        }
    }

    @Test("a record of the file names an address once; a DNS answer replaces it")
    func records() {
        let directory = NameDirectory()
        #expect(!directory.add(address, name: Array("File.Example".utf8), at: 5))
        #expect(!directory.add(address, name: Array("other".utf8), at: 6))
        #expect(text(directory, 4) == nil && text(directory, 9) == "file.example")
        #expect(!directory.replace(address, name: Array("dns.example".utf8), at: 10))
        #expect(text(directory, 9) == "file.example" && text(directory, 10) == "dns.example")
        let recorded = [4, 5, 10].map { directory.recordedName(of: address, at: $0) }
        #expect(recorded == [nil, Array("file.example".utf8), Array("file.example".utf8)])
        #expect(directory.recordedName(of: IPAddress(version4: 8), at: 10) == nil)
    }

    @Test("beyond the limit all are forgotten, but not for frames before that")
    func limit() {
        let directory = NameDirectory(limit: 1)
        #expect(!directory.replace(address, name: Array("a".utf8), at: 1))
        #expect(directory.replace(IPAddress(version4: 8), name: Array("b".utf8), at: 5))
        #expect(text(directory, 4) == "a" && text(directory, 5) == nil)
        #expect(directory.add(IPAddress(version4: 9), name: Array("c".utf8), at: 6))
    }

    @Test("what was forgotten is kept only while frames before that may be asked about", arguments: [false, true])
    func formerNames(isSettled: Bool) {
        let directory = NameDirectory(limit: 1)
        for ordinal in 1...100 {
            _ = directory.replace(IPAddress(version4: UInt32(ordinal)), name: Array("n".utf8), at: ordinal)
            if isSettled { directory.settle(ordinal) }
        }
        #expect(directory.formerCount == (isSettled ? 1 : 99))
    }
}
