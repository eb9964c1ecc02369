/// A key that others choose, with a hash that they cannot steer without knowing the seed.
protocol SeededKey: Equatable {
    func hash(seed: UInt64) -> UInt64
}
