/// One value for each direction of a connection: `up` is client to server, `down` the other way.
public struct Directions<Value> {
    public var up: Value
    public var down: Value

    @inlinable
    public init(up: Value, down: Value) {
        self.up = up
        self.down = down
    }
}

extension Directions: Sendable where Value: Sendable {}
extension Directions: Equatable where Value: Equatable {}
