import Testing
import WireEstimates
import WireTesting

@testable import WireAccuracy
@testable import WireJoin

/// An exchange whose request has a message of so many bytes and whose response a body of so many.
private func exchange(message: Int, content: Int = 0, decoded: Int? = nil) -> ObservedExchange {
    ObservedExchange(
        host: Array("h".utf8),
        request: ObservedRequest(
            method: Array("POST".utf8), path: Array("/a".utf8), query: nil, fields: HeaderFields([]), startLine: 20,
            headers: message - 20, body: ObservedBody()),
        response: ObservedResponse(
            status: 200, statusText: 15, fields: HeaderFields([]), startLine: 17, headers: 100,
            body: ObservedBody(content: content, decoded: decoded)))
}

@Suite("Which of several exchanges figures fit, as sets")
struct FigureSetsTests {
    /// Every row held against every exchange; the figures are the sizes and 30 more, but for the last `odd` rows.
    private static func counts(sizes: [Int], odd: Int = 0, figures: [Int]? = nil) -> [[Int?]] {
        var sets = FigureSets()
        for row in sizes.indices {
            let figure = figures?[row] ?? (row < sizes.count - odd ? sizes[row] + 30 : sizes[row] + 1000 + row * row)
            for call in sizes.indices {
                sets.add(
                    row * sizes.count + call, (Int32(row), Int32(call)), figure, exchange(message: sizes[call]), .up,
                    api: 0)
            }
        }
        var counts = [Int?](repeating: nil, count: sizes.count * sizes.count)
        sets.count(into: &counts)
        return sizes.indices.map { Array(counts[($0 * sizes.count)..<(($0 + 1) * sizes.count)]) }
    }

    @Test("one constant that gives each row an exchange of its own decides", arguments: [4, 5, 9])
    func decides(count: Int) {
        let sizes = (0..<count).map { 200 + $0 * $0 * 7 }
        for (row, counts) in Self.counts(sizes: sizes).enumerated() {
            #expect(counts == sizes.indices.map { $0 == row ? 0 : 1 })
        }
    }

    static let undecided: [(String, sizes: [Int], odd: Int)] = [
        ("one row", [200], 0), ("three rows", [200, 207, 228], 0),
        ("two different figures", [200, 200, 300, 300, 200, 300], 0),
        ("one figure", [200, 200, 200, 200, 200], 0),
        ("three of five rows agree", [200, 207, 228, 263, 312], 2),
        ("five of nine rows agree", [200, 207, 228, 263, 312, 375, 452, 543, 648], 4),
    ]

    @Test("fewer than four rows, three figures or six rows in ten decide nothing", arguments: undecided)
    func silent(name: String, sizes: [Int], odd: Int) {
        #expect(Self.counts(sizes: sizes, odd: odd).joined().allSatisfy { $0 == nil }, "\(name)")
    }

