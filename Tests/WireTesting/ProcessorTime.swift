import Platform

/// How the time that some work takes grows with its input.
public enum ProcessorTime {
    /// How many times as long twice the input takes. The shortest of several runs is that without disturbance; there are no
    /// more of them than it takes to come below `bound`.
    public static func growth(from count: Int, below bound: Double, _ work: (Int) -> Void) -> Double {
        var (one, two) = (Double.infinity, Double.infinity)
        for _ in 0..<6 where !(two <= bound * one) || one == .infinity {
            one = min(one, seconds { work(count) })
            two = min(two, seconds { work(2 * count) })
        }
        return two / one
    }

    /// What this thread takes of a processor.
    private static func seconds(_ work: () -> Void) -> Double {
        let start = now()
        work()
        return now() - start
    }

    private static func now() -> Double {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
