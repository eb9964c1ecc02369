import WireCore

/// Renders the fields of a record one after the other. The fields of each kind of record are told once, in
/// `ExchangeFields` and `ConnectionFields`; JSON, CSV and the header line of CSV are visitors of the same telling.
package protocol FieldVisitor: ~Copyable {
    /// A name and an exact integer; nil is unknown.
    mutating func integer(_ name: StaticString, _ value: Int?)
    /// A time as two fields: seconds, and `name_ns`, the same as integer nanoseconds.
    mutating func seconds(_ name: StaticString, _ nanoseconds: Int64?)
    mutating func boolean(_ name: StaticString, _ value: Bool?)
    mutating func text(_ name: StaticString, _ value: [UInt8]?)
    mutating func text(_ name: StaticString, _ value: String?)
    mutating func endpoint(_ name: StaticString, _ value: Endpoint)
    /// A word that is always the same.
    mutating func constant(_ name: StaticString, _ value: StaticString)
    mutating func flags(_ name: StaticString, _ value: RecordFlags)
    /// Fields that no column can hold, lists and objects named by data: only JSON tells them.
    mutating func listed(_ tell: (inout JSONFields) -> Void)
    /// Opens an object. False: it was said to be null, and neither its fields nor its end follow.
    mutating func begin(_ name: StaticString, isKnown: Bool) -> Bool
    mutating func end()
}

extension FieldVisitor where Self: ~Copyable {
    package mutating func begin(_ name: StaticString) { _ = begin(name, isKnown: true) }

    /// An interval of time.
    package mutating func range(_ name: StaticString, _ value: ClosedRange<Int64>?) {
        guard begin(name, isKnown: value != nil) else { return }
        seconds("min", value?.lowerBound)
        seconds("max", value?.upperBound)
        end()
    }
}
