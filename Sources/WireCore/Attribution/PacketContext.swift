/// When, and with what acknowledgment, the bytes that are being delivered were captured.
struct PacketContext: Sendable {
    /// Nanoseconds.
    var time: Int64 = 0
    /// How far their packet acknowledged the other direction; `unset` where it did not.
    var acknowledged = StreamPosition.unset
}
