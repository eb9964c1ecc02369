import WireNative

/// The ways in which somebody may write the name of a host or an API, to be matched with patterns.
package enum NameSpellings {
    /// The name itself; with the characters of international hosts; with all that is not ASCII escaped.
    package static func all(_ name: [UInt8]) -> [[UInt8]] {
        var spellings = [name]
        if let unicode = InternationalHost.unicode(name) { spellings.append(unicode) }
        if name.contains(where: { $0 >= 0x80 }) {
            spellings.append(name.flatMap { $0 < 0x80 ? [$0] : URLText.encoded(CollectionOfOne($0)) })
        }
        return spellings
    }
}
