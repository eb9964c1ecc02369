import Foundation

/// The APIs of the app's servers, some thirty, and calls of them.
struct APIs {
    static let burstKinds = 6

    private let main, images: String
    private let untrustedBase: String?

    init(_ options: Options) {
        main = "\(options.scheme)://api.shop.test:\(options.port)"
        images = "\(options.scheme)://img.shop.test:\(options.port)"
        untrustedBase = options.untrusted.map { "https://pay.shop.test:\($0)" }
    }

    /// A call of any API that simply answers.
    func usual(_ random: inout SeededGenerator) -> PlannedCall {
        let number = Int.random(in: 1000..<1040, using: &random)
        let page = Int.random(in: 1...6, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return get("/v1/items?page=\(page)&sort=price")
        case 1: return get("/v1/items/\(number)")
        case 2: return get("/v1/items/\(number)/reviews?limit=\(page * 10)&gzip")
        case 3: return get("/v1/search?q=\(random.pick(["tea", "milk", "red+shoes", "caf%C3%A9"]))&page=\(page)&gzip")
        case 4: return get("/v1/feed?after=\(number)&chunked")
        case 5: return get("/v1/home?chunked&gzip&v=\(page)")
        case 6: return get("/v1/profile")
        case 7: return get("/v1/tags/caf%C3%A9%20noir?page=\(page)")
        case 8: return get("/v1/list/")
        case 9: return get("/v1/missing/\(page)?status=404")
        case 10: return get("/v1/broken?status=500&close")
        case 11: return get("/v1/config?status=304", headers: ["If-None-Match": "\"v17\""])
        case 12: return get("/v1/ping?status=204")
        case 13: return image(number)
        case 14: return PlannedCall(method: "HEAD", url: images + "/items/\(number)/image")
        case 15: return PlannedCall(method: "DELETE", url: main + "/v1/cart/\(page)?status=204")
        case 16: return send("PUT", "/v1/cart/\(page)", bytes: 20 + page)
        // The other host answers the same path with a body of its own.
        case 18: return PlannedCall(url: images + "/v1/items/\(number)")
        case 17: return get("/v1/login?cookie&user=\(page)")
        default: return send("POST", "/v1/cart?status=201", bytes: Int.random(in: 30...120, using: &random))
        }
    }

    /// One of a burst; `kind` says which.
    func inBurst(_ kind: Int, _ random: inout SeededGenerator) -> PlannedCall {
        let number = Int.random(in: 1000..<1040, using: &random)
        switch kind {
        case 0: return image(number)
        case 1: return get("/v1/prices?item=\(number)")
        case 2: return get("/v1/items/\(number)/stock")
        case 3: return send("POST", "/v1/events", bytes: Int.random(in: 100...900, using: &random))
        case 4: return get("/v1/ping?status=204")
        default: return get("/v1/thumbs?item=\(number)&gzip&wait=\(number % 7 * 10)")
        }
    }

    func poll() -> PlannedCall { get("/v1/status") }

    func redirected(_ random: inout SeededGenerator) -> PlannedCall {
        let number = Int.random(in: 1000..<1040, using: &random)
        switch Int.random(in: 0..<7, using: &random) {
        case 0: return get(redirection(301, "/old/items/\(number)", to: "/v1/items/\(number)"))
        case 1: return get(redirection(302, "/promo", to: "/v1/promo?week=\(number)"))
        case 2:
            var order = send("POST", redirection(303, "/v1/orders", to: "/v1/orders/\(number)"), bytes: 200)
            order.headers["Idempotency-Key"] = "k\(number)"
            return order
        case 3: return send("POST", redirection(307, "/v1/vote", to: "/v2/vote"), bytes: 40)
        case 4: return send("PUT", redirection(308, "/v1/address", to: "/v2/address"), bytes: 150)
        case 5:
            let second = redirection(301, "/old/items/\(number)", to: "/v1/items/\(number)")
            return get(redirection(302, "/go/\(number)", to: second))
        default: return get(redirection(302, "/v1/avatar", to: images + "/avatars/\(number).jpg"))
        }
    }

    func upload(_ random: inout SeededGenerator) -> PlannedCall {
        let number = Int.random(in: 1...9, using: &random)
        let size = Int.random(in: 500...40_000, using: &random)
        var call = send("POST", "/v1/upload/\(number)?status=201", bytes: size)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: call.body = .stream(APIs.text(size))
        case 1:
            call.url = main + "/v1/logs?status=204"
            call.body = .data(Compression.gzip(APIs.text(size)))
            call.headers["Content-Encoding"] = "gzip"
        default: break
        }
        return call
    }

    /// A call that the app gives up: before it is sent, before its answer, in the middle of it.
    func aborted(_ random: inout SeededGenerator) -> PlannedCall {
        let number = Int.random(in: 1000..<1040, using: &random)
        var call: PlannedCall
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            call = get("/v1/suggest?q=\(number)&wait=200")
            call.cancelAfter = Double.random(in: 0...0.004, using: &random)
        case 1:
            call = get("/v1/suggest?q=\(number)&wait=300")
            call.cancelAfter = Double.random(in: 0.02...0.25, using: &random)
        case 2:
            call = get("/v1/items?page=\(number % 6 + 1)&sort=name&wait=120")
            call.cancelAfter = Double.random(in: 0.02...0.2, using: &random)
        default:
            call = PlannedCall(url: images + "/items/\(number).jpg?drip=60")
            call.cancelAfter = Double.random(in: 0.1...0.4, using: &random)
        }
        return call
    }

    /// A call whose answer comes behind the app's time-out.
    func late(_ random: inout SeededGenerator) -> PlannedCall {
        let number = Int.random(in: 1000..<1040, using: &random)
        var call =
            random.chance(0.5)
            ? get("/v1/report?item=\(number)&wait=1500") : send("POST", "/v1/checkout?wait=1500", bytes: 300)
        call.timeout = 1
        return call
    }

    func untrusted(_ random: inout SeededGenerator) -> PlannedCall? {
        untrustedBase.map { PlannedCall(url: $0 + "/v1/pay?order=\(Int.random(in: 1000..<1040, using: &random))") }
    }

    private func get(_ target: String, headers: [String: String] = [:]) -> PlannedCall {
        PlannedCall(url: main + target, headers: headers)
    }

    private func image(_ number: Int) -> PlannedCall { PlannedCall(url: images + "/items/\(number)/thumb.jpg") }

    private func send(_ method: String, _ target: String, bytes: Int) -> PlannedCall {
        PlannedCall(
            method: method, url: main + target, headers: ["Content-Type": "application/json"],
            body: .data(APIs.text(bytes)))
    }

    /// A path that the server answers with a redirection.
    private func redirection(_ status: Int, _ path: String, to target: String) -> String {
        let unreserved = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~/"))
        let place = target.addingPercentEncoding(withAllowedCharacters: unreserved) ?? target
        return path + "?status=\(status)&to=" + place
    }

    private static func text(_ count: Int) -> Data {
        Data(String(repeating: "abcdefghijklmnopqrstuvwxyz0123456789 ", count: count / 37 + 1).utf8.prefix(count))
    }
}
