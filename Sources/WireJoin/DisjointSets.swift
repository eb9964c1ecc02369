/// Numbers in sets that share none.
struct DisjointSets {
    private var parents: [Int]

    init(_ count: Int) { parents = Array(0..<count) }

    mutating func root(_ number: Int) -> Int {
        var root = number
        while parents[root] != root { root = parents[root] }
        var next = number
        while parents[next] != root { (next, parents[next]) = (parents[next], root) }
        return root
    }

    /// The smaller root stays.
    mutating func join(_ one: Int, _ other: Int) {
        let (first, second) = (root(one), root(other))
        parents[max(first, second)] = min(first, second)
    }
}
