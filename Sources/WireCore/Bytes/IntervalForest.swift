/// One tree of an `IntervalForest`.
struct IntervalTree: Sendable {
    fileprivate var root: Int32 = -1
    var isEmpty: Bool { root < 0 }
}

/// Intervals of numbers, each with a value, in the order of their starts: any number of trees in one arena.
///
/// An operation takes time in proportion to the logarithm of a tree's size, in whatever order intervals come: a tree is a
/// treap (Seidel and Aragon 1996), and nobody outside can know its priorities.
///
/// - Invariant: no two intervals of a tree have both start and rank in common.
struct IntervalForest<Value: Sendable>: Sendable {
    private struct Node {
        var start: Int
        var end: Int
        /// The order of intervals with equal starts.
        var rank: Int
        /// The highest end of this node and all below it.
        var furthest: Int
        var left: Int32 = -1
        var right: Int32 = -1
        var priority: UInt64
    }

    private var nodes: [Node] = []
    /// Of the node at the same place. They are large; nodes are compared and changed on each way through a tree.
    private var values: [Value] = []
    private var free: [Int32] = []
    /// State of the generator of priorities; 0 before the first.
    private var random: UInt64 = 0

    /// Intervals in all trees.
    var count: Int { nodes.count - free.count }

    subscript(index: Int32) -> Value {
        _read { yield values[Int(index)] }
        _modify { yield &values[Int(index)] }
    }

    func range(_ index: Int32) -> Range<Int> { nodes[Int(index)].start..<nodes[Int(index)].end }

    func rank(_ index: Int32) -> Int { nodes[Int(index)].rank }

    // MARK: Search

    /// A node is looked at.
    @inline(__always)
    private func visit() {
        #if DEBUG
            ForestWork.current?.visits += 1
        #endif
    }

    /// The first interval that ends behind a place: where it begins at or before that place, it holds it.
    func first(endingBehind place: Int, _ tree: IntervalTree) -> Int32? {
        var root = tree.root
        while root >= 0, nodes[Int(root)].furthest > place {
            visit()
            let left = nodes[Int(root)].left
            if left >= 0, nodes[Int(left)].furthest > place {
                root = left
            } else if nodes[Int(root)].end > place {
                return root
            } else {
                root = nodes[Int(root)].right
            }
        }
        return nil
    }

    /// The first interval that begins behind a place.
    func first(startingBehind place: Int, _ tree: IntervalTree) -> Int32? {
        var found: Int32?
        var root = tree.root
        while root >= 0 {
            visit()
            if nodes[Int(root)].start > place {
                found = root
                root = nodes[Int(root)].left
            } else {
                root = nodes[Int(root)].right
            }
        }
        return found
    }

    /// Of the intervals that hold a place the one with the lowest rank. Of many only the first are looked at.
    func lowestRank(holding place: Int, _ tree: IntervalTree) -> Int32? {
        var (found, remaining) = (Int32?.none, 16)
        lookForLowestRank(holding: place, tree.root, &found, &remaining)
        return found
    }

    private func lookForLowestRank(holding place: Int, _ root: Int32, _ found: inout Int32?, _ remaining: inout Int) {
        guard root >= 0, nodes[Int(root)].furthest > place, remaining > 0 else { return }
        visit()
        lookForLowestRank(holding: place, nodes[Int(root)].left, &found, &remaining)
        guard nodes[Int(root)].start <= place, remaining > 0 else { return }
        if nodes[Int(root)].end > place {
            remaining -= 1
            if found.map({ nodes[Int(root)].rank < nodes[Int($0)].rank }) ?? true { found = root }
        }
        lookForLowestRank(holding: place, nodes[Int(root)].right, &found, &remaining)
    }

    // MARK: Change

    /// Returns where it is until it is removed.
    @discardableResult
    mutating func insert(
        _ value: consuming Value, _ range: Range<Int>, rank: Int = 0, into tree: inout IntervalTree
    ) -> Int32 {
        let node = Node(
            start: range.lowerBound, end: range.upperBound, rank: rank, furthest: range.upperBound,
            priority: nextPriority())
        let index: Int32
        if let place = free.popLast() {
            (nodes[Int(place)], values[Int(place)]) = (node, value)
            index = place
        } else {
            index = Int32(nodes.count)
            nodes.append(node)
            values.append(value)
        }
        attach(index, to: &tree)
        return index
    }

