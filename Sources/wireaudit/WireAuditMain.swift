/// The command line program; everything it does is in `Program`.
@main
enum WireAuditMain {
    static func main() {
        Program.run(arguments: System.arguments)
    }
}
