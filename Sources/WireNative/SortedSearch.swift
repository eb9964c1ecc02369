extension RandomAccessCollection where Index == Int {
    /// The first index of which the element, and all behind it, satisfy the predicate. No element that does not may stand
    /// behind one that does.
    package func firstIndexFromWhichAll(_ isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
