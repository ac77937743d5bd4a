#include "recursion.hpp"

#include <algorithm>
#include <array>

#include "steps.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/expansions.hpp"
#include "weft/topology/functions.hpp"

namespace weft::algorithm {

namespace {

using topology::Expression;

class Recursion {
 public:
  explicit Recursion(const Bases& bases) : bases_(bases) {}

  Expanded expand(const Expression& expression, graph::Sense sense) const {
    if (expression.name == "line") return line(inner(expression, sense), sense);
    if (expression.name == "degree")
      return degree(leading_integer(expression), inner(expression, sense), sense);
    if (expression.name == "power")
      return power(leading_integer(expression), inner(expression, sense), sense);
    if (expression.name == "transpose") return transpose(inner(expression, graph::other(sense)));
    if (expression.name == "idle")
      return idle(leading_integer(expression), inner(expression, sense));
    if (expression.name == "bidirectional")
      return bidirectional(inner(expression, sense), inner(expression, graph::other(sense)), sense);
    if (const auto factor = repeated_factor(expression))
      return product(static_cast<int>(expression.children.size()), expand(*factor, sense), sense);
    return base(expression, sense);
  }

 private:
  Expanded inner(const Expression& expression, graph::Sense sense) const {
    return expand(inner_of(expression), sense);
  }

  static Expanded line(const Expanded& base, graph::Sense sense) {
    Topology outer = topology::line_graph({base.topology, {}}).topology;
    Sends sends = line_sends(base.sends, {base.topology, sense}, {outer, sense});
    return {std::move(outer), std::move(sends), base.bfb};  // theorem 10
  }

  static Expanded degree(int copies, const Expanded& base, graph::Sense sense) {
    Topology outer = topology::degree_expansion(copies, {base.topology, {}}).topology;
    Sends sends = degree_sends(copies, base.sends, {base.topology, sense}, {outer, sense});
    return {std::move(outer), std::move(sends)};
  }

  static Expanded power(int exponent, const Expanded& base, graph::Sense sense) {
    Topology outer = topology::power(exponent, {base.topology, {}}).topology;
    Sends sends = power_sends(exponent, base.sends, {base.topology, sense}, {outer, sense});
    return {std::move(outer), std::move(sends)};
  }

  // X * X * ... is power(n, X) by another name.
  static Expanded product(int factors, const Expanded& base, graph::Sense sense) {
    const std::vector<BuiltTopology> copies(factors, {base.topology, {}});
    Topology outer = topology::cartesian_product(copies).topology;
    Sends sends = power_sends(factors, base.sends, {base.topology, sense}, {outer, sense});
    return {std::move(outer), std::move(sends)};
  }

  // Link ids are the same.
  static Expanded idle(int ports, Expanded base) {
    Topology outer = topology::with_idle_ports(ports, {base.topology, {}}).topology;
    return {std::move(outer), std::move(base.sends), base.bfb};
  }

  // `base` is of X, read the other way.
  static Expanded transpose(Expanded base) {
    Topology outer = topology::transpose({base.topology, {}}).topology;
    std::vector<LinkId> link_of(outer.link_count());
    const std::vector<LinkId> inner_link_of = transposed_links(base.topology, outer);
    for (const LinkId link : outer.links()) link_of[inner_link_of[link.index()].index()] = link;
    rename_links(base.sends, link_of);
    return {std::move(outer), std::move(base.sends), base.bfb};
  }

  static Expanded bidirectional(const Expanded& along, const Expanded& against,
                                graph::Sense sense) {
    Topology outer = topology::bidirectional({along.topology, {}}).topology;
    Sends sends =
        bidirectional_sends(along.sends, against.sends, {along.topology, sense}, {outer, sense});
    return {std::move(outer), std::move(sends)};
  }

  Expanded base(const Expression& expression, graph::Sense sense) const {
    Topology network = topology::build_topology(expression, *bases_.registry).topology;
    require(!network.has_switches(),
            "{} has switches; expansions need a network whose nodes all have a rank",
            network.name());
    if (sense == graph::Sense::along) {
      auto [sends, bfb] = base_sends(network);
      return {std::move(network), std::move(sends), bfb};
    }
    const Topology reversed = topology::transpose({network, {}}).topology;
    auto [sends, bfb] = base_sends(reversed);
    rename_links(sends, transposed_links(network, reversed));
    return {std::move(network), std::move(sends), bfb};
  }

  struct BaseSends {
    Sends sends;
    bool bfb;
  };
  BaseSends base_sends(const Topology& network) const {
    if (bases_.known)
      if (const auto known = bases_.known(network)) return {sends_of(*known, network), false};
    return {sends_of(bases_.general(network), network), bases_.quality != BaseQuality::any};
  }

  static void rename_links(Sends& sends, const std::vector<LinkId>& image) {
    for (Send& send : sends.list) send.link = image[send.link].value();
  }

  const Bases& bases_;
};

}  // namespace

Expanded expand_sends(const Expression& expression, graph::Sense sense, const Bases& bases) {
  return Recursion(bases).expand(expression, sense);
}

Expression inner_of(const Expression& expression) {
  WEFT_ASSERT(expression.children.size() == 1);
  if (expression.power == 1) return expression.children[0];
  Expression inner = expression;
  --inner.power;
  return inner;
}

bool has_expansion(const Expression& expression) {
  if (expression.name == "idle") return has_expansion(inner_of(expression));
  constexpr std::array kExpansions = {"line", "degree", "power", "transpose", "bidirectional"};
  return std::find(kExpansions.begin(), kExpansions.end(), expression.name) != kExpansions.end() ||
         repeated_factor(expression);
}

int leading_integer(const Expression& expression) {
  const auto value = number_in<int>(expression.parameters);
  require(value && *value >= 1, "{}: '{}' is not a number of copies (needs an integer from 1)",
          expression.to_string(), expression.parameters);
  return *value;
}

std::optional<Expression> repeated_factor(const Expression& expression) {
  if (expression.name != "*") return std::nullopt;
  const auto& factors = expression.children;
  if (!std::all_of(factors.begin(), factors.end(),
                   [&](const Expression& factor) { return factor == factors[0]; }))
    return std::nullopt;
  return factors[0];
}

std::vector<LinkId> transposed_links(const Topology& inner, const Topology& transposed) {
  WEFT_ASSERT(inner.node_count() == transposed.node_count() &&
              inner.link_count() == transposed.link_count());
  std::vector<LinkId> result(inner.link_count());
  for (const NodeId node : inner.nodes()) {
    const auto in_links = inner.in_links(node);
    for (std::size_t i = 0; i < in_links.size(); ++i)
      result[transposed.out_links(node)[static_cast<std::int32_t>(i)].index()] = in_links[i];
  }
  return result;
}

void require_few_sends(double sends, const Topology& outer) {
  require(sends <= static_cast<double>(kMostSends),
          "the expanded schedule of {} would have {:.0f} sends of chunks (at most {}); use a "
          "smaller network",
          outer.name(), sends, kMostSends);
}

void require_few_units(std::int64_t units, const Topology& outer) {
  require(units <= schedule::kMaxUnitsPerBlock,
          "the expanded schedule of {} would cut a block into {} units (at most {}); use a "
          "base whose schedule has fewer chunks",
          outer.name(), units, schedule::kMaxUnitsPerBlock);
}

}  // namespace weft::algorithm
