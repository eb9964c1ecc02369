/// The hooks of AddressSanitizer's allocator, which only the fuzz program has.
extension AllocationWatch {
    static func install() {
        // What is made at the first use must not be made inside of the hooks.
        begin()
        _ = end()
        _ = installHooks(
            { _, size in noteAllocation(size) }, { if let memory = $0 { noteFree(allocatedSize(memory)) } })
    }
}

@_silgen_name("__sanitizer_install_malloc_and_free_hooks")
private func installHooks(
    _ allocated: @convention(c) (UnsafeRawPointer?, Int) -> Void, _ freed: @convention(c) (UnsafeRawPointer?) -> Void
) -> Int32

@_silgen_name("__sanitizer_get_allocated_size")
private func allocatedSize(_ pointer: UnsafeRawPointer?) -> Int
