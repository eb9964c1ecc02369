/// The two sides of a TLS connection, by number.
///
/// A side is a class: in a structure, whether in an `InlineArray` or behind accessors, reading one field copied all of it
/// (measured with Swift 6.3: 400 ns a record), and optimised code lost what a nested mutating call wrote into an element
/// that holds references.
struct TLSSides {
    private let zero = TLSSide()
    private let one = TLSSide()

    @inline(__always)
    subscript(side: Int) -> TLSSide { side == 0 ? zero : one }
}
