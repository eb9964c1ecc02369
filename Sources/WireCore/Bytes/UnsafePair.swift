/// Two values, one for each direction of a connection, reached in place.
///
/// The memory belongs to a store that keeps it where it is as long as the connection lives. See `UnsafeSlab` for why not
/// an array. `Direction` has two values only, so that no access can leave the pair.
@safe
struct UnsafePair<Element: ~Copyable> {
    private let base: UnsafeMutablePointer<Element>

    /// - Parameter base: of two initialized elements.
    init(_ base: UnsafeMutablePointer<Element>) { unsafe self.base = base }

    /// Tells the pair from others that live at the same time.
    var identity: Int { unsafe Int(bitPattern: base) }

    @inline(__always)
    subscript(direction: Direction) -> Element {
        @inline(__always) unsafeAddress { unsafe UnsafePointer(base + direction.index) }
        @inline(__always) nonmutating unsafeMutableAddress { unsafe base + direction.index }
    }
}

/// Memory for two values that no store keeps.
@safe
struct UnsafePairStorage<Element>: ~Copyable {
    private let base: UnsafeMutablePointer<Element>

    init(repeating value: Element) {
        unsafe base = UnsafeMutablePointer<Element>.allocate(capacity: 2)
        unsafe base.initialize(repeating: value, count: 2)
    }

    deinit {
        unsafe base.deinitialize(count: 2)
        unsafe base.deallocate()
    }

    /// Not to be used when this is gone.
    var pair: UnsafePair<Element> { unsafe UnsafePair(base) }
}
