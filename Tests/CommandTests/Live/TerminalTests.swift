import Platform
import Testing
import WireRecords
import wireaudit

/// One at a time: what restores the terminal at a sudden end knows one terminal.
@Suite("The terminal", .serialized)
struct TerminalTests {
    private static let entered = "\u{1B}[?1049h"
    private static let left = "\u{1B}[?1049l"

    @Test("entering and leaving: the screen, the keys, and everything as before")
    func enterAndLeave() throws {
        let person = try PseudoTerminal()
        let before = person.modes
        let terminal = try #require(Terminal(person.terminal, kind: "xterm"))
        #expect(person.modes == before && terminal.inputDescriptor == -1)
        terminal.enter()
        #expect(!person.has(ICANON) && !person.has(ECHO) && person.has(ISIG))
        #expect(terminal.inputDescriptor >= 0)
        #expect(person.modes[4] == before[4], "the shell's descriptor does not learn not to wait")
        terminal.draw(["hello"])
        let seen = person.see()
        #expect(seen.hasPrefix(Self.entered) && seen.contains("\u{1B}[?25l") && seen.contains("hello"))
        terminal.leave()
        #expect(person.modes == before && terminal.inputDescriptor == -1)
        let end = person.see()
        #expect(end.hasSuffix(Self.left) && end.contains("\u{1B}[?25h") && end.contains("\u{1B}[?7h"))
        terminal.leave()
        terminal.draw(["more"])
        #expect(person.see() == "" && terminal.readKeys() == [])
    }

    @Test("it can be entered again, and then all is drawn again")
    func again() throws {
        let person = try PseudoTerminal()
        let before = person.modes
        let terminal = try #require(Terminal(person.terminal, kind: "xterm"))
        for _ in 0..<3 {
            terminal.enter()
            terminal.draw(["hello"])
            #expect(person.see().contains("hello"))
            terminal.draw(["hello"])
            #expect(person.see() == "")
            terminal.renew()
            terminal.draw(["hello"])
            #expect(person.see().contains("hello"))
            terminal.leave()
            #expect(person.see().hasSuffix(Self.left) && person.modes == before)
        }
    }

    @Test("modes that something else changed are ours again after a renewal, and the first ones come back")
    func renewal() throws {
        let person = try PseudoTerminal()
        let before = person.modes
        let terminal = try #require(Terminal(person.terminal, kind: "xterm"))
        terminal.enter()
        var modes = termios()
        _ = unsafe tcgetattr(person.terminal, &modes)
        modes.c_lflag |= tcflag_t(ICANON | ECHO)
        _ = unsafe tcsetattr(person.terminal, TCSANOW, &modes)
        terminal.renew()
        #expect(!person.has(ICANON) && !person.has(ECHO))
        terminal.leave()
        #expect(person.modes == before)
    }

    @Test("a terminal that is forgotten is given back")
    func forgotten() throws {
        let person = try PseudoTerminal()
        let before = person.modes
        do {
            let terminal = try #require(Terminal(person.terminal, kind: "xterm"))
            terminal.enter()
            #expect(person.modes != before)
        }
        #expect(person.modes == before && person.see().hasSuffix(Self.left))
    }

    @Test("another size is seen, and nothing is drawn outside of it")
    func sizes() throws {
        let person = try PseudoTerminal(columns: 100, rows: 30)
        let terminal = try #require(Terminal(person.terminal, kind: "xterm"))
        #expect(terminal.size == (100, 30))
        terminal.enter()
        terminal.draw((1...30).map { "line \($0)." })
        #expect(person.see().contains("line 30."))
        person.resize(columns: 20, rows: 5)
        #expect(terminal.size == (20, 5))
        terminal.draw((1...30).map { "line \($0)." })
        let seen = person.see()
        #expect(seen.contains("line 5.") && !seen.contains("line 6."))
        person.resize(columns: 0, rows: 0)
        #expect(terminal.size == (80, 24))
    }

    @Test("keys are read as they were typed; a lone escape waits, without time being lost")
    func keys() throws {
        let person = try PseudoTerminal()
        let terminal = try #require(Terminal(person.terminal, kind: "xterm"))
        terminal.enter()
        #expect(terminal.readKeys() == [] && terminal.longestWait == .max)
        person.type("q\u{1B}[Aé")
        #expect(terminal.readKeys() == [.character("q"), .up, .character("é")])
        person.type("\u{1B}")
        #expect(terminal.readKeys() == [])
        #expect((0...101).contains(terminal.longestWait))
        var keys: [Key] = []
        while keys.isEmpty {
            var set = PollSet([terminal.inputDescriptor])
            #expect(set.wait(milliseconds: terminal.longestWait) == 0)
            keys = terminal.readKeys()
        }
        #expect(keys == [.escape] && terminal.longestWait == .max)
    }

