/// Texts in at most `width` columns, where those that differ stay different.
package func shortenedApart(_ texts: [String], to width: Int, ellipsis: String, namesAPIs: Bool) -> [String] {
    let short = texts.map {
        namesAPIs ? shortenedAPI($0, to: width, ellipsis: ellipsis) : shortened($0, to: width, ellipsis: ellipsis)
    }
    var groups: [String: Set<String>] = [:]
    for (text, short) in zip(texts, short) { groups[short, default: []].insert(text) }
    guard groups.values.contains(where: { $0.count > 1 }) else { return short }
    var taken = Set(groups.filter { $0.value.count == 1 }.keys)
    var apart: [String: String] = [:]
    // In one order: what a group takes is not free for the next.
    for (_, group) in groups.sorted(by: { $0.key < $1.key }) where group.count > 1 {
        let common = commonPrefix(group)
        for text in group.sorted() {
            let window = window(text, common, width, ellipsis)
            apart[text] = free(window, &taken, width, ellipsis)
        }
    }
    return zip(texts, short).map { apart[$0] ?? $1 }
}

/// How many scalars all of them begin with.
private func commonPrefix(_ texts: Set<String>) -> Int {
    guard let first = texts.first.map({ Array($0.unicodeScalars) }) else { return 0 }
    return texts.reduce(first.count) { count, text in
        min(count, zip(first, text.unicodeScalars).prefix { $0 == $1 }.count)
    }
}

/// The beginning of a text as far as there is room, and what it has around the place where it differs from others.
private func window(_ text: String, _ common: Int, _ width: Int, _ ellipsis: String) -> String {
    let scalars = Array(text.unicodeScalars)
    let head = head(scalars.prefix(common), width)
    // A little of what they have in common, from a slash on where there is one near.
    let near = max(common - 8, head.count)
    let begin = scalars[near..<max(near, common)].lastIndex(of: "/") ?? max(common - 3, head.count)
    let start = max(min(outsideEscape(scalars, begin, isEnd: true), begin), head.count)
    let lead = string(head) + (start > head.count ? ellipsis : "")
    var rest = scalars[min(start, scalars.count)...]
    let room = width - displayWidth(lead)
    guard displayWidth(string(rest)) > room else {
        return filled(scalars, head.count, start, room - displayWidth(string(rest)), ellipsis) + string(rest)
    }
    while !rest.isEmpty, displayWidth(string(rest)) + displayWidth(ellipsis) > room { rest.removeLast() }
    rest = rest.prefix(upTo: max(outsideEscape(scalars, rest.endIndex, isEnd: true), rest.startIndex))
    return lead + string(rest) + ellipsis
}

/// What stands before `start`: of the texts' common beginning at least `head` scalars, and as many more as are free.
private func filled(_ scalars: [Unicode.Scalar], _ head: Int, _ start: Int, _ free: Int, _ ellipsis: String) -> String {
    guard start > head else { return string(scalars[..<head]) }
    var end = start
    while end > head, displayWidth(string(scalars[head..<end])) > free { end -= 1 }
    end = max(outsideEscape(scalars, end, isEnd: true), head)
    return string(scalars[..<end]) + (end < start ? ellipsis : "")
}

/// The first two words, else the first, else nothing, so that room for what differs remains.
private func head(_ scalars: ArraySlice<Unicode.Scalar>, _ width: Int) -> ArraySlice<Unicode.Scalar> {
    let spaces = scalars.indices.filter { scalars[$0] == " " }.prefix(2)
    for end in spaces.reversed() where displayWidth(string(scalars[...end])) + leastWindow <= width {
        return scalars[...end]
    }
    return scalars.prefix(0)
}

/// Columns of a text around the place where it differs.
private let leastWindow = 14

/// The text, with a number where another has it already.
private func free(_ text: String, _ taken: inout Set<String>, _ width: Int, _ ellipsis: String) -> String {
    var (candidate, number) = (text, 1)
    while !taken.insert(candidate).inserted {
        number += 1
        let mark = " #\(number)"
        candidate = shortened(text, to: max(width - mark.count, 1), ellipsis: ellipsis) + mark
    }
    return candidate
}
