import WireStatistics

extension BaselineReader {
    /// How the calls of a row spread, as `wireaudit accuracy --format json` writes it; nil for null.
    mutating func rowSpread() throws(Problem) -> RowSpread? {
        var spread: RowSpread?
        try optionalObject { (reader, name) throws(Problem) in
            if spread == nil { spread = RowSpread() }
            switch name {
            case "message": spread?.message = try reader.errorSpread()
            case "wire": spread?.wire = try reader.errorSpread()
            case "size": spread?.size = try reader.sizeSpread()
            case "calls": spread?.calls = try reader.callErrors()
            case "sessions": spread?.sessions = try reader.sessionSpread()
            case "blocks":
                try reader.array { (reader) throws(Problem) in spread?.blocks.append(try reader.timeBlock()) }
            default: try reader.skip()
            }
        }
        return spread
    }

    private mutating func timeBlock() throws(Problem) -> TimeBlock {
        var block = TimeBlock(block: 0)
        try object { (reader, name) throws(Problem) in
            switch name {
            case "block": block.block = try reader.count()
            case "calls": block.calls = try reader.count()
            case "inverse_sum": block.inverses = try reader.number() ?? 0
            case "error_sum": block.errors = try reader.number() ?? 0
            case "error_sum_without_bodies": block.errorsWithoutBodies = try reader.number() ?? 0
            case "sized_calls": block.sizedCalls = try reader.count()
            case "log2_sum": block.sizes = try reader.number() ?? 0
            default: try reader.skip()
            }
        }
        return block
    }

    private mutating func sessionSpread() throws(Problem) -> SessionSpread? {
        var spread = SessionSpread(sessions: 0, messageEffect: 1, wireEffect: 1, sizeError: 0)
        try optionalObject { (reader, name) throws(Problem) in
            switch name {
            case "count": spread.sessions = try reader.count()
            case "message_effect": spread.messageEffect = max(1, try reader.number() ?? 1)
            case "wire_effect": spread.wireEffect = max(1, try reader.number() ?? 1)
            case "size_error": spread.sizeError = max(0, try reader.number() ?? 0)
            default: try reader.skip()
            }
        }
        return spread.sessions > 1 ? spread : nil
    }

    private mutating func callErrors() throws(Problem) -> CallErrors? {
        var calls: CallErrors?
        try optionalObject { (reader, name) throws(Problem) in
            if calls == nil { calls = CallErrors() }
            switch name {
            case "completed": calls?.completed = try reader.series()
            case "without_bodies": calls?.withoutBodies = try reader.series()
            case "failed": calls?.failed = try reader.series()
            default: try reader.skip()
            }
        }
        return calls
    }

    private mutating func series() throws(Problem) -> ErrorSeries {
        var groups: [ErrorSeries.Group] = []
        try array { (reader) throws(Problem) in
            var group = ErrorSeries.Group(error: 0, calls: 0, inverses: 0, inverseSquares: 0)
            try reader.object { (reader, name) throws(Problem) in
                switch name {
                case "error": group.error = try reader.number() ?? 0
                case "calls": group.calls = try reader.count()
                case "inverse_mean": group.inverses = try reader.number() ?? 0
                case "inverse_rms": group.inverseSquares = try reader.number() ?? 0
                default: try reader.skip()
                }
            }
            group.inverses *= Double(group.calls)
            group.inverseSquares *= group.inverseSquares * Double(group.calls)
            groups.append(group)
        }
        return ErrorSeries(groups: groups)
    }

    private mutating func errorSpread() throws(Problem) -> ErrorSpread? {
        var spread = ErrorSpread(
            calls: 0, inverseMean: 0, inverseVariance: 0, signed: ErrorSpread.Line(), absolute: ErrorSpread.Line())
        try optionalObject { (reader, name) throws(Problem) in
            switch name {
            case "calls": spread.calls = try reader.count()
            case "inverse_mean": spread.inverseMean = try reader.number() ?? 0
            case "inverse_deviation":
                let deviation = try reader.number() ?? 0
                spread.inverseVariance = deviation * deviation
            case "relative_error": spread.signed.mean = try reader.number() ?? 0
            case "constant_bytes": spread.signed.slope = try reader.number() ?? 0
            case "deviation": spread.signed.deviation = try reader.number() ?? 0
            case "absolute_relative_error": spread.absolute.mean = try reader.number() ?? 0
            case "absolute_constant_bytes": spread.absolute.slope = try reader.number() ?? 0
            case "absolute_deviation": spread.absolute.deviation = try reader.number() ?? 0
            default: try reader.skip()
            }
        }
        return spread.calls > 0 ? spread : nil
    }

    private mutating func sizeSpread() throws(Problem) -> SizeSpread? {
        var spread = SizeSpread(calls: 0, mean: 0, deviation: 0)
        try optionalObject { (reader, name) throws(Problem) in
            switch name {
            case "calls": spread.calls = try reader.count()
            case "log2_mean": spread.mean = try reader.number() ?? 0
            case "log2_deviation": spread.deviation = try reader.number() ?? 0
            default: try reader.skip()
            }
        }
        return spread.calls > 0 ? spread : nil
    }

    /// A file may say anything: no number of calls is negative, and sums of two must not overflow.
    private mutating func count() throws(Problem) -> Int { max(0, min(try integer(), 1 << 53)) }
}
