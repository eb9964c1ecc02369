/// Bodies and parameters that name operations, by syntax.
enum OperationSeeds {
    static let all: [[UInt8]] = (0..<12).flatMap { choice in
        texts.map { [UInt8(choice)] + Array($0.utf8) }
    }

    private static let texts = [
        #"{"jsonrpc":"2.0","method":"getUser","params":[1,{"a":null}],"id":1}"#,
        #"[{"jsonrpc":"2.0","method":"b"},{"jsonrpc":"2.0","method":"a"}]"#,
        #"{"method":"getblock","params":["00ff",-1.5e3],"id":null}"#,
        #"{"query":"query User($id: ID = {a: 1}) @live(x: 2) { user(id: $id) { name } }","variables":{}}"#,
        #"{"operationName":"B","query":"query A { a } query B { b }","extensions":{"persistedQuery":{"sha256Hash":"ab"}}}"#,
        #"{"documentId":"sha256:0123456789abcdef","variables":{"x":true}}"#,
        "mutation { \u{22}\u{22}\u{22} block \u{22}\u{22}\u{22} a: b(c: [1, \"x\"]) { ...f } } fragment f on T { g }",
        "subscription S { s } # comment", "User\n{ a }\n7\n{\"persistedQuery\":{\"sha256Hash\":\"00\"}}",
    ]
}
