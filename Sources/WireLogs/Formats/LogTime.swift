/// A time of a log, with the way it is written.
package struct LogTime: Equatable {
    /// What a number counts. Which it is follows from its size: between the units lie centuries.
    package enum Unit: UInt8 {
        case none
        /// Written as date and clock time.
        case calendar
        /// Seconds since 2001, as Apple's reference date has it.
        case reference
        /// Seconds since 1970.
        case seconds
        case milliseconds, microseconds, nanoseconds
    }

    package enum Failure: Error {
        case notATime, outOfRange
    }

    /// Nanoseconds since the epoch.
    package var time: Int64
    package var unit: Unit
    /// Set where it is written as date and clock time.
    var zone = CalendarTime.Zone.offset(0)

    /// Between Apple's reference date (2001) and the epoch, nanoseconds.
    package static let referenceDate: Int64 = 978_307_200_000_000_000

    /// A time so many nanoseconds later, or earlier where it is negative; no further than times reach.
    package static func moved(_ time: Int64, by change: Int64) -> Int64 {
        let (sum, overflow) = time.addingReportingOverflow(change)
        guard overflow else { return sum }
        return change < 0 ? .min : .max
    }

    /// How far apart two times are.
    package static func distance(_ time: Int64, _ other: Int64) -> UInt64 {
        time > other ? UInt64(bitPattern: time &- other) : UInt64(bitPattern: other &- time)
    }

    /// Reads a number or a text of any form that logs use. Zero and less are no times.
    init(_ value: LogValue) throws(Failure) {
        if let number = value.number {
            try self.init(number)
        } else if case .text(let text) = value {
            var rest = text[...].trimmingSpaces
            guard let calendar = CalendarTime.consume(from: &rest), rest.isEmpty else { throw .notATime }
            self.init(time: calendar.time, unit: .calendar, zone: calendar.zone)
        } else {
            throw .notATime
        }
    }

    /// Reads a time whose numbers count units since 1970, or since another moment before all calls, such as the start of the
    /// system. Seconds of eight digits are of 2001 and later (`reference`); dates and clock times have no unit.
    init(_ value: LogValue, _ unit: LogUnit) throws(Failure) {
        guard let number = value.number, unit.word != "s" || number.magnitude != 8 else {
            try self.init(value)
            return
        }
        guard !number.isNegative, number.magnitude != nil else { throw .notATime }
        guard let scaled = number.scaled(by: unit.power) else { throw .outOfRange }
        let units: [Int: Unit] = [9: .seconds, 6: .milliseconds, 3: .microseconds]
        self.init(time: Int64(scaled), unit: units[unit.power] ?? .nanoseconds)
    }

    /// A time so much later, or earlier where the change is negative.
    func moved(by change: Int64) -> LogTime {
        var moved = self
        moved.time = LogTime.moved(time, by: change)
        return moved
    }

    init(time: Int64, unit: Unit, zone: CalendarTime.Zone = .offset(0)) {
        self.time = time
        self.unit = unit
        self.zone = zone
    }

    private init(_ number: DecimalNumber) throws(Failure) {
        guard !number.isNegative, let magnitude = number.magnitude else { throw .notATime }
        let power: Int
        switch magnitude {
        case ...7: (unit, power) = (.seconds, 9)
        // 2004 to 2032 as reference date; as seconds since 1970 the years before 2001, when there were no such logs.
        case 8: (unit, power) = (.reference, 9)
        case 9...10: (unit, power) = (.seconds, 9)
        case 11...13: (unit, power) = (.milliseconds, 6)
        case 14...16: (unit, power) = (.microseconds, 3)
        case 17...19: (unit, power) = (.nanoseconds, 0)
        default: throw .outOfRange
        }
        guard let scaled = number.scaled(by: power) else { throw .outOfRange }
        let (sum, overflow) = Int64(scaled).addingReportingOverflow(unit == .reference ? LogTime.referenceDate : 0)
        guard !overflow else { throw .outOfRange }
        time = sum
    }
}