    @Test("six rows in ten decide; the others fit none")
    func mostRows() {
        let sizes = [200, 207, 228, 263, 312, 375]
        let counts = Self.counts(sizes: sizes, odd: 2)
        for row in 0..<4 { #expect(counts[row] == sizes.indices.map { $0 == row ? 0 : 1 }) }
        for row in 4..<6 { #expect(counts[row] == sizes.indices.map { _ in 1 }) }
    }

    @Test("rows that would share exchanges by a constant do not decide")
    func sharedExchanges() {
        // Four rows, all of which fit only one exchange by one constant.
        let counts = Self.counts(sizes: [200, 900, 2600, 5300], figures: [230, 231, 232, 233])
        #expect(counts.joined().allSatisfy { $0 == nil })
    }

    /// Sizes of twelve exchanges whose differences say nothing of the constants.
    private static let dozen = (0..<12).map { 200 + $0 * $0 * 7 }

    static let several: [(String, constants: [Int])] = [
        ("half the rows each", [50, 50, 50, 50, 50, 50, 111, 111, 111, 111, 111, 111]),
        ("one in three has the second", [50, 50, 111, 50, 50, 111, 50, 50, 111, 50, 50, 111]),
        ("three constants", [50, 50, 50, 50, 111, 111, 111, 111, 163, 163, 163, 163]),
    ]

    @Test("several constants of one API decide together", arguments: several)
    func severalConstants(name: String, constants: [Int]) {
        let figures = zip(Self.dozen, constants).map { $0 + $1 }
        for (row, counts) in Self.counts(sizes: Self.dozen, figures: figures).enumerated() {
            #expect(counts == Self.dozen.indices.map { $0 == row ? 0 : 1 }, "\(name), row \(row)")
        }
    }

    @Test("a pair with the constant of other rows fits")
    func sharedConstants() {
        // The exchange of 900 bytes and 111 more, or that of 961 bytes and 50 more.
        let sizes = [200, 207, 228, 263, 900, 961, 3000, 3500, 4100, 4800]
        let constants = [50, 50, 50, 50, 111, 50, 111, 111, 111, 50]
        let counts = Self.counts(sizes: sizes, figures: zip(sizes, constants).map { $0 + $1 })
        #expect(counts[4][4] == 0)
        #expect(counts[4][5] == 0)
        #expect(counts[4][6] == 1)
    }

    @Test("three rows that agree beside a constant do not decide")
    func fewRows() {
        // 50 explains five rows of nine, 111 three of them, and the last has a figure of its own.
        let sizes = Array(Self.dozen.prefix(9))
        let figures = zip(sizes, [50, 50, 50, 50, 50, 111, 111, 111, 999]).map { $0 + $1 }
        #expect(Self.counts(sizes: sizes, figures: figures).joined().allSatisfy { $0 == nil })
    }

    @Test("two constants that explain the rows as well decide nothing")
    func rivals() {
        // Sizes in even steps: a constant one step less gives as many rows the next exchange.
        let sizes = (0..<8).map { 200 + $0 * 10 }
        let counts = Self.counts(sizes: sizes, figures: sizes.map { $0 == 270 ? 9000 : $0 + 30 })
        #expect(counts.joined().allSatisfy { $0 == nil })
    }

    @Test("sizes of several bases that agree in their exchanges are no rivals")
    func agreeingBases() {
        // The message is the body and 100 more: both explain each row by the same exchange.
        var sets = FigureSets()
        for row in 0..<5 {
            for call in 0..<5 {
                let seen = exchange(message: 0, content: Self.dozen[call], decoded: Self.dozen[call])
                sets.add(row * 5 + call, (Int32(row), Int32(call)), Self.dozen[row] + 30, seen, .down, api: 0)
            }
        }
        var counts = [Int?](repeating: nil, count: 25)
        sets.count(into: &counts)
        #expect(counts == (0..<25).map { $0 / 5 == $0 % 5 ? 0 : 1 })
    }

    @Test("equal figures take as many exchanges of one size as there are")
    func equalFigures() {
        let sizes = [200, 200, 207, 207, 228, 228]
        for (row, counts) in Self.counts(sizes: sizes).enumerated() {
            #expect(counts == sizes.indices.map { $0 / 2 == row / 2 ? 0 : 1 }, "row \(row)")
        }
    }

    @Test("the order of pairs changes nothing", arguments: 0..<8)
    func order(seed: Int) {
        let figures = zip(Self.dozen, [50, 50, 111, 50, 50, 111, 50, 50, 111, 50, 3, 111]).map { $0 + $1 }
        var places = Array(0..<144)
        var generator = SeededRandom(seed: UInt64(seed))
        places.shuffle(using: &generator)
        var sets = FigureSets()
        for place in places {
            let (row, call) = (place / 12, place % 12)
            sets.add(
                place, (Int32(row), Int32(call)), figures[row], exchange(message: Self.dozen[call]), .up, api: 0)
        }
        var counts = [Int?](repeating: nil, count: 144)
        sets.count(into: &counts)
        #expect(counts == Self.counts(sizes: Self.dozen, figures: figures).flatMap { $0 })
        #expect(counts.contains(0) && counts.contains(1))
    }

    @Test("APIs and directions are held apart, and what was counted before stays")
    func apart() {
        var sets = FigureSets()
        for row in 0..<4 {
            for call in 0..<4 {
                let place = row * 4 + call
                let sizes = [200, 207, 228, 263]
                // Two rows of each API: too few.
                sets.add(
                    place, (Int32(row), Int32(call)), sizes[row], exchange(message: sizes[call]), .up, api: row / 2)
            }
        }
        var counts: [Int?] = Array(repeating: 3, count: 16)
        sets.count(into: &counts)
        #expect(counts == Array(repeating: 3, count: 16))
    }

    @Test("counts are added to those of the other direction")
    func added() {
        var sets = FigureSets()
        let sizes = [200, 207, 228, 263]
        for row in 0..<4 {
            for call in 0..<4 {
                sets.add(
                    row * 4 + call, (Int32(row), Int32(call)), sizes[row], exchange(message: sizes[call]), .up, api: 0)
                sets.add(
                    row * 4 + call, (Int32(row), Int32(call)), sizes[row] * 3,
                    exchange(message: 50, content: sizes[call] * 3), .down, api: 0)
            }
        }
        var counts: [Int?] = Array(repeating: nil, count: 16)
        sets.count(into: &counts)
        #expect(counts == (0..<16).map { $0 / 4 == $0 % 4 ? 0 : 2 })
    }
}

@Suite("What the figures of an API usually are")
struct FigureHabitsTests {
    private static func habits(_ differences: [Int], api: Int = 0) -> FigureHabits {
        var habits = FigureHabits()
        for (index, difference) in differences.enumerated() {
            let size = 200 + index * index * 11
            habits.learn(size + difference, exchange(message: size), .up, api: api)
        }
        return habits
    }

    static let cases: [(String, differences: [Int], fits: [Int: Bool?])] = [
        ("one constant", [30, 30, 30, 30, 30], [30: true, 31: false]),
        ("too few figures", [30, 30, 30, 30], [30: nil]),
        ("two kinds of calls", [30, 30, 30, 50, 50, 50], [30: true, 50: true, 40: false]),
        ("four in five are usual", [30, 30, 30, 30, 99], [30: true, 99: false]),
        ("three in five are not enough", [30, 30, 30, 98, 99], [30: nil, 98: nil]),
        ("all different", [1, 20, 45, 77, 123, 200], [1: nil]),
    ]

    @Test("a constant that explains most figures is a habit", arguments: cases)
    func constants(name: String, differences: [Int], fits: [Int: Bool?]) {
        let habits = Self.habits(differences)
        for (difference, expected) in fits {
            #expect(
                habits.fits(5000 + difference, exchange(message: 5000), .up, api: 0) == expected,
                "\(name), \(difference)")
        }
        #expect(habits.fits(5030, exchange(message: 5000), .up, api: 1) == nil)
        #expect(habits.fits(5030, exchange(message: 5000), .down, api: 0) == nil)
    }

    @Test("decoded and transferred bodies are told apart")
    func bases() {
        var habits = FigureHabits()
        for index in 0..<8 {
            let seen = exchange(message: 80, content: 100 + index * index, decoded: 3000 - index * 41)
            habits.learn(3000 - index * 41, seen, .down, api: 0)
        }
        let seen = exchange(message: 80, content: 500, decoded: 1234)
        #expect(habits.fits(1234, seen, .down, api: 0) == true)
        #expect(habits.fits(500, seen, .down, api: 0) == false)
        // Without a size that figures usually follow, nothing is known.
        #expect(habits.fits(500, exchange(message: 80, content: 500), .down, api: 0) == nil)
    }
}

extension FigureSets {
    /// Adds in how many directions figures do not fit.
    fileprivate func count(into counts: inout [Int?]) {
        var costs = counts.map { $0.map { Int32($0) * FigureMisfit.rare } }
        add(to: &costs)
        counts = costs.map { $0.map { Int($0 / FigureMisfit.rare) } }
    }
}
