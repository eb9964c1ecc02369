/// A choice that cannot be made: what is wrong, and what would be right.
public struct EstimatorChoiceError: Error, Equatable, CustomStringConvertible {
    public let message: String

    init(_ message: String) { self.message = message }

    public var description: String { message }
}
