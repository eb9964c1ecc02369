/// Something counted under a key.
protocol KeyedCount {
    associatedtype Key: Comparable
    var key: Key { get }
    /// Takes what was counted elsewhere under the same key.
    mutating func absorb(_ other: Self)
}

extension Array where Element: KeyedCount {
    /// Index of the first element that is not below the key. The array must be in ascending order of keys.
    @inline(__always)
    func position(of key: Element.Key) -> Int {
        var low = 0
        var length = count
        while length > 0 {
            let half = length >> 1
            // Halves of almost equal length and no branch: which half it is cannot be foreseen.
            low &+= self[low &+ half].key < key ? length &- half : 0
            length = half
        }
        return low
    }

    /// Both in one, in ascending order of keys; each key once.
    func merged(with other: [Element]) -> [Element] {
        if isEmpty { return other }
        var result: [Element] = []
        result.reserveCapacity(Swift.max(count, other.count))
        var index = 0
        for element in other {
            while index < count, self[index].key < element.key {
                result.append(self[index])
                index += 1
            }
            result.append(element)
            guard index < count, self[index].key == element.key else { continue }
            result[result.count - 1].absorb(self[index])
            index += 1
        }
        result += self[index...]
        return result
    }
}
