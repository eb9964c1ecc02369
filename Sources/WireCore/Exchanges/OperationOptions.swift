import WireNative

/// Where it is looked for what a request asks for beside its path.
public struct OperationOptions: Sendable {
    /// Requests whose bodies, queries and SOAP fields are read for it.
    public enum Calls: Sendable, Equatable {
        /// Those whose content is of JSON-RPC, GraphQL or SOAP.
        case recognized
        case off
        /// Those to these paths, of which a `*` at the end stands for any rest, whatever type they give their content.
        case paths([String])
    }

    public var calls = Calls.recognized
    /// Names of header fields whose value is the operation; the first that a request has counts.
    public var named: [String] = []
    /// Names of header fields of which no value may be shown, in lower case.
    public var withheld: [String] = []

    public init() {}

    /// - Parameter words: the values of `--rpc`, as `words` gives them.
    public init(words: [String], named: [String]) {
        calls = words.isEmpty ? .recognized : words == ["off"] ? .off : .paths(words)
        self.named = named
    }

    /// The choice of calls as words of a command line; none for the usual one.
    public var words: [String] {
        switch calls {
        case .recognized: []
        case .off: ["off"]
        case .paths(let paths): paths
        }
    }
}

/// The options as requests are asked.
struct OperationNaming: Sendable {
    let isOn: Bool
    let fields: OperationFields
    /// Values of Content-Type may be shown.
    let showsTypes: Bool
    /// Values of URLs are shown to nobody, so a query names nothing.
    private let redactsQueries: Bool
    private let paths: [[UInt8]]?

    init(_ options: borrowing AuditOptions) {
        isOn = options.operations.calls != .off
        let isAction = isOn && !options.operations.withheld.contains("soapaction")
        fields = OperationFields(named: options.operations.named, others: isAction ? ["soapaction"] : [])
        showsTypes = !options.operations.withheld.contains("content-type")
        redactsQueries = options.redactsURLs
        if case .paths(let told) = options.operations.calls {
            paths = told.map { PathText.normalized($0.utf8) }
        } else {
            paths = nil
        }
    }

    var readsQueries: Bool { isOn && !redactsQueries }

    /// The user named some paths.
    var hasPaths: Bool { paths != nil }

    func includes(path: ArraySlice<UInt8>) -> Bool {
        guard let paths else { return true }
        let path = PathText.normalized(path)
        return paths.contains { $0.last == 0x2A ? path.starts(with: $0.dropLast()) : path == $0 }
    }
}
