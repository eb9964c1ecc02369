import Spelling

/// All estimators, and the choice among them by text.
public enum EstimatorCatalog {
    /// In a fixed order. Those that are not simulated are only described.
    public static let descriptions: [EstimatorDescription] =
        simulated.map { $0.description } + [InterfaceCounters.description]

    /// Identifiers of the default choice: the systems that articles compare most.
    public static let standard = [
        "dmurlprotocol", "networkeye", "godeye", "hertz", "wedjat", "mtnm", "dada", "pps", "drd",
    ]

    static let simulated: [any Estimator.Type] = [
        DMURLProtocolEstimator.self, NetworkEyeEstimator.self, GodEyeEstimator.self, HertzEstimator.self,
        WedjatEstimator.self, MTNMEstimator.self, DadaEstimator.self, PPSEstimator.self,
        InterceptorSampleEstimator.self, DRDEstimator.self, DoKitEstimator.self, NetfoxEstimator.self,
        FLEXEstimator.self, WormholyEstimator.self, PulseEstimator.self, FirebaseEstimator.self,
        SentryEstimator.self, DatadogEstimator.self, NewRelicEstimator.self, HAREstimator.self,
        ChromeHAREstimator.self, OkHttpEstimator.self, CFNetworkEstimator.self, AndroidUIDEstimator.self,
        MatrixEstimator.self, OpenTelemetryEstimator.self,
        NetLogEstimator.self, QLogEstimator.self, ResourceTimingEstimator.self, CronetEstimator.self,
        FirebaseAndroidEstimator.self, DatadogAndroidEstimator.self, EmbraceAppleEstimator.self,
        EmbraceAndroidEstimator.self, BugsnagEstimator.self, ChuckerEstimator.self, PostHogEstimator.self,
        ArgusAPMEstimator.self, FlutterEstimator.self, DoKitAndroidEstimator.self,
        DatadogReactNativeEstimator.self, InstabugReactNativeEstimator.self, OkHttpLogEstimator.self,
    ]

    /// Estimators by text: `all`, `none`, `standard`, or identifiers and aliases joined by commas, each with
    /// parameters if wanted: `dm:headers=min:body=data,har`. The words may stand in a list too, but for `none`. An
    /// estimator may be there with several sets of parameters; the same one again counts once.
    public static func choose(_ text: String) throws(EstimatorChoiceError) -> [ChosenEstimator] {
        if trimmed(text).lowercased() == "none" { return [] }
        var chosen: [ChosenEstimator] = []
        var taken: Set<String> = []
        for element in text.split(separator: ",", omittingEmptySubsequences: false) {
            for estimator in try estimators(trimmed(element)) where taken.insert(estimator.id).inserted {
                chosen.append(estimator)
            }
        }
        return chosen
    }

    private static func estimators(_ text: Substring) throws(EstimatorChoiceError) -> [ChosenEstimator] {
        switch text.lowercased() {
        case "":
            throw EstimatorChoiceError("an estimator's name is missing; known are \(knownNames)")
        case "none":
            throw EstimatorChoiceError("'none' cannot be joined with other estimators")
        case "all":
            return simulated.map { ChosenEstimator($0, EstimatorParameters($0.description)) }
        case "standard":
            return simulated.filter { standard.contains($0.description.id) }.map {
                ChosenEstimator($0, EstimatorParameters($0.description))
            }
        default:
            return [try estimator(text)]
        }
    }

    private static func estimator(_ text: Substring) throws(EstimatorChoiceError) -> ChosenEstimator {
        let pieces = text.split(separator: ":", omittingEmptySubsequences: false)
        let name = pieces[0].lowercased()
        guard let type = simulated.first(where: { $0.description.isNamed(name) }) else {
            throw unknownEstimator(name)
        }
        var parameters = EstimatorParameters(type.description)
        var given: Set<String> = []
        for piece in pieces.dropFirst() {
            let (parameter, value) = try type.description.parameter(piece)
            guard given.insert(parameter.name).inserted else {
                throw EstimatorChoiceError("\(type.description.id): '\(parameter.name)' is given twice")
            }
            parameters[parameter.name] = value
        }
        return ChosenEstimator(type, parameters)
    }

    private static func unknownEstimator(_ name: String) -> EstimatorChoiceError {
        if let described = descriptions.first(where: { !$0.isSimulated && $0.isNamed(name) }) {
            return EstimatorChoiceError(
                "\(described.id) counts the device, not exchanges: it is described but cannot be simulated")
        }
        let words = descriptions.flatMap { [$0.id] + $0.aliases } + ["all", "none", "standard"]
        if let near = nearestWord(to: name, among: words) {
            return EstimatorChoiceError("no estimator '\(name)'; did you mean '\(near)'?")
        }
        return EstimatorChoiceError("no estimator '\(name)'; known are \(knownNames)")
    }

    private static var knownNames: String {
        (["all", "none", "standard"] + simulated.map { $0.description.id }).joined(separator: ", ")
    }

    private static func trimmed(_ text: some StringProtocol) -> Substring {
        var rest = Substring(text)
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }
}

/// An estimator with its parameters, ready to run.
public struct ChosenEstimator: Sendable {
    /// Identifier and, after colons, each parameter that is not the default: `dmurlprotocol:headers=min`. Unique in a
    /// choice, a key in outputs.
    public let id: String
    public let title: String
    public let description: EstimatorDescription
    public let estimator: any Estimator
    /// All parameters with their values, joined by commas; empty where there are none.
    public let parameters: String

    init(_ type: any Estimator.Type, _ parameters: EstimatorParameters) {
        description = type.description
        title = description.title
        id = ([description.id] + parameters.changed.map { "\($0.name)=\($0.value)" }).joined(separator: ":")
        estimator = type.init(parameters)
        self.parameters = parameters.fullText
    }
}
