// Predictions over an expression: by the algebra as far as it is exact, measured below.

#include "recursion.hpp"
#include "weft/algorithm/expansion.hpp"
#include "weft/base/error.hpp"

namespace weft::algorithm {

namespace {

using topology::Expression;

class Predictor {
 public:
  explicit Predictor(const Bases& bases) : bases_(bases) {}

  Prediction predict(const Expression& expression, graph::Sense sense) const {
    if (const auto known = by_algebra(expression, sense)) return *known;
    return by_measure(expression, sense);
  }

 private:
  // Nothing where the algebra does not reach.
  std::optional<Prediction> by_algebra(const Expression& expression, graph::Sense sense) const {
    if (expression.name == "transpose") return predict(inner_of(expression), graph::other(sense));
    if (expression.name == "idle")
      return idle(leading_integer(expression), predict(inner_of(expression), sense));
    if (expression.name == "*") return of_product(expression, sense);
    if (!is_expansion(expression)) return by_cost(expression);
    const Prediction base = predict(inner_of(expression), sense);
    if (!base.regular) return std::nullopt;
    if (expression.name == "line") {
      const Prediction result = line(base);
      return result.exact ? std::optional(result) : std::nullopt;
    }
    if (expression.name == "bidirectional") return bidirectional(base);
    const int n = leading_integer(expression);
    return expression.name == "degree" ? degree(n, base) : power(n, base);
  }

  static bool is_expansion(const Expression& expression) {
    return expression.name == "line" || expression.name == "degree" || expression.name == "power" ||
           expression.name == "bidirectional";
  }

  std::optional<Prediction> of_product(const Expression& expression, graph::Sense sense) const {
    if (const auto factor = repeated_factor(expression)) {
      const Prediction base = predict(*factor, sense);
      if (!base.regular) return std::nullopt;
      return power(static_cast<std::int64_t>(expression.children.size()), base);
    }
    if (bases_.quality != BaseQuality::best_bfb) return std::nullopt;
    std::vector<Prediction> factors;
    for (const Expression& child : expression.children) factors.push_back(predict(child, sense));
    return product(factors);
  }

  // BFB on undirected networks of several neighbours a node is tight, and costs the same both ways:
  // its schedule need not be built. Nothing for others.
  std::optional<Prediction> by_cost(const Expression& expression) const {
    if (!bases_.general_cost || bases_.quality == BaseQuality::any) return std::nullopt;
    const Topology network = topology::build_topology(expression, *bases_.registry).topology;
    if (network.has_switches() || !is_undirected(network)) return std::nullopt;
    if (bases_.known && bases_.known(network)) return std::nullopt;
    Prediction result = describe({network, graph::Sense::along});
    if (!result.branching) return std::nullopt;
    const BaseCost cost = bases_.general_cost(network);
    result.steps = cost.steps;
    result.bandwidth_factor = cost.bandwidth_factor;
    result.bfb = result.reversible = result.tight = true;
    result.optimal_bfb = result.bandwidth_optimal();
    return result;
  }

  // The other way is measured too, to see whether it costs the same.
  Prediction by_measure(const Expression& expression, graph::Sense sense) const {
    const Expanded here = expand_sends(expression, sense, bases_);
    const Expanded there = expand_sends(expression, graph::other(sense), bases_);
    Prediction result = measure(here.sends, {here.topology, sense});
    result.reversible =
        step_loads(here.sends, here.topology) == step_loads(there.sends, there.topology) &&
        measure(there.sends, {there.topology, graph::other(sense)}).tight == result.tight;
    result.bfb = here.bfb;
    result.optimal_bfb = here.bfb && result.bandwidth_optimal();
    return result;
  }

  const Bases& bases_;
};

}  // namespace

Prediction predict(const Expression& expression, graph::Sense sense, const Bases& bases) {
  return Predictor(bases).predict(expression, sense);
}

}  // namespace weft::algorithm
