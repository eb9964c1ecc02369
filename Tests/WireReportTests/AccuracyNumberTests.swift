import Testing
import WireRecords
import WireReport
import WireTesting

@Suite("Numbers of the accuracy reports")
struct AccuracyNumberTests {
    @Test(
        "means are rounded to a tenth from exact integers",
        arguments: [
            (0, 3, "0.0", "0.0"), (10, 4, "2.5", "+2.5"), (-10, 4, "-2.5", "-2.5"), (1, 3, "0.3", "+0.3"),
            (2, 3, "0.7", "+0.7"), (1, 1000, "0.0", "<+0.1"), (-1, 1000, "0.0", ">-0.1"), (1, 20, "0.1", "+0.1"),
            (999_96, 100, "1,000.0", "+1,000.0"), (-1_234_567, 1, "-1,234,567.0", "-1,234,567.0"),
            (Int.max, 1, "9,223,372,036,854,775,807.0", "+9,223,372,036,854,775,807.0"),
            (Int.min, .max, "-1.0", "-1.0"),
        ])
    func means(total: Int, count: Int, plain: String, signed: String) {
        #expect(meanText(total, of: count) == plain)
        #expect(signedMeanText(total, of: count) == signed)
    }

    @Test("nothing has no mean") func empty() {
        #expect(meanText(5, of: 0) == nil)
        #expect(signedMeanText(5, of: -1) == nil)
        #expect(meanInWords(5, of: 0) == "0")
    }

    @Test(
        "sentences say no more digits than a reader needs",
        arguments: [
            (60, 1, "60"), (-60, 1, "60"), (121, 2, "60.5"), (1_499_6, 100, "150"), (1, 100, "less than 0.1"),
            (0, 9, "0"), (123_456, 100, "1,235"), (9_999, 100, "100"),
        ])
    func words(total: Int, count: Int, text: String) { #expect(meanInWords(total, of: count) == text) }

    @Test(
        "only all of a whole is 100 %, only nothing of it 0 %",
        arguments: [
            (1, 2, "50 %", "50 %"), (999, 1000, ">99 %", "more than 99 %"), (1000, 1000, "100 %", "100 %"),
            (1, 1000, "<1 %", "less than 1 %"), (0, 5, "0 %", "0 %"), (3, 0, "0 %", "0 %"),
            (Int.max - 1, .max, ">99 %", "more than 99 %"), (57, 100, "57 %", "57 %"), (574, 1000, "57 %", "57 %"),
            (575, 1000, "58 %", "58 %"), (3000, 1000, "300 %", "300 %"),
        ])
    func shares(part: Int, whole: Int, table: String, sentence: String) {
        #expect(wholePercent(part, of: whole) == table)
        #expect(percentInWords(part, of: whole) == sentence)
    }

    @Test("a share of calls is 100.0 % only if none lacks") func coverage() {
        #expect(shareText(99_999, of: 100_000) == ">99.9 %")
        #expect(shareText(7, of: 7) == "100.0 %")
        #expect(shareText(0, of: 7) == "0.0 %")
        #expect(shareText(0, of: 0) == nil)
    }

    @Test(
        "signed percentages",
        arguments: [
            (-105, 319, "-32.9 %"), (1721, 279, "+616.8 %"), (0, 5, "0.0 %"), (-1, 100_000, ">-0.1 %"),
            (1, 100_000, "<+0.1 %"), (Int.max, 1, ">+99,999 %"), (Int.min, 1, "<-99,999 %"),
        ])
    func signed(error: Int, truth: Int, text: String) {
        #expect(signedPercent(error, of: truth) == text)
        #expect(signedPercent(error, of: 0) == nil)
    }

    @Test(
        "decimals are plain digits without zeros at their end",
        arguments: [
            (0.0, 3, "0"), (-0.0, 3, "0"), (-0.0001, 3, "0"), (105, 3, "105"), (12.34, 3, "12.34"), (0.001, 3, "0.001"),
            (-2.5, 1, "-2.5"), (1.0 / 3, 6, "0.333333"), (2.0 / 3, 6, "0.666667"), (1e18, 3, "1000000000000000000"),
            (-0.5, 6, "-0.5"), (1_000_000.1, 3, "1000000.1"), (1.05, 2, "1.05"),
        ])
    func decimals(value: Double, places: Int, text: String) { #expect(decimalText(value, places: places) == text) }

    @Test("what is not finite has no digits")
    func infinite() {
        for value in [Double.nan, .infinity, -.infinity] {
            #expect(decimalText(value, places: 3) == nil)
            #expect(wholeBytes(value) == nil)
        }
        #expect(wholeBytes(1e300) == nil)
        #expect(decimalText(1e300, places: 6) != nil)
    }

    @Test("decimals come back as the same number, to their places", arguments: [UInt64(1), 2, 3])
    func roundTrip(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<2000 {
            let value = Double(random.below(2_000_000_000) - 1_000_000_000) / Double(1 + random.below(100_000))
            let places = 1 + random.below(6)
            let text = try #require(decimalText(value, places: places))
            let unit = (0..<places).reduce(1.0) { unit, _ in unit * 10 }
            let back = try #require(Double(text))
            #expect(abs(back - value) <= 0.5 / unit + abs(value) * 1e-12, "seed \(seed): \(value) as \(text)")
        }
    }
}