    /// Puts a node above the first on its way down that has a lower priority.
    private mutating func attach(_ index: Int32, to tree: inout IntervalTree) {
        let end = nodes[Int(index)].end
        var (root, parent, isLeft) = (tree.root, -1, false)
        while root >= 0, nodes[Int(root)].priority >= nodes[Int(index)].priority {
            visit()
            parent = Int(root)
            nodes[parent].furthest = max(nodes[parent].furthest, end)
            isLeft = isBefore(Int(index), parent)
            root = isLeft ? nodes[parent].left : nodes[parent].right
        }
        if root >= 0 {
            (nodes[Int(index)].left, nodes[Int(index)].right) = split(root, at: index)
            update(Int(index))
        }
        if parent < 0 {
            tree.root = index
        } else if isLeft {
            nodes[parent].left = index
        } else {
            nodes[parent].right = index
        }
    }

    /// Takes an interval out. In its place the arena keeps `rest` until it is used again.
    @discardableResult
    mutating func remove(_ index: Int32, from tree: inout IntervalTree, leaving rest: consuming Value) -> Value {
        tree.root = without(index, tree.root)
        free.append(index)
        var value = rest
        swap(&value, &values[Int(index)])
        return value
    }

    /// Moves the end of an interval further on.
    mutating func extend(_ index: Int32, to end: Int, in tree: IntervalTree) {
        nodes[Int(index)].end = end
        var root = tree.root
        while true {
            visit()
            nodes[Int(root)].furthest = max(nodes[Int(root)].furthest, end)
            guard root != index else { return }
            root = isBefore(Int(index), Int(root)) ? nodes[Int(root)].left : nodes[Int(root)].right
        }
    }

    private func isBefore(_ one: Int, _ other: Int) -> Bool {
        let (start, others) = (nodes[one].start, nodes[other].start)
        return start == others ? nodes[one].rank < nodes[other].rank : start < others
    }

    /// What is before a node, and what is not.
    private mutating func split(_ root: Int32, at index: Int32) -> (before: Int32, behind: Int32) {
        guard root >= 0 else { return (-1, -1) }
        let place = Int(root)
        if isBefore(place, Int(index)) {
            let (before, behind) = split(nodes[place].right, at: index)
            nodes[place].right = before
            update(place)
            return (root, behind)
        }
        let (before, behind) = split(nodes[place].left, at: index)
        nodes[place].left = behind
        update(place)
        return (before, root)
    }

    private mutating func merge(_ before: Int32, _ behind: Int32) -> Int32 {
        if before < 0 { return behind }
        if behind < 0 { return before }
        if nodes[Int(before)].priority > nodes[Int(behind)].priority {
            nodes[Int(before)].right = merge(nodes[Int(before)].right, behind)
            update(Int(before))
            return before
        }
        nodes[Int(behind)].left = merge(before, nodes[Int(behind)].left)
        update(Int(behind))
        return behind
    }

    /// The tree below `root` without a node of it.
    private mutating func without(_ index: Int32, _ root: Int32) -> Int32 {
        let place = Int(root)
        if root == index { return merge(nodes[place].left, nodes[place].right) }
        if isBefore(Int(index), place) {
            nodes[place].left = without(index, nodes[place].left)
        } else {
            nodes[place].right = without(index, nodes[place].right)
        }
        update(place)
        return root
    }

    /// After a change below a node: all changes come by here for each node on their way.
    private mutating func update(_ place: Int) {
        visit()
        var furthest = nodes[place].end
        if nodes[place].left >= 0 { furthest = max(furthest, nodes[Int(nodes[place].left)].furthest) }
        if nodes[place].right >= 0 { furthest = max(furthest, nodes[Int(nodes[place].right)].furthest) }
        nodes[place].furthest = furthest
    }

    /// xorshift64* (Vigna 2016).
    private mutating func nextPriority() -> UInt64 {
        if random == 0 { random = IntervalForest.seed }
        random ^= random >> 12
        random ^= random << 25
        random ^= random >> 27
        return random &* 0x2545_F491_4F6C_DD1D
    }

    private static var seed: UInt64 {
        #if DEBUG
            if let work = ForestWork.current { return work.seed }
        #endif
        return .random(in: 1 ... .max)
    }
}

#if DEBUG
    /// The work of the forests that a test uses. It is the same in each run: priorities come from a seed.
    final class ForestWork: @unchecked Sendable {
        @TaskLocal static var current: ForestWork?

        let seed: UInt64
        /// Nodes that were looked at.
        var visits = 0

        init(seed: UInt64) { self.seed = seed }
    }
#endif
