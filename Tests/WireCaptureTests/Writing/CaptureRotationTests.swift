import Foundation
import Testing
import WireTesting

@testable import WireCapture

@Suite("Rotation of captures")
struct CaptureRotationTests {
    static let names: [(path: String, expected: String)] = [
        ("shop.pcapng", "shop_00001_20261121101530.pcapng"), ("shop", "shop_00001_20261121101530"),
        ("a.b/shop", "a.b/shop_00001_20261121101530"), ("/x/.hidden", "/x/.hidden_00001_20261121101530"),
        ("/x/a.tar.gz", "/x/a.tar_00001_20261121101530.gz"), ("läden.ü.pcap", "läden.ü_00001_20261121101530.pcap"),
        ("./.", "./._00001_20261121101530"), ("x/", "x/_00001_20261121101530"),
    ]

    @Test("number and moment stand before the suffix of the name", arguments: names.indices)
    func fileNames(index: Int) {
        let (path, expected) = Self.names[index]
        let time: Int64 = 1_795_256_130_999_999_999
        #expect(RotatedFileName(path: path).path(number: 1, time: time) == expected)
    }

    @Test("numbers grow beyond their five digits; a taken name gets another number")
    func furtherNames() {
        let name = RotatedFileName(path: "a.b")
        #expect(name.path(number: 123_456, time: 0) == "a_123456_19700101000000.b")
        #expect(name.path(number: 7, time: 0, attempt: 2) == "a_00007_19700101000000_2.b")
    }

    @Test("moments agree with the calendar")
    func moments() {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0)!
        var random = SeededRandom(seed: 11)
        let borders: [Int64] = [0, -1, 951_782_399, 951_782_400, 951_868_800, 4_107_542_399, 4_107_542_400]
        for seconds in borders + (0..<2000).map({ _ in Int64(random.below(9_200_000_000)) - 400_000_000 }) {
            let parts = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSince1970: Double(seconds)))
            let expected = String(
                format: "%04d%02d%02d%02d%02d%02d", parts.year!, parts.month!, parts.day!, parts.hour!, parts.minute!,
                parts.second!)
            let moment = Moment(nanoseconds: seconds * 1_000_000_000 + Int64(random.below(1_000_000_000)))
            #expect(moment.digits == expected, "\(seconds)")
            #expect(moment.text.filter(\.isNumber) == expected)
        }
        #expect(Moment(nanoseconds: .min).digits.count == 14)
        #expect(Moment(nanoseconds: .max).digits == "22620411234716")
    }
}
