/// What was written: counted where it is made, not where it is read.
struct TrafficTruth {
    var fileBytes = 0
    var packets = 0
    var frameBytes = 0
    var connections = 0
    var exchanges = 0
    /// Start lines and header sections.
    var heads = 0
    /// Bodies without framing, as sent (compressed where they are).
    var requestBody = 0
    var responseBody = 0
    /// Chunk sizes, their line ends, and last chunks.
    var framing = 0
    /// Segments that were captured twice, and their payload.
    var resentSegments = 0
    var resentBytes = 0
    /// Segments that came behind later ones, or only when they were sent again.
    var lateSegments = 0

    /// One JSON object on one line.
    func json(shape: String, seed: UInt64) -> String {
        let values: [(String, Int)] = [
            ("file_bytes", fileBytes), ("packets", packets), ("frame_bytes", frameBytes), ("connections", connections),
            ("exchanges", exchanges), ("head_bytes", heads), ("request_body_bytes", requestBody),
            ("response_body_bytes", responseBody), ("framing_bytes", framing), ("resent_segments", resentSegments),
            ("resent_bytes", resentBytes), ("late_segments", lateSegments),
        ]
        let pairs = values.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ")
        return "{\"shape\": \"\(shape)\", \"seed\": \(seed), \(pairs)}\n"
    }
}
