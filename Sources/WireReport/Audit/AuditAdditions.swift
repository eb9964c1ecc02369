import WireOpportunities

/// What an audit holds besides the ledger where it was asked for; each is nil where it was not.
public struct AuditAdditions: Sendable {
    public var estimates: AuditEstimates?
    public var opportunities: OpportunityReport?
    public var headerFields: [HeaderFieldRow]?

    public init(
        estimates: AuditEstimates? = nil, opportunities: OpportunityReport? = nil,
        headerFields: [HeaderFieldRow]? = nil
    ) {
        (self.estimates, self.opportunities, self.headerFields) = (estimates, opportunities, headerFields)
    }
}
