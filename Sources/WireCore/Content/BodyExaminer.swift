import WireNative

/// What was learned of a body's content.
public struct BodyFacts: Sendable, Equatable {
    /// Bytes after content and transfer codings were undone; of a body that did not come whole, what came out of what
    /// came. Nil: the content is not what its codings say, or beyond a limit.
    public var decoded: Int?
    /// Size after gzip as SDKs do it; nil where nobody asked or it could not be known.
    public var recompressed: Int?
    /// The decoded content is UTF-8; nil where nobody asked or it could not be known.
    public var isText: Bool?
    /// Its length as a string of JavaScript; nil where nobody asked, or it is no such text.
    public var string: StringLength?
    /// Size after gzip of content that was sent without a coding; nil where nobody asked or it could not be known.
    public var gzipped: Int?
    /// Equal for equal content as sent, in one run of the program; nil where nobody asked, or the body is not whole.
    public var digest: UInt64?
    /// A limit ended the examination.
    public var limitReached = false

    public init() {}
}

/// A body that is examined. Its facts are asked for when it has ended; they may have to be waited for.
public protocol ExaminedBody: AnyObject, Sendable {
    var facts: BodyFacts { get }
}

/// What an examiner is told of a body that begins.
public struct BodyOutline: Sendable {
    public var isRequest: Bool
    /// Content codings and, after them, transfer codings other than chunked, in the order they were applied.
    public var codings: [ContentCoding]
    /// The content coding as the field says it is the one word `gzip`, in lower case: what some SDKs test for.
    public var isLiterallyGzip: Bool
    /// There is a Content-Encoding field, whatever it says.
    public var hasContentEncoding: Bool

    public init(isRequest: Bool, codings: [ContentCoding], isLiterallyGzip: Bool, hasContentEncoding: Bool) {
        self.isRequest = isRequest
        self.codings = codings
        self.isLiterallyGzip = isLiterallyGzip
        self.hasContentEncoding = hasContentEncoding
    }
}

/// Looks at the content of bodies as it is delivered. The engine itself keeps none of it.
public protocol BodyExaminer: AnyObject {
    /// A body begins. Nil: nothing about it is wanted, or a limit forbids it (`limitReached`).
    func begin(_ outline: BodyOutline, limitReached: inout Bool) -> (any ExaminedBody)?
    /// The next content, without framing. False: a limit is reached, and the body is to be abandoned.
    func take(_ body: any ExaminedBody, _ bytes: RawSpan, captured: Int) -> Bool
    /// No more will come. `isWhole`: the message ended where its framing says.
    func end(_ body: any ExaminedBody, isWhole: Bool)
    /// Content is missing from the middle: there will be no facts.
    func abandon(_ body: any ExaminedBody)
    /// Facts are there as soon as a body has ended.
    var isImmediate: Bool { get }
}
