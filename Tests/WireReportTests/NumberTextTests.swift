import Testing
import WireJoin
import WireRecords
import WireReport

@Suite("Numbers and times")
struct NumberTextTests {
    @Test(
        "digits stand in groups of three",
        arguments: [
            (0, "0"), (7, "7"), (999, "999"), (1000, "1,000"), (123_456, "123,456"), (1_234_567, "1,234,567"),
            (-1000, "-1,000"), (Int.max, "9,223,372,036,854,775,807"), (Int.min, "-9,223,372,036,854,775,808"),
        ])
    func groups(value: Int, expected: String) {
        #expect(grouped(value) == expected)
    }

    @Test(
        "shares have one decimal, rounded from the exact integers",
        arguments: [
            (0, 10, "0.0 %"), (1, 1000, "0.1 %"), (1, 2000, "0.1 %"), (1, 2001, "<0.1 %"), (1, 3, "33.3 %"),
            (2, 3, "66.7 %"), (10, 10, "100.0 %"), (12_345, 1000, "1,234.5 %"), (999_499, 1_000_000, "99.9 %"),
            (999_500, 1_000_000, "100.0 %"), (Int.max, Int.max, "100.0 %"), (Int.max / 2, Int.max, "50.0 %"),
            (-1, 4, "-25.0 %"),
        ])
    func shares(part: Int, whole: Int, expected: String) {
        #expect(percent(part, of: whole) == expected)
    }

    @Test("nothing has a share of nothing")
    func noShare() {
        #expect(percent(5, of: 0) == nil)
    }

    @Test(
        "sizes in words have three digits",
        arguments: [
            (999, nil), (1000, "1.00 kB"), (1004, "1.00 kB"), (1005, "1.01 kB"), (9994, "9.99 kB"), (9995, "10.0 kB"),
            (99_949, "99.9 kB"), (99_950, "100 kB"), (999_499, "999 kB"), (999_500, "1.00 MB"), (9_876_543, "9.88 MB"),
            (1_400_000_000, "1.40 GB"), (Int.max, "9223 PB"),
        ] as [(Int, String?)])
    func sizes(bytes: Int, expected: String?) {
        #expect(sizeInWords(bytes) == expected)
    }

    @Test(
        "lengths of time are told in the units of people",
        arguments: [
            (0, "0 s"), (999, "999 ns"), (1500, "1.5 µs"), (12_345_678, "12.3 ms"), (999_949_999, "999.9 ms"),
            (999_950_000, "1.0 s"), (84_200_000_000, "84.2 s"), (144_000_000_000, "2 min 24 s"),
            (7_380_000_000_000, "2 h 3 min"), (362_000_000_000_000, "4 d 5 h"), (UInt64.max, "213504 d 0 h"),
        ] as [(UInt64, String)])
    func durations(nanoseconds: UInt64, expected: String) {
        #expect(durationInWords(nanoseconds) == expected)
    }

    @Test(
        "seconds keep every nanosecond",
        arguments: [
            (0, "0.000000000"), (1, "0.000000001"), (-1, "-0.000000001"), (999_999_999, "0.999999999"),
            (1_000_000_000, "1.000000000"), (-1_000_000_001, "-1.000000001"),
            (1_795_168_800_123_456_789, "1795168800.123456789"), (Int64.max, "9223372036.854775807"),
            (Int64.min, "-9223372036.854775808"),
        ] as [(Int64, String)])
    func seconds(nanoseconds: Int64, expected: String) {
        var buffer = OutputBuffer()
        buffer.seconds(nanoseconds)
        let text = buffer.text
        #expect(text == expected)
    }

    @Test("integers of every length are exact")
    func integers() {
        var values = [0, -1, Int.max, Int.min]
        var power = 1
        while power < Int.max / 10 {
            power *= 10
            values += [power - 1, power, power + 1, -power]
        }
        for value in values {
            var buffer = OutputBuffer(capacity: 1)
            buffer.integer(value)
            let text = buffer.text
            #expect(text == String(value))
        }
    }

    @Test(
        "moments become dates of the Gregorian calendar",
        arguments: [
            (0, "1970-01-01", "00:00:00.000"), (1_795_168_800_123_999_999, "2026-11-20", "10:00:00.123"),
            (951_782_399_999_999_999, "2000-02-28", "23:59:59.999"),
            (951_782_400_000_000_000, "2000-02-29", "00:00:00.000"),
            (951_868_800_000_000_000, "2000-03-01", "00:00:00.000"), (-1, "1969-12-31", "23:59:59.999"),
            (Int64.max, "2262-04-11", "23:47:16.854"), (Int64.min, "1677-09-21", "00:12:43.145"),
        ] as [(Int64, String, String)])
    func calendar(nanoseconds: Int64, date: String, time: String) {
        let moment = CalendarTime(nanoseconds: nanoseconds)
        #expect(moment.date == date)
        #expect(moment.time == time)
    }
}
