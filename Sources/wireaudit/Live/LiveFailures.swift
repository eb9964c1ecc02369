import Spelling
import WireCapture
import WireEstimates

extension Console {
    /// Ends because a live capture cannot begin.
    static func stop(_ error: LiveError) -> Never {
        switch error {
        case .noInterface(let name, let known):
            stop(printable(error.message(nearest: nearestWord(to: name, among: known))), .noInput)
        case .noPermission: stop(printable(error.message), .permission)
        case .notUp, .cannotCapture: stop(printable(error.message), .unavailable)
        case .filter: stop(printable(error.message), .usage)
        }
    }

    /// Ends because this process cannot become the user that it should be.
    static func stop(_ error: PrivilegeError) -> Never {
        stop(error.message, error.isPermission ? .permission : .usage)
    }
}
