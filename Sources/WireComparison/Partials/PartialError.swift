/// A partial result that cannot be read: what is wrong, in one clause.
public struct PartialError: Error, Equatable {
    public var message: String

    public init(message: String) { self.message = message }
}
