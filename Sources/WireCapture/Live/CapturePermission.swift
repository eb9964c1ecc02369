import Platform

/// How this program gets the right to capture.
enum CapturePermission {
    /// The command that grants it.
    static var remedy: String {
        #if os(Linux)
            // The superuser lacks it only where it was taken away, as in a container.
            if geteuid() == 0 { return "in a container: docker run --cap-add NET_RAW --cap-add NET_ADMIN …" }
            return "sudo setcap cap_net_raw,cap_net_admin+eip \(quoted(executablePath ?? "wireaudit"))"
        #else
            return "sudo dseditgroup -o edit -a \"$USER\" -t user access_bpf"
        #endif
    }

    #if os(Linux)
        private static var executablePath: String? {
            let capacity = 4096
            let path = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                let start = UnsafeMutableRawPointer(buffer.baseAddress)
                guard let text = unsafe start?.assumingMemoryBound(to: CChar.self) else { return }
                count = unsafe max(0, readlink("/proc/self/exe", text, capacity))
            }
            return path.isEmpty ? nil : String(decoding: path, as: UTF8.self)
        }
    #endif

    /// A word for the shell; quoted only where it must be.
    static func quoted(_ word: String) -> String {
        let plain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"), UInt8(ascii: "+"):
                true
            default: false
            }
        }
        if plain, !word.isEmpty { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
