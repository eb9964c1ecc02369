/// Requests that were reported without an answer, because too many were open. Their answers may still come, in order, and
/// must not be paired with later requests.
final class AbandonedRequests {
    /// Requests in a row.
    private struct Run {
        /// Number of the first in its connection.
        var first: Int
        var count: Int
        /// It decides how long an answer is.
        var method: MethodKind
    }

    /// Beyond that many the method of further ones is forgotten.
    private static let runLimit = 4096

    private var runs: [Run] = []
    private var head = 0

    func append(number: Int, method: MethodKind) {
        if let last = runs.indices.last, last >= head {
            let isNext = number == runs[last].first + runs[last].count
            if isNext && method == runs[last].method || runs.count - head >= Self.runLimit {
                runs[last].count += 1
                if method != runs[last].method { runs[last].method = .other }
                return
            }
        }
        if head > Self.runLimit {
            runs.removeFirst(head)
            head = 0
        }
        runs.append(Run(first: number, count: 1, method: method))
    }

    /// Takes the oldest out, if it is older than the request of that number: its method.
    func takeFirst(before number: Int) -> MethodKind? {
        guard head < runs.count, runs[head].first < number else { return nil }
        let method = runs[head].method
        runs[head].first += 1
        runs[head].count -= 1
        if runs[head].count == 0 { head += 1 }
        return method
    }
}
