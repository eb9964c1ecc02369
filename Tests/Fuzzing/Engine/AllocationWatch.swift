import Foundation

/// Counts what is allocated while a target runs, by the hooks of AddressSanitizer's allocator: a measure of memory and of
/// work that is the same whenever the input is.
enum AllocationWatch {
    struct Amounts {
        /// Most bytes held at one time beyond those held before.
        var mostHeld = 0
        /// Bytes of all allocations.
        var total = 0
    }

    nonisolated(unsafe) private static var isRunning = false
    nonisolated(unsafe) private static var held = 0
    nonisolated(unsafe) private static var amounts = Amounts()

    static func install() {
        // What is made at the first use must not be made inside of the hooks.
        begin()
        _ = end()
        _ = installHooks({ _, size in AllocationWatch.note(size) }, { AllocationWatch.noteFree($0) })
    }

    static func begin() {
        amounts = Amounts()
        held = 0
        isRunning = true
    }

    static func end() -> Amounts {
        isRunning = false
        return amounts
    }

    private static func note(_ size: Int) {
        guard isRunning else { return }
        held += size
        amounts.total += size
        amounts.mostHeld = max(amounts.mostHeld, held)
    }

    private static func noteFree(_ pointer: UnsafeRawPointer?) {
        guard isRunning, let pointer = pointer else { return }
        held -= allocatedSize(pointer)
    }
}

@_silgen_name("__sanitizer_install_malloc_and_free_hooks")
private func installHooks(
    _ allocated: @convention(c) (UnsafeRawPointer?, Int) -> Void, _ freed: @convention(c) (UnsafeRawPointer?) -> Void
) -> Int32

@_silgen_name("__sanitizer_get_allocated_size")
private func allocatedSize(_ pointer: UnsafeRawPointer?) -> Int
