/// Where the app ran whose calls a log has: what its network library can tell.
public enum ClientPlatform: Sendable {
    case apple
    case android
    case browser
    case openTelemetry
    /// The log does not tell.
    case unknown
}

extension SDKLog {
    /// What its rows tell, else what its format does.
    public var platform: ClientPlatform {
        guard toldPlatforms.isEmpty else { return toldPlatforms.count == 1 ? toldPlatforms[0] : .unknown }
        if writer == .chucker { return .android }
        let isOfBrowser = [.chrome, .playwright, .firefox, .webKit].contains(writer)
        return format == .har && isOfBrowser ? .browser : format.platform
    }
}

extension SDKLogFormat {
    /// The only platform that writes the format.
    public var platform: ClientPlatform {
        switch self {
        case .dmSQLite, .dmNDJSON, .dmCSV, .pulse, .metrics, .cfnetwork, .networkeye, .godeye, .dokit: .apple
        case .chucker: .android
        case .otlp: .openTelemetry
        // OkHttp runs on servers, and Flutter and Charles see phones of any kind.
        case .har, .netlog, .qlog, .sentry, .datadog, .newrelic, .okhttpLog, .charles, .flutter, .columns: .unknown
        }
    }
}
