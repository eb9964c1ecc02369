extension UnsafeSlab where Element == Exchange {
    /// A message of an exchange in its place. An accessor of the exchange that chooses one would be a coroutine, which takes
    /// memory of its own each time.
    @inline(__always)
    subscript(index: Int, role: MessageRole) -> MessageState {
        @inline(__always) unsafeAddress { unsafe UnsafePointer(message(index, role)) }
        @inline(__always) unsafeMutableAddress { unsafe message(index, role) }
    }

    @inline(__always)
    private func message(_ index: Int, _ role: MessageRole) -> UnsafeMutablePointer<MessageState> {
        let offset =
            role == .request
            ? MemoryLayout<Exchange>.offset(of: \.request)! : MemoryLayout<Exchange>.offset(of: \.response)!
        return unsafe (UnsafeMutableRawPointer(address(of: index)) + offset).assumingMemoryBound(to: MessageState.self)
    }
}
