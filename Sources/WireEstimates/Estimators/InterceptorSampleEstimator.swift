/// InterceptorSampleProject: counts nothing, but changes what it watches.
public struct InterceptorSampleEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "interceptor-sample", aliases: ["interceptorsample"], title: "InterceptorSampleProject", evidence: .source,
        source: "RicardoFerreira10/InterceptorSampleProject, Interceptor.m",
        sees: "Requests of every scheme that reach a registered URL protocol.",
        cannotSee: "Bytes: it makes no statement about sizes in either direction.",
        counts: """
            Nothing. It adds a field named "Interceptor Version" to each request: 28 bytes more on the wire where the \
            field is really sent (its name has a space, which HTTP does not allow).
            """)

    public init(_ parameters: EstimatorParameters) {}

    public var needs: ContentNeeds { [] }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome { .recorded(up: nil, down: nil) }

    public func addedBytes(_ request: ObservedRequest) -> Int {
        request.fieldBytes { request.fields.isEqual($0.name, "interceptor version") }
    }
}

extension ObservedRequest {
    /// Bytes of the fields that are chosen. In HTTP/2 nobody knows what single fields cost after compression: 0.
    func fieldBytes(where isChosen: (HeaderFields.Field) -> Bool) -> Int {
        http2 == nil ? fields.fields.reduce(0) { isChosen($1) ? $0 + $1.wireLength : $0 } : 0
    }
}
