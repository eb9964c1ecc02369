import WireAccuracy
import WireEstimates
import WireRecords

/// What the error of one row against the messages is made of, largest first. Sums over the calls that have a figure,
/// bytes.
package struct ErrorBreakdown {
    package struct Post {
        package var cause: ErrorCause
        package var bytes: Int
    }

    /// Calls with a figure.
    package var calls: Int
    package var posts: [Post]
    /// Estimate − message.
    package var net: Int
    /// Sums of the posts of each sign, both without sign.
    package var missing = 0
    package var surplus = 0
    /// Estimate − wire, and the part of it that lies below the messages.
    package var wireNet: Int
    package var below: Int { wireNet &- net }

    package init(_ row: AccuracyRow) {
        calls = row.message.count
        net = row.message.errorTotal
        wireNet = row.wire.errorTotal
        var causes = row.messageCauses
        // A ledger that does not add up must not hide the difference.
        causes[.unexplained] &+= net &- causes.sum
        posts = causes.posts.map { Post(cause: $0.cause, bytes: $0.bytes) }
        posts = posts.enumerated().sorted { left, right in
            left.element.bytes.magnitude != right.element.bytes.magnitude
                ? left.element.bytes.magnitude > right.element.bytes.magnitude : left.offset < right.offset
        }.map(\.element)
        for post in posts {
            if post.bytes < 0 { missing &-= post.bytes } else { surplus &+= post.bytes }
        }
    }

    /// The post's share of all bytes of its sign, in percent.
    package func share(_ post: Post) -> String {
        wholePercent(Int(clamping: post.bytes.magnitude), of: post.bytes < 0 ? missing : surplus)
    }

    /// The largest post of each sign.
    package var chiefMissing: Post? { posts.first { $0.bytes < 0 } }
    package var chiefSurplus: Post? { posts.first { $0.bytes > 0 } }
    /// The post whose repair takes most from the sum of all errors without their signs.
    package var chief: Post? { posts.first }
}
