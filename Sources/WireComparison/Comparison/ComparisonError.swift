/// Why a file is no audit that can be compared.
public struct ComparisonError: Error, Equatable {
    public var message: String

    public init(message: String) { self.message = message }
}
