#include "weft/topology/names.hpp"

#include <fmt/format.h>

#include "weft/base/error.hpp"
#include "weft/topology/functions/functions.hpp"
#include "weft/topology/parameters.hpp"

namespace weft::topology {

namespace {

constexpr const char* kExample = "names(hosts=node[01-16], torus:4x4)";

// Of the hosts; switches keep what they are called.
Names names_of_hosts(const Topology& topology, std::vector<std::string> hosts,
                     const std::string& where) {
  require(hosts.size() == topology.hosts().size(),
          "{} has {} names for the {} hosts of {}; name each host once", where, hosts.size(),
          topology.hosts().size(), topology.name());
  Names names;
  if (const auto& old = topology.facets().names) names.ports = old->ports;
  for (const NodeId node : topology.nodes())
    names.nodes.push_back(topology.is_host(node) ? std::string() : name_of(topology, node));
  for (std::size_t i = 0; i < hosts.size(); ++i)
    names.nodes[topology.hosts()[i].index()] = std::move(hosts[i]);
  return names;
}

// What all have together that the key, once or several times, is set to.
std::string values_of(std::string_view text, const std::string& key, const Parameters& parameters) {
  const std::string next = fmt::format(", {}=", key);
  text.remove_prefix(key.size() + 1);
  if (key == "file") return std::string(text);
  std::string values;
  for (std::size_t end = text.find(next); end != std::string_view::npos; end = text.find(next)) {
    values.append(text.substr(0, end)).push_back(',');
    text.remove_prefix(end + next.size());
  }
  values += text;
  if (values.find('=') != std::string::npos)
    parameters.fail("expected hosts= (several times) or one file=");
  return values;
}

BuiltTopology named(const Expression& node, const BuiltTopology& inner) {
  const Parameters parameters("names(hosts=LIST, X) or names(file=PATH, X)", kExample,
                              node.parameters);
  const std::size_t equals = node.parameters.find('=');
  const std::string key = node.parameters.substr(0, equals);
  if (equals == std::string::npos || (key != "hosts" && key != "file"))
    parameters.fail("expected hosts= or file=");
  const std::string value = values_of(node.parameters, key, parameters);
  const Topology& whole = inner.topology;
  const std::string where = key == "file" ? value : "names()";
  std::vector<std::string> hosts = key == "file" ? read_names(value) : expand_names(value, where);
  return {with_names(whole, names_of_hosts(whole, std::move(hosts), where),
                     apply("names", node.parameters, whole.expression()), where),
          inner.speeds};
}

}  // namespace

Function names_function() {
  return {"names", "hosts=LIST | file=PATH, X",
          "X with names for its hosts, from a list or a file, in the order of the hosts", kExample,
          [](const Expression& node, std::span<const BuiltTopology> operands) {
            return named(node, operands[0]);
          }};
}

}  // namespace weft::topology
