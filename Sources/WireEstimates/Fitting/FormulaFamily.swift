/// An estimator whose parameters are fitted to a log, apart from those that are fixed.
package struct FormulaFamily: Sendable {
    let type: any Estimator.Type
    /// The fixed values; all others are the defaults.
    let published: EstimatorParameters
    private let fixed: Set<String>

    /// - Parameter text: an identifier with the parameters that are fixed, such as `dmurlprotocol:gate=both`. Nil where
    ///   there is no such estimator or parameter.
    package init?(_ text: String) {
        let pieces = text.split(separator: ":")
        guard let name = pieces.first?.lowercased(),
            let type = EstimatorCatalog.simulated.first(where: { $0.description.isNamed(name) })
        else { return nil }
        var parameters = EstimatorParameters(type.description)
        var fixed: Set<String> = []
        for piece in pieces.dropFirst() {
            guard let (parameter, value) = try? type.description.parameter(piece) else { return nil }
            parameters[parameter.name] = value
            fixed.insert(parameter.name)
        }
        self.type = type
        published = parameters
        self.fixed = fixed
    }

    /// What the estimator wants to know of bodies, whatever its other parameters.
    package var needs: ContentNeeds {
        ([published] + neighbours(of: published).map(\.point)).reduce([]) { $0.union(type.init($1).needs) }
    }

    /// The parameters that may be fitted, in the description's order.
    var free: [EstimatorDescription.Parameter] { type.description.parameters.filter { !fixed.contains($0.name) } }

    /// The parameter that takes a list of hidden request fields.
    var fieldNames: EstimatorDescription.Parameter? { free.first { $0.open == .fieldNames } }

    func formula(_ parameters: EstimatorParameters) -> ChosenEstimator { ChosenEstimator(type, parameters) }

    /// Sets of parameters that differ from the given one in one value.
    func neighbours(of point: EstimatorParameters) -> [(name: String, point: EstimatorParameters)] {
        free.flatMap { parameter in
            parameter.values.filter { $0 != point[parameter.name] }.map { value in
                (parameter.name, point.setting(parameter.name, value))
            }
        }
    }
}

extension EstimatorParameters {
    func setting(_ name: String, _ value: String) -> EstimatorParameters {
        var changed = self
        changed[name] = value
        return changed
    }
}
