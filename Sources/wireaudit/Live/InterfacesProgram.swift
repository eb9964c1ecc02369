import WireCapture
import WireReport

/// `interfaces`: what can be captured on.
struct InterfacesProgram {
    let invocation: Invocation

    func run() -> ExitStatus {
        let list = Self.all()
        let output = OutputFile(path: invocation.output)
        let rows = list.map(InterfaceRow.init)
        let remedy = list.contains { !$0.mayCapture } ? InterfaceInfo.remedy : nil
        let rendered =
            invocation.format == .json
            ? interfacesJSON(rows, remedy: remedy)
            : interfacesText(rows, style: output.style(invocation.color), remedy: remedy)
        rendered.withBytes { output.write($0) }
        output.finish()
        return .done
    }

    private static func all() -> [InterfaceInfo] {
        do throws(LiveError) {
            return try InterfaceInfo.all()
        } catch {
            Console.stop(error)
        }
    }
}

extension InterfaceRow {
    init(_ info: InterfaceInfo) {
        self.init(name: info.name)
        description = info.description
        addresses = info.addresses
        linkTypes = info.linkTypes
        isUp = info.isUp
        isRunning = info.isRunning
        isLoopback = info.isLoopback
        isWireless = info.isWireless
        mayCapture = info.mayCapture
        problem = info.problem
    }
}
