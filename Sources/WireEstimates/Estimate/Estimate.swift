/// What an estimator records of one direction of an exchange. Bytes; nil where it records no such figure.
public struct DirectionEstimate: Sendable, Equatable {
    // Kept in 8 bytes each: there are very many estimates. `Int.min` stands for nil.
    private var startLineValue = Int.min
    private var headersValue = Int.min
    private var bodyValue = Int.min
    private var totalValue = Int.min

    public var startLine: Int? {
        get { DirectionEstimate.known(startLineValue) }
        set { startLineValue = newValue ?? .min }
    }
    public var headers: Int? {
        get { DirectionEstimate.known(headersValue) }
        set { headersValue = newValue ?? .min }
    }
    public var body: Int? {
        get { DirectionEstimate.known(bodyValue) }
        set { bodyValue = newValue ?? .min }
    }
    /// The figure that the SDK stores or shows for the direction. Nil: none, which reads as nothing counted.
    public var total: Int? {
        get { DirectionEstimate.known(totalValue) }
        set { totalValue = newValue ?? .min }
    }
    /// Why `total` differs from the message; sums to (total ?? 0) − message, unless the figure is unknown.
    public var causes = CauseLedger()
    /// The formula needs what is not known here, such as a body that could not be decoded: there is no figure.
    public private(set) var isUnknown = false

    /// The figure is the platform's word for a length that it does not know, -1: no size.
    public var statesNoSize: Bool { (total ?? 0) < 0 }

    public init() {}

    /// A figure that cannot be told.
    public static let unknown: DirectionEstimate = {
        var estimate = DirectionEstimate()
        estimate.isUnknown = true
        return estimate
    }()

    private static func known(_ value: Int) -> Int? { value == .min ? nil : value }
}

/// What an estimator makes of an exchange.
public enum EstimateOutcome: Sendable {
    /// Recorded. A direction is nil where the SDK makes no statement about it at all.
    case recorded(up: DirectionEstimate?, down: DirectionEstimate?)
    /// Not recorded, for that reason: the exchange lacks in the SDK's data.
    case unseen(ErrorCause)
    /// What both directions need is not known (the head of the request): no figures.
    case unknown
}

/// What estimators want to know of bodies beyond their sizes. Each costs time.
public struct ContentNeeds: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Decoded sizes of content-coded bodies.
    public static let decodedSizes = ContentNeeds(rawValue: 1)
    /// The SDK's own gzip of decoded responses and of requests with a content coding.
    public static let recompression = ContentNeeds(rawValue: 2)
    /// Whether decoded bodies are UTF-8 text.
    public static let text = ContentNeeds(rawValue: 4)
    /// Size after gzip of bodies that were sent without a coding.
    public static let compressibility = ContentNeeds(rawValue: 8)
    /// What tells whether two bodies are equal.
    public static let digests = ContentNeeds(rawValue: 16)
    /// Lengths of decoded bodies, and of requests, as strings of JavaScript.
    public static let strings = ContentNeeds(rawValue: 32)
}

/// How an SDK counts an exchange. Estimators are blind to packets; equal exchanges give equal estimates.
public protocol Estimator: Sendable {
    static var description: EstimatorDescription { get }
    /// The parameters that were set, checked against the description.
    init(_ parameters: EstimatorParameters)
    var needs: ContentNeeds { get }
    func estimate(_ exchange: ObservedExchange) -> EstimateOutcome
    /// Bytes of the request's fields that the SDK itself adds (O.observer): they are on the wire, and the SDK's user
    /// pays for them. Part of the message, in no cause of an estimate. 0 in HTTP/2, where the size of a single
    /// compressed field is not known.
    func addedBytes(_ request: ObservedRequest) -> Int
    /// The formula takes counts of transferred bytes from below HTTP, so that it gives every recorded message of HTTP/1
    /// to the byte by construction, interim responses aside. False where another message can exist that it gets wrong.
    var isExactOnHTTP1: Bool { get }
}

extension Estimator {
    public func addedBytes(_ request: ObservedRequest) -> Int { 0 }
    public var isExactOnHTTP1: Bool { false }
}

/// Where a formula is from.
public enum EstimatorEvidence: String, Sendable {
    /// Read in the project's source.
    case source
    /// An article shows it.
    case article
    /// Vendor documentation.
    case documentation
    /// Our model: the source gives no byte figures.
    case model
}

/// An estimator for a reader: what it sees, counts and misses.
public struct EstimatorDescription: Sendable {
    public struct Parameter: Sendable {
        /// Values beside the words.
        public enum OpenValue: Sendable {
            /// Names of fields joined by `+`. A single name that is not well known begins with `+`.
            case fieldNames
            /// A whole number of bytes.
            case bytes
        }

        public var name: String
        /// The words it takes; the first is the default.
        public var values: [String]
        public var open: OpenValue?
        public var meaning: String

        public init(_ name: String, _ values: [String], _ meaning: String, open: OpenValue? = nil) {
            self.name = name
            self.values = values
            self.open = open
            self.meaning = meaning
        }
    }

    /// Identifier on the command line and in outputs.
    public var id: String
    public var aliases: [String]
    /// Name for people.
    public var title: String
    public var evidence: EstimatorEvidence
    /// Project or article, and the file that shows the formula.
    public var source: String
    public var sees: String
    public var cannotSee: String
    /// The formula in words: request; response.
    public var counts: String
    public var parameters: [Parameter]
    /// False: counts devices or apps, not exchanges, and is only described.
    public var isSimulated: Bool

    public init(
        id: String, aliases: [String] = [], title: String, evidence: EstimatorEvidence, source: String, sees: String,
        cannotSee: String, counts: String, parameters: [Parameter] = [], isSimulated: Bool = true
    ) {
        self.id = id
        self.aliases = aliases
        self.title = title
        self.evidence = evidence
        self.source = source
        self.sees = sees
        self.cannotSee = cannotSee
        self.counts = counts
        self.parameters = parameters
        self.isSimulated = isSimulated
    }
}

/// Values of an estimator's parameters: those that were set, else the description's defaults.
public struct EstimatorParameters: Sendable, Equatable {
    private let description: [(name: String, standard: String)]
    private var set: [String: String] = [:]

    public init(_ description: EstimatorDescription) {
        self.description = description.parameters.map { ($0.name, $0.values[0]) }
    }

    public subscript(name: String) -> String {
        get { set[name] ?? description.first { $0.name == name }?.standard ?? "" }
        set { set[name] = newValue }
    }

    /// What differs from the defaults, in the description's order.
    public var changed: [(name: String, value: String)] {
        description.compactMap { parameter in
            guard let value = set[parameter.name], value != parameter.standard else { return nil }
            return (parameter.name, value)
        }
    }

    /// `name=value` of what differs from the defaults, joined by commas, in the description's order. Empty for none.
    public var text: String { changed.map { "\($0.name)=\($0.value)" }.joined(separator: ",") }

    /// `name=value` of all parameters, joined by a comma and a space, in the description's order. Empty for none.
    public var fullText: String {
        description.map { "\($0.name)=\(self[$0.name])" }.joined(separator: ", ")
    }

    public static func == (left: EstimatorParameters, right: EstimatorParameters) -> Bool { left.text == right.text }
}
