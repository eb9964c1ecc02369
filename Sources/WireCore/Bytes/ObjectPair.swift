/// An object for each direction.
///
/// Objects, because in a structure, whether in an `InlineArray` or behind accessors, reading one field copied all of it
/// (measured with Swift 6.3: 400 ns a TLS record), and optimised code lost what a nested mutating call wrote into an
/// element that holds references.
struct ObjectPair<Object: AnyObject> {
    private let zero: Object
    private let one: Object

    init(_ make: () -> Object) { (zero, one) = (make(), make()) }

    @inline(__always)
    subscript(direction: Direction) -> Object { direction == 0 ? zero : one }
}
