/// Why bytes of a stream cannot be looked at.
struct SkipReason: Sendable {
    /// What an exchange that they belong to is flagged with.
    var flag: RecordFlags
    /// They are counted as what they are all the same.
    var isCounted: Bool

    /// No packet held them.
    static let gap = SkipReason(flag: .gap, isCounted: false)
    /// They were on the wire, but the snap length cut the frame.
    static let truncated = SkipReason(flag: .snapped, isCounted: true)
    /// They lie in a record that could not be opened.
    static let unread = SkipReason(flag: .gap, isCounted: false)
    /// They are there, and no message that can be read.
    static let unreadable = SkipReason(flag: .malformed, isCounted: true)
}
