import WireOpportunities

/// What an audit holds besides the ledger where it was asked for; each is nil where it was not.
public struct AuditAdditions: Sendable {
    public var estimates: AuditEstimates?
    public var opportunities: OpportunityReport?
    public var headerFields: [HeaderFieldRow]?
    /// The program can look for opportunities in what the report is about; it says so where nobody asked.
    public var canHaveOpportunities = false

    public init(
        estimates: AuditEstimates? = nil, opportunities: OpportunityReport? = nil,
        headerFields: [HeaderFieldRow]? = nil
    ) {
        (self.estimates, self.opportunities, self.headerFields) = (estimates, opportunities, headerFields)
    }
}
