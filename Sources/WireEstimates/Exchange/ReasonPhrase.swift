/// The reason phrase that HTTP/1.1 servers usually send with a status (RFC 9110 §15 and the registry of status codes);
/// empty where none is registered.
func reasonPhrase(of status: Int) -> String {
    switch status {
    case 100..<200: informationPhrases[status] ?? ""
    case 200..<300: successPhrases[status] ?? ""
    case 300..<400: redirectionPhrases[status] ?? ""
    case 400..<500: clientErrorPhrases[status] ?? ""
    default: serverErrorPhrases[status] ?? ""
    }
}

private let informationPhrases = [
    100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints",
]

private let successPhrases = [
    200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content",
    205: "Reset Content", 206: "Partial Content", 207: "Multi-Status", 208: "Already Reported", 226: "IM Used",
]

private let redirectionPhrases = [
    300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
    305: "Use Proxy", 307: "Temporary Redirect", 308: "Permanent Redirect",
]

private let clientErrorPhrases = [
    400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout",
    409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
    414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
    421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked", 424: "Failed Dependency",
    425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required", 429: "Too Many Requests",
    431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
]

private let serverErrorPhrases = [
    500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
    504: "Gateway Timeout", 505: "HTTP Version Not Supported", 506: "Variant Also Negotiates",
    507: "Insufficient Storage", 508: "Loop Detected", 511: "Network Authentication Required",
]
