import Testing

@testable import WireCore

@Suite("Mappings of a subflow")
struct SubflowMappingsTests {
    /// Mappings by range and shift, in this order; and which of them were accepted.
    private func make(_ list: [(Range<Int>, UInt32)]) -> (mappings: SubflowMappings, accepted: [Bool]) {
        var mappings = SubflowMappings()
        let accepted = list.map { mappings.insert($0.0, shift: $0.1) }
        return (mappings, accepted)
    }

    @Test("mappings that continue one another are one; others keep their shift")
    func runs() {
        let (mappings, accepted) = make([(10..<20, 5), (30..<40, 7), (20..<30, 5), (0..<10, 3)])
        #expect(accepted == [true, true, true, true])
        for (position, end, shift) in [(0, 10, 3), (10, 30, 5), (29, 30, 5), (30, 40, 7), (39, 40, 7)] {
            let found = mappings.mapping(at: position)
            #expect(found?.end == end && found?.shift == UInt32(shift), "\(position)")
        }
        #expect(mappings.mapping(at: 40) == nil && mappings.mapping(at: -1) == nil)
    }

    @Test("the same mapping again changes nothing, and one that contradicts is refused")
    func contradictions() {
        let (mappings, accepted) = make([(0..<100, 1), (0..<100, 1), (50..<150, 1), (149..<160, 2), (150..<160, 2)])
        #expect(accepted == [true, true, true, false, true])
        #expect(mappings.mapping(at: 0)?.end == 150)
    }

    @Test("gaps stay gaps, and memory is limited")
    func limits() {
        let (mappings, accepted) = make((0..<10_000).map { ($0 * 10..<$0 * 10 + 5, UInt32($0)) })
        #expect(accepted.allSatisfy { $0 })
        #expect(mappings.mapping(at: 99_990)?.end == 99_995 && mappings.mapping(at: 99_995) == nil)
        #expect(mappings.mapping(at: 0) == nil)
    }
}
