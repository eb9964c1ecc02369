import WireCore

extension OutputBuffer {
    /// An address and port as `Endpoint.description` spells them.
    package mutating func endpoint(_ endpoint: Endpoint) {
        var text: [UInt8] = []
        text.reserveCapacity(48)
        endpoint.appendText(to: &text)
        bytes(text.span)
    }
}
