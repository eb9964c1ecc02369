/// What tells rows of rival redirections apart.
extension RowJoin {
    /// −ln(likelihood), thousandths, of a row and a call that the wire may have held; nil where they cannot be one.
    package func cost(_ row: Int32, of call: WireCall) -> Int64? {
        let own = log[Int(row)]
        return model.cost(own, isFailure: own.tellsFailure, call, CallMoments(call, clock)).map { Int64($0) }
    }

    /// The same for a row without an exchange.
    func leaveCost(of row: Int32) -> Int64 { Int64(model.leaveCost(log[Int(row)], candidates: 1)) }

    package func path(of row: Int32) -> Int32 { log[Int(row)].path }

    /// Whether host, path and method of a row are those of a call, as far as the row has them.
    func hasNames(_ row: Int32, of call: Int32) -> Bool {
        let (own, other) = (log[Int(row)], calls[Int(call)])
        return own.path == other.path && (own.host < 0 || own.host == other.host)
            && (own.method < 0 || own.method == other.method)
    }
}
