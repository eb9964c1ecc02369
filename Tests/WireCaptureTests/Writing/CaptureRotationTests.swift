import Foundation
import Testing
import WireTesting

@testable import WireCapture

@Suite("Rotation of captures")
struct CaptureRotationTests {
    static let hour: Int64 = 3_600_000_000_000
    static let readable: [(text: String, rotation: CaptureRotation)] = [
        ("100MB", CaptureRotation(maximumBytes: 100_000_000)), ("4096B", CaptureRotation(maximumBytes: 4096)),
        ("5kB", CaptureRotation(maximumBytes: 5000)), ("5KIB", CaptureRotation(maximumBytes: 5120)),
        ("2mib", CaptureRotation(maximumBytes: 2 << 20)), ("1GB", CaptureRotation(maximumBytes: 1_000_000_000)),
        ("3GiB", CaptureRotation(maximumBytes: 3 << 30)), ("1TB", CaptureRotation(maximumBytes: 1_000_000_000_000)),
        ("1s", CaptureRotation(maximumDuration: 1_000_000_000)),
        ("10min", CaptureRotation(maximumDuration: 600_000_000_000)), ("1h", CaptureRotation(maximumDuration: hour)),
        ("2d", CaptureRotation(maximumDuration: 48 * hour)),
        ("100MB,1h,10files", CaptureRotation(maximumBytes: 100_000_000, maximumDuration: hour, fileCount: 10)),
        ("1 file, 1 h, 5 kB", CaptureRotation(maximumBytes: 5000, maximumDuration: hour, fileCount: 1)),
    ]

    @Test("sizes, times and numbers of files are read in any order and case", arguments: readable.indices)
    func parses(index: Int) throws {
        #expect(try CaptureRotation(parsing: Self.readable[index].text) == Self.readable[index].rotation)
    }

    static let unreadable: [(text: String, word: String)] = [
        ("", "takes"), (",", "takes"), ("MB", "takes"), ("1h,", "takes"), ("-1MB", "takes"), ("1.5GB", "unit '.5gb'"),
        ("100", "needs a unit"), ("10m", "unit 'm'"), ("0s", "nothing"), ("000files", "nothing"),
        ("99999999999999999999s", "too large"), ("9999999999999999GB", "too large"), ("999999999d", "too large"),
        ("99999999999999999999files", "too large"), ("4095B", "too small"), ("1kB", "too small"),
        ("1MB,2kB", "too small"), ("1MB,2MB", "more than one size"), ("1h,1s", "more than one time"),
        ("1h,1files,2files", "more than one number"), ("5files", "a size or a time as well"), ("٣h", "takes"),
    ]

    @Test("what is no rotation is told why", arguments: unreadable.indices)
    func refuses(index: Int) {
        let (text, word) = Self.unreadable[index]
        #expect {
            _ = try CaptureRotation(parsing: text)
        } throws: { error in
            (error as? CaptureRotation.Malformed)?.reason.contains(word) ?? false
        }
    }

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
