import WireEstimates
import WireRecords

extension ErrorCause {
    /// The cause as what an error is: it ends the sentence "57 % of the undercount is …".
    package var inSentence: String {
        switch self {
        case .startLineEnd: "the line end of the start line"
        case .fieldLineEnd: "the line ends of header fields"
        case .emptyLine: "the empty line after the header fields"
        case .fieldsMissing: "header fields that the hook cannot see"
        case .fieldsFormat: "the other format that header fields are counted in"
        case .fieldsRewritten: "header fields that the platform rewrites"
        case .fieldsNotCounted: "header fields, which are not counted"
        case .startLineNotCounted: "the start line, which is not counted"
        case .startLineRewritten: "the start line, which is written anew"
        case .reasonGuessed: "reason phrases, which the SDK guesses"
        case .cookie: "cookies, not counted or not as sent"
        case .queryDropped: "the query string, which is dropped"
        case .pathRewritten: "the path, decoded or shortened"
        default: bodyInSentence ?? exchangeInSentence ?? transportInSentence
        }
    }

    private var bodyInSentence: String? {
        switch self {
        case .bodyMissing: "bodies, which are not counted"
        case .bodyRecompressed: "bodies compressed again by another compressor"
        case .bodyDecoded: "bodies counted after decompression"
        case .encodingTest: "a content coding that is not recognised, so that decompressed sizes count"
        case .expectedLength: "the expected length, counted instead of the bytes received"
        case .chunkFraming: "chunk framing, which is not counted"
        case .lastBlockOnly: "bodies of which only the last block is counted"
        case .headerCompression: "compressed fields and frames of HTTP/2 or HTTP/3, counted as text or not at all"
        default: nil
        }
    }

    private var exchangeInSentence: String? {
        switch self {
        case .redirect: "redirect hops, lost or merged"
        case .cache: "answers from a cache"
        case .retry: "retries and interim responses, which are not counted"
        case .failure: "failed or cancelled exchanges"
        case .scope: "exchanges invisible to the SDK"
        case .rowMissing: "missing log rows"
        case .notJoined: "calls to which no row could be joined, though some row may be theirs"
        case .notSampled: "the log's sampling, which leaves calls out"
        case .foreignHost: "calls of hosts that the log never names"
        case .merge: "concurrent exchanges, merged into one"
        case .observer: "traffic that the SDK itself adds or changes"
        case .attribution: "a counter that is not per exchange"
        case .rounding: "rounding of the stored value"
        case .unexplained: "bytes that none of the log's known formulas explains"
        default: nil
        }
    }

    private var transportInSentence: String {
        switch self {
        case .handshake: "the set-up (TCP/QUIC, TLS, HTTP) and closing of connections"
        case .offload: "packet headers hidden by segmentation offload (inferred)"
        default: meaning
        }
    }
}
