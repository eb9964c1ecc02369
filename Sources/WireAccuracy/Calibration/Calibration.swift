import WireEstimates
import WireLogs

/// Constants that make a source's figures right in the mean: what an SDK, or whoever reads its log, adds to them until
/// the SDK itself is repaired.
public struct Calibration: Sendable, Equatable {
    /// The mean of what calls lack, with what it rests on.
    public struct Constant: Sendable, Equatable {
        /// Bytes to add; negative where the source counts too much.
        public var mean: Double
        public var count: Int
        /// Standard deviation of what single calls lack, bytes; nil of one. Of a fallback it is how far the APIs' own
        /// means lie from it (a nine tenths' quantile, as of a normal distribution).
        public var deviation: Double?

        public init(mean: Double, count: Int, deviation: Double?) {
            self.mean = mean
            self.count = count
            self.deviation = deviation
        }
    }

    /// What to add for each call.
    public struct Constants: Sendable, Equatable {
        /// From the figure to the HTTP message.
        public var message: Constant
        /// From the message to its wire bytes, without the set-up of connections.
        public var transport: Constant

        public init(message: Constant, transport: Constant) {
            self.message = message
            self.transport = transport
        }
    }

    /// One direction of one API, or of all.
    public struct Side: Sendable, Equatable {
        /// Calls that the constants were fitted to.
        public var calls = 0
        /// Nil where there were too few of them: the fallback counts.
        public var constants: Constants?
        /// Why there are no constants, in words.
        public var reason: String?
        /// From the figure of a failed call to its message; `constants` are of completed calls. Nil where there were
        /// too few.
        public var failed: Constant?
        /// Mean error of a completed call against the message by cause, bytes.
        public var causes: [ErrorCause: Double] = [:]
        /// Nil without later calls.
        public var heldOut: HeldOut?

        public init() {}
    }

    /// Errors on calls that the constants were not fitted to: estimate − truth, summed.
    public struct HeldOut: Sendable, Equatable {
        public struct Errors: Sendable, Equatable {
            public var truth = 0
            public var before = 0
            /// With the fallback constant for all APIs.
            public var withFallback = 0.0
            /// With the constant of each API.
            public var after = 0.0

            public init() {}
        }

        public var calls = 0
        public var message = Errors()
        public var wire = Errors()

        public init() {}
    }

    /// What concerns a direction as a whole.
    public struct Total: Sendable, Equatable {
        /// Of all APIs: `constants` are the fallback for APIs that were never seen.
        public var all: Side
        /// Bytes that opening and closing a connection cost, name resolution included: once for each connection.
        public var setup: Constant?

        public init(all: Side, setup: Constant?) {
            self.all = all
            self.setup = setup
        }
    }

    public struct API: Sendable, Equatable {
        public var name: String
        public var up: Side?
        public var down: Side?

        public init(name: String) { self.name = name }

        public subscript(direction: Direction) -> Side? {
            get { direction == .up ? up : down }
            set { if direction == .up { up = newValue } else { down = newValue } }
        }
    }

    /// An API with fewer calls to fit to gets no constant of its own.
    public static let fewestCalls = 5
    /// With fewer calls in all no calibration is made.
    public static let fewestCallsInAll = 10

    public var conditions: CalibrationConditions
    public var up: Total?
    public var down: Total?
    /// By name.
    public var apis: [API]

    public init(conditions: CalibrationConditions, up: Total?, down: Total?, apis: [API]) {
        self.conditions = conditions
        self.up = up
        self.down = down
        self.apis = apis
    }

    public subscript(direction: Direction) -> Total? { direction == .up ? up : down }

    /// Sides that got no constants of their own because those would have made later calls worse.
    public var withheld: [(api: String, direction: Direction, reason: String)] {
        apis.flatMap { api in
            Direction.allCases.compactMap { direction in
                guard let side = api[direction], let reason = side.reason, side.calls >= Calibration.fewestCalls else {
                    return nil
                }
                return (api.name, direction, reason)
            }
        }
    }
}

/// Under what a calibration was fitted; elsewhere its constants may not hold.
public struct CalibrationConditions: Sendable, Equatable {
    public var source: String
    /// Nil: a simulated estimator.
    public var format: SDKLogFormat?
    public var files: [String] = []
    /// Link headers are part of the transport.
    public var countsLinkBytes = false
    /// So are packet headers that offload hid.
    public var undoesOffload = false
    /// First and last call: nanoseconds since the epoch. Calls before `split` were fitted to, the others held out.
    public var first: Int64 = 0
    public var last: Int64 = 0
    public var split: Int64 = 0
    /// Calls by version, such as "1.1", or "none" without TLS.
    public var http: [String: Int] = [:]
    public var tls: [String: Int] = [:]
    /// How the log records redirections, and the formula that explains it; nil where that is not known.
    public var redirects: String?
    public var formula: String?
    /// Figures that the capture has calls for, and those of them that the source has.
    public var figures = 0
    public var recorded = 0

    public init(source: String, format: SDKLogFormat?) {
        self.source = source
        self.format = format
    }
}

/// Why there is no calibration, in one line.
public struct CalibrationRefusal: Error, Sendable, Equatable {
    public var message: String

    public init(_ message: String) { self.message = message }
}
