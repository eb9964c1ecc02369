/// One way in which records are protected. `record` is whole, with a header that tells its length; the output is as long
/// at least.
protocol RecordOpener: AnyObject {
    func open(
        _ record: UnsafeRawBufferPointer, sequence: UInt64, into output: UnsafeMutableRawBufferPointer
    ) -> OpenedRecord?
    func skip(_ record: UnsafeRawBufferPointer)
}

extension RecordOpener {
    func skip(_ record: UnsafeRawBufferPointer) {}
}
