/// A type that holds keys: no text, dump or debugger view of it shows any.
public protocol SecretHolder: CustomReflectable, CustomStringConvertible, CustomDebugStringConvertible {}

extension SecretHolder {
    public var description: String { "\(Self.self)(secret)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [Mirror.Child](), ancestorRepresentation: .suppressed) }
}
