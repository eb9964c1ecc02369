import Testing
import WireTesting

@testable import WireCore

/// Two streams; the server's answers in one run that is sent in segments of 100 bytes.
func interleavedStreams(_ suite: TLSSuite? = nil) -> (talk: HTTP2Talk, first: Int) {
    var talk = HTTP2Talk(suite)
    talk.frames(
        .client,
        [.headers(1, talk.request("/a"), endStream: true), .headers(3, talk.request("/b"), endStream: true)])
    talk.talk.write(.server, talk.runs([.headers(1, talk.response()), .data(1, .filler(491))]))
    talk.talk.write(.server, talk.runs([.headers(3, talk.response()), .data(3, .filler(181))]))
    talk.talk.write(.server, talk.runs([.data(1, .filler(91), endStream: true)]))
    talk.talk.write(.server, talk.runs([.data(3, .filler(91), endStream: true)]))
    let first = talk.talk.talk.frames.count
    talk.talk.sendRest(.server, each: 100)
    talk.talk.acknowledge(.client)
    talk.exchange(5)
    talk.talk.close()
    return (talk, first)
}

/// `window`: how long a hole is waited for, nanoseconds.
func audited(_ frames: [CapturedFrame], keys: String = "", window: Int64 = 1000) -> AuditedCapture {
    var options = AuditOptions()
    options.setup = .separate
    options.reorderingWindow = window
    var isEmptyHanded = false
    let capture = audit(frames, options, keys: keys) { isEmptyHanded = $0.isEmptyHanded }
    #expect(isEmptyHanded)
    #expect(capture.contradictions == [])
    return capture
}
