import WireAccuracy
import WireLogs

extension Calibration {
    package static let schema = "wireaudit.calibration/2"

    /// Reads what `accuracy --calibration` wrote: the constants and their conditions. What it was worth on later calls
    /// is not needed to use it, and not read.
    public init(json: [UInt8]) throws(PolicyError) {
        self.init(conditions: CalibrationConditions(source: "", format: nil), up: nil, down: nil, apis: [])
        var reader = BaselineReader(JSONReader(json))
        do throws(BaselineReader.Problem) {
            var schema: String?
            try reader.object { (reader, name) throws(BaselineReader.Problem) in
                switch name {
                case "schema": schema = try reader.string()
                case "conditions": self.conditions = try reader.conditions()
                case "all":
                    try reader.object { (reader, name) throws(BaselineReader.Problem) in
                        switch name {
                        case "up": self.up = try reader.calibrationTotal()
                        case "down": self.down = try reader.calibrationTotal()
                        default: try reader.skip()
                        }
                    }
                case "apis":
                    try reader.array { (reader) throws(BaselineReader.Problem) in
                        self.apis.append(try reader.calibrationAPI())
                    }
                default: try reader.skip()
                }
            }
            try reader.end()
            guard schema == Calibration.schema else {
                throw BaselineReader.Problem(what: schema.map { "its schema is \(quoted($0))" } ?? "it has no schema")
            }
            guard up != nil || down != nil else { throw BaselineReader.Problem(what: "it has no constants") }
        } catch {
            throw PolicyError(
                "not a calibration written by wireaudit accuracy --calibration (\(Calibration.schema)): \(error.what)")
        }
    }
}

extension BaselineReader {
    fileprivate mutating func conditions() throws(Problem) -> CalibrationConditions {
        var conditions = CalibrationConditions(source: "", format: nil)
        try object { (reader, name) throws(Problem) in
            switch name {
            case "source": conditions.source = try reader.string()
            case "format": conditions.format = try reader.optionalString().flatMap { SDKLogFormat(rawValue: $0) }
            case "layer": conditions.countsLinkBytes = try reader.string() == "link"
            case "redirects": conditions.redirects = try reader.optionalString()
            case "formula": conditions.formula = try reader.optionalString()
            case "http": conditions.http = try reader.counts()
            case "tls": conditions.tls = try reader.counts()
            default: try reader.skip()
            }
        }
        return conditions
    }

    private mutating func counts() throws(Problem) -> [String: Int] {
        var counts: [String: Int] = [:]
        try object { (reader, name) throws(Problem) in counts[name] = try reader.integer() }
        return counts
    }

    fileprivate mutating func calibrationTotal() throws(Problem) -> Calibration.Total? {
        var total: Calibration.Total?
        try optionalObject { (reader, name) throws(Problem) in
            var known = total ?? Calibration.Total(all: Calibration.Side(), setup: nil)
            switch name {
            case "set_up": known.setup = try reader.constant()
            default: try reader.member(name, of: &known.all)
            }
            total = known
        }
        guard let total else { return nil }
        guard total.all.constants != nil else { throw problem("a direction has no constants") }
        return total
    }

    fileprivate mutating func calibrationAPI() throws(Problem) -> Calibration.API {
        var api = Calibration.API(name: "")
        try object { (reader, name) throws(Problem) in
            switch name {
            case "api": api.name = try reader.string()
            case "up": api.up = try reader.side()
            case "down": api.down = try reader.side()
            default: try reader.skip()
            }
        }
        return api
    }

    private mutating func side() throws(Problem) -> Calibration.Side? {
        var side: Calibration.Side?
        try optionalObject { (reader, name) throws(Problem) in
            var known = side ?? Calibration.Side()
            try reader.member(name, of: &known)
            side = known
        }
        return side
    }

    private mutating func member(_ name: String, of side: inout Calibration.Side) throws(Problem) {
        switch name {
        case "fitted_calls": side.calls = try integer()
        case "message", "transport": try constant(name, &side)
        case "failed": side.failed = try constant()
        case "reason": side.reason = try optionalString()
        case "causes":
            try optionalObject { (reader, name) throws(Problem) in
                guard let cause = AccuracyBaseline.causes[name] else { return try reader.skip() }
                side.causes[cause] = try reader.number() ?? 0
            }
        default: try skip()
        }
    }

    /// Both constants of a side are there, or none.
    private mutating func constant(_ name: String, _ side: inout Calibration.Side) throws(Problem) {
        guard let constant = try constant() else { return }
        let none = Calibration.Constant(mean: 0, count: 0, deviation: nil)
        var constants = side.constants ?? Calibration.Constants(message: none, transport: none)
        if name == "message" { constants.message = constant } else { constants.transport = constant }
        side.constants = constants
    }

    private mutating func constant() throws(Problem) -> Calibration.Constant? {
        var constant: Calibration.Constant?
        try optionalObject { (reader, name) throws(Problem) in
            var known = constant ?? Calibration.Constant(mean: 0, count: 0, deviation: nil)
            switch name {
            case "mean": known.mean = try reader.number() ?? 0
            case "n": known.count = try reader.integer()
            case "spread": known.deviation = try reader.number()
            default: try reader.skip()
            }
            constant = known
        }
        return constant
    }
}
