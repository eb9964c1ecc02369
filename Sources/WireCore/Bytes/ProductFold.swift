extension UInt64 {
    /// Both halves of the product, together.
    @inline(__always)
    static func fold(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let product = one.multipliedFullWidth(by: other)
        return product.low ^ product.high
    }
}
