// swift-tools-version: 6.2
import PackageDescription

/// Settings of every target of ours: a stored or returned `RawSpan` needs the lifetime annotations,
/// and strict memory safety makes the compiler list each unsafe expression.
let settings: [SwiftSetting] = [
    .enableExperimentalFeature("Lifetimes"),
    .strictMemorySafety(),
]

/// Of targets on the path of each packet: release builds do not check at run time that accesses to an object's property do not
/// overlap, which took 18 % of the instructions of TLS. Debug builds, and so all tests, do.
/// A release build of these targets takes no span of a stored property of a class: the check is what keeps it alive.
let unchecked: [SwiftSetting] = [
    .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
]

/// Of targets whose code runs once in a run: optimizing them is four fifths of their time to compile.
let unoptimized: [SwiftSetting] = [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// Style sheets and scripts of the reports' pages, embedded in the program.
let pageFiles: [Resource] = [
    "page.css", "page.js", "accuracy.css", "accuracy.js", "audit.css", "audit.js", "timeline.js", "comparison.css",
].map { .embedInCode("Page/Files/\($0)") }

let package = Package(
    name: "wireaudit",
    platforms: [.macOS(.v26)],
    products: [
        .executable(name: "wireaudit", targets: ["wireaudit"]),
        .library(
            name: "WireAuditKit",
            targets: [
                "WireCore", "WireCapture", "WireEstimates", "WireStatistics", "WireLogs", "WireJoin", "WireAccuracy",
                "WireComparison", "WireOpportunities", "WireRecords", "WireReport",
            ]),
    ],
    targets: [
        .systemLibrary(
            name: "CPcap", path: "Sources/CLibraries/CPcap", pkgConfig: "libpcap",
            providers: [.apt(["libpcap-dev"]), .brew(["libpcap"])]),
        .systemLibrary(
            name: "CZlib", path: "Sources/CLibraries/CZlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(
            name: "CBrotli", path: "Sources/CLibraries/CBrotli", pkgConfig: "libbrotlidec",
            providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]),
        .systemLibrary(
            name: "CZstd", path: "Sources/CLibraries/CZstd", pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
        .systemLibrary(
            name: "CCrypto", path: "Sources/CLibraries/CCrypto", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(
            name: "CNghttp2", path: "Sources/CLibraries/CNghttp2", pkgConfig: "libnghttp2",
            providers: [.apt(["libnghttp2-dev"]), .brew(["libnghttp2"])]),
        .systemLibrary(
            name: "CNghttp3", path: "Sources/CLibraries/CNghttp3", pkgConfig: "libnghttp3",
            providers: [.apt(["libnghttp3-dev"]), .brew(["libnghttp3"])]),
        .systemLibrary(
            name: "CSQLite", path: "Sources/CLibraries/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(name: "CProcessor", path: "Sources/CLibraries/CProcessor"),

        .target(name: "Platform", swiftSettings: settings),
        .target(name: "Spelling", swiftSettings: settings),
        .target(
            name: "WireNative",
            dependencies: [
                "Platform", "CZlib", "CBrotli", "CZstd", "CCrypto", "CNghttp2", "CNghttp3", "CSQLite", "CProcessor",
            ],
            swiftSettings: settings + unchecked),
        .target(name: "WireCore", dependencies: ["WireNative"], swiftSettings: settings + unchecked),
        .target(
            name: "WireCapture", dependencies: ["Platform", "WireCore", "WireNative", "CPcap"], swiftSettings: settings),
        .target(name: "WireEstimates", dependencies: ["Spelling"], swiftSettings: settings),
        .target(name: "WireStatistics", dependencies: ["WireNative"], swiftSettings: settings),
        .target(name: "WireLogs", dependencies: ["WireNative"], swiftSettings: settings),
        .target(name: "WireJoin", dependencies: ["WireLogs"], swiftSettings: settings),
        .target(
            name: "WireAccuracy",
            dependencies: ["WireCore", "WireEstimates", "WireNative", "WireStatistics", "WireLogs", "WireJoin"],
            swiftSettings: settings),
        .target(
            name: "WireComparison",
            dependencies: ["Spelling", "WireCore", "WireEstimates", "WireStatistics", "WireLogs", "WireAccuracy"],
            swiftSettings: settings + unoptimized),
        .target(
            name: "WireOpportunities", dependencies: ["WireCore", "WireNative"], swiftSettings: settings + unoptimized),
        .target(
            name: "WireRecords",
            dependencies: [
                "Spelling", "WireCore", "WireEstimates", "WireNative", "WireStatistics", "WireLogs", "WireJoin",
            ],
            swiftSettings: settings),
        .target(
            name: "WireReport",
            dependencies: [
                "WireCore", "WireEstimates", "WireStatistics", "WireLogs", "WireJoin", "WireAccuracy", "WireComparison",
                "WireOpportunities", "WireRecords",
            ],
            resources: pageFiles, swiftSettings: settings + unoptimized),
        .executableTarget(
            name: "wireaudit",
            dependencies: [
                "Platform", "Spelling", "WireCore", "WireCapture", "WireEstimates", "WireStatistics", "WireLogs",
                "WireJoin",
                "WireAccuracy", "WireComparison", "WireOpportunities", "WireRecords", "WireReport",
            ],
            swiftSettings: settings + unoptimized),

        .target(
            name: "WireTesting", dependencies: ["Platform", "WireCore", "CCrypto", "CNghttp3", "CSQLite"],
            path: "Tests/WireTesting",
            swiftSettings: settings),
        .testTarget(name: "WireNativeTests", dependencies: ["WireNative", "WireTesting"], swiftSettings: settings),
        .testTarget(
            name: "WireCoreTests", dependencies: ["WireCore", "WireNative", "WireTesting"], swiftSettings: settings),
        .testTarget(
            name: "WireCaptureTests", dependencies: ["WireCapture", "WireCore", "WireTesting"],
            swiftSettings: settings),
        .testTarget(
            name: "WireEstimatesTests", dependencies: ["WireEstimates", "WireNative", "WireTesting"],
            swiftSettings: settings),
        .testTarget(
            name: "WireStatisticsTests", dependencies: ["WireStatistics", "WireTesting"], swiftSettings: settings),
        .testTarget(
            name: "WireLogsTests", dependencies: ["WireLogs", "WireJoin", "WireTesting"], swiftSettings: settings),
        .testTarget(
            name: "WireJoinTests", dependencies: ["WireJoin", "WireLogs", "WireTesting"], swiftSettings: settings),
        .testTarget(
            name: "WireAccuracyTests",
            dependencies: [
                "WireAccuracy", "WireCore", "WireEstimates", "WireNative", "WireLogs", "WireJoin", "WireTesting",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "WireComparisonTests",
            dependencies: [
                "Spelling", "WireComparison", "WireReport", "WireAccuracy", "WireCore", "WireLogs", "WireStatistics",
                "WireTesting",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "WireReportTests",
            dependencies: [
                "WireReport", "WireCore", "WireStatistics", "WireLogs", "WireJoin", "WireAccuracy", "WireComparison",
                "WireEstimates", "WireOpportunities", "WireRecords", "WireTesting",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "WireOpportunitiesTests",
            dependencies: ["WireOpportunities", "WireAccuracy", "WireLogs", "WireCore", "WireTesting"],
            swiftSettings: settings),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "wireaudit", "Platform", "Spelling", "WireCore", "WireCapture", "WireEstimates", "WireStatistics",
                "WireLogs", "WireJoin", "WireAccuracy", "WireComparison", "WireRecords", "WireReport", "WireTesting",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "CaptureTests", dependencies: ["WireCapture", "WireCore", "WireNative", "WireTesting"],
            swiftSettings: settings),
        .testTarget(
            name: "FuzzTests", dependencies: ["WireCore", "WireNative", "WireCapture", "WireLogs", "WireTesting"],
            path: "Tests/Fuzzing",
            exclude: ["Corpus", "Failures", "Seeds", "Engine/AllocationWatch+Hooks.swift", "Engine/WireFuzz.swift"],
            swiftSettings: [.enableExperimentalFeature("Lifetimes")]),
        .executableTarget(
            name: "wirebench", dependencies: ["WireCore", "WireNative", "WireTesting", "CCrypto", "CZlib"],
            path: "Tests/Benchmarks",
            exclude: ["compare", "growth", "growth.json", "growth.svg", "stages", "suite"],
            swiftSettings: settings),
        .executableTarget(
            name: "sdklab", dependencies: ["CSQLite", "CZlib"], path: "Tests/SDKLab", exclude: ["server.py"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

// Tests of optimized libraries take a third of the time. For a debugger: `swift build -Xswiftc -Onone`.
let plain = ["WireComparison", "WireOpportunities", "WireReport", "WireTesting"]
for target in package.targets where target.type == .regular && !plain.contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
}

// Fuzzing needs the runtimes of sanitizers, and vectors of the tests: `.ci/fuzz` alone sets this, for a build of its own.
if Context.environment["WIREAUDIT_FUZZING"] != nil {
    package.targets.first { $0.name == "WireCore" }?.swiftSettings?.append(.define("FUZZING"))
    package.targets.removeAll { $0.type == .test }
    package.targets.append(
        .executableTarget(
            name: "wirefuzz",
            dependencies: ["WireCore", "WireNative", "WireCapture", "WireLogs", "WireTesting"],
            path: "Tests",
            sources: [
                "Fuzzing/Engine", "Fuzzing/Scripts", "Fuzzing/Seeds", "Fuzzing/Targets",
                "WireCoreTests/Packets/FrameFixtures+Internet.swift",
                "WireCoreTests/Packets/FrameFixtures+Overlays.swift",
                "WireCoreTests/Packets/FrameFixtures+Links.swift", "WireCoreTests/HTTP1/MessageCase.swift",
                "WireCoreTests/HTTP1/MessageCases.swift", "WireCoreTests/TLS/TLSTrace.swift",
                "WireCoreTests/TLS/TLSTrace+EarlyData.swift", "WireCoreTests/TLS/TLSTrace+OpenSSL.swift",
                "WireCoreTests/TLS/TLSTrace+RFC8448.swift", "WireNativeTests/HPACKVectors.swift",
                "WireNativeTests/CompressedFixtures.swift",
            ],
            swiftSettings: [.enableExperimentalFeature("Lifetimes")]))
}

// One area alone: `WIREAUDIT_TESTS=WireReportTests swift test` builds the test targets that it names (with commas), and what they need.
if let names = Context.environment["WIREAUDIT_TESTS"] {
    let named = names.split(separator: ",").map(String.init)
    package.targets.removeAll { $0.type == .test && !named.contains($0.name) }
    package.targets.removeAll { ["wirebench", "sdklab"].contains($0.name) }
}
