import Testing
import WireCapture
import wireaudit

@Suite("Rotation as it is written")
struct RotationArgumentTests {
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
        ("1h,1files,2files", "more than one number"), ("5files", "also needs a size or a time"), ("٣h", "takes"),
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
}