    @Test("a terminal that takes nothing does not hold the program up, and shows the latest picture later")
    func slow() throws {
        let person = try PseudoTerminal(columns: 500, rows: 200)
        let terminal = try #require(Terminal(person.terminal, kind: "xterm"))
        terminal.enter()
        for frame in 0..<20 {
            terminal.draw((0..<200).map { "frame \(frame) line \($0) " + String(repeating: "x", count: 400) })
        }
        // The person looks away and back: what was begun is completed, then comes the latest.
        var seen = ""
        for _ in 0..<1000 where !seen.contains("the end") {
            seen += person.see()
            terminal.draw(["the end"])
        }
        #expect(seen.contains("frame 0 line 199 x") && seen.contains("the end"))
        #expect(!seen.contains("frame 7 "), "pictures that nobody could see are not sent")
        #expect(seen.components(separatedBy: "\u{1B}[?2026h").count <= 4)
    }

    @Test("a terminal that is gone is noticed, by writing and by reading")
    func gone() throws {
        for reads in [true, false] {
            let person = try PseudoTerminal()
            let terminal = try #require(Terminal(person.terminal, kind: "xterm"))
            terminal.enter()
            #expect(!terminal.isGone)
            person.hangUp()
            if reads { #expect(terminal.readKeys() == []) } else { terminal.draw(["hello"]) }
            #expect(terminal.isGone && terminal.inputDescriptor == -1)
            terminal.draw(["hello"])
            terminal.renew()
            terminal.leave()
        }
    }

    @Test("what is no terminal, and one that cannot place its cursor, is none")
    func none() throws {
        let person = try PseudoTerminal()
        for kind in [nil, "", "dumb", "unknown"] { #expect(Terminal(person.terminal, kind: kind) == nil) }
        var ends: [Int32] = [0, 0]
        #expect(unsafe pipe(&ends) == 0)
        for end in ends {
            #expect(Terminal(end, kind: "xterm") == nil)
            _ = close(end)
        }
        #expect(Terminal(-1, kind: "xterm") == nil)
    }
}

@Suite("Signals and waiting", .serialized)
struct SignalPipeTests {
    /// Signals come when the system delivers them.
    private func wait(_ pipe: SignalPipe, count: Int) -> [LiveSignal] {
        var found: [LiveSignal] = []
        while found.count < count {
            var set = PollSet([-1, pipe.descriptor])
            guard set.wait(milliseconds: 5000) == 1, !set.isReady(0), set.isReady(1), !set.isBroken(1) else { break }
            found += pipe.take()
        }
        return found
    }

    @Test("each signal is told once it came, and the first wish to end does not end")
    func told() throws {
        // Whoever runs the tests may have had them ignored.
        let old = (signal(SIGHUP, SIG_DFL), signal(SIGTSTP, SIG_DFL))
        defer { _ = (signal(SIGHUP, old.0), signal(SIGTSTP, old.1)) }
        let pipe = try #require(SignalPipe())
        #expect(pipe.take() == [])
        let signals: [(Int32, LiveSignal)] = [
            (SIGWINCH, .resize), (SIGCONT, .proceed), (SIGTSTP, .suspend), (SIGHUP, .hangUp), (SIGINT, .interrupt),
            // At once after the first: the same wish.
            (SIGTERM, .terminate),
        ]
        for (number, expected) in signals {
            #expect(kill(getpid(), number) == 0)
            #expect(wait(pipe, count: 1) == [expected])
        }
        #expect(pipe.take() == [])
    }

    @Test("what was ignored before stays ignored for hang-ups, and everything is as before at the end")
    func ignored() throws {
        let old = signal(SIGHUP, SIG_IGN)
        do {
            let pipe = try #require(SignalPipe())
            #expect(kill(getpid(), SIGHUP) == 0)
            #expect(kill(getpid(), SIGWINCH) == 0)
            #expect(wait(pipe, count: 1) == [.resize])
        }
        let after = signal(SIGHUP, old)
        #expect(unsafe unsafeBitCast(after, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self))
    }

    @Test("a closed end is ready and broken; a time-out is nothing ready")
    func broken() {
        var ends: [Int32] = [0, 0]
        #expect(unsafe pipe(&ends) == 0)
        defer { _ = close(ends[0]) }
        var set = PollSet([ends[0]])
        #expect(set.wait(milliseconds: 1) == 0 && !set.isReady(0) && !set.isBroken(0))
        _ = close(ends[1])
        #expect(set.wait(milliseconds: -1) == 1 && set.isReady(0) && set.isBroken(0))
    }

    @Test("the memory of this process is known and plausible")
    func memory() throws {
        let bytes = try #require(residentBytes())
        #expect((1 << 20)...(1 << 38) ~= bytes)
    }
}
