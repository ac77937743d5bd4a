// The machine files that come with weft, and the family that builds them.
#include "weft/topology/machines/machines.hpp"

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/shipped.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/families/families.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {

namespace {

constexpr std::string_view kFamily = "network";
constexpr ShippedFiles kMachineFiles{"WEFT_NETWORKS", "networks", "network"};

// A machine while its file is read, which may name others. Throws InvalidInput for one that is
// being read already.
class BeingRead {
 public:
  explicit BeingRead(const std::string& name) {
    require(std::ranges::find(names(), name) == names().end(),
            "network:{} is made of itself; make it of another network, or of hosts and cables",
            name);
    names().push_back(name);
  }
  BeingRead(const BeingRead&) = delete;
  BeingRead& operator=(const BeingRead&) = delete;
  ~BeingRead() { names().pop_back(); }

 private:
  static std::vector<std::string>& names() {
    thread_local std::vector<std::string> now;
    return now;
  }
};

// The file of a network's name. In `boxes(4, network:dgx-h100, wiring=rail)` the rest of the
// parameters is a part of the name.
NamedFile file_of(std::string_view name) {
  const std::size_t end = std::min(name.find_first_of(",="), name.size());
  const std::string_view first = trim(name.substr(0, end));
  const std::string_view rest = name.substr(end);
  require(name.find('=') == std::string_view::npos,
          "network:{} has no parameters ('{}'); write those of a function before its networks, "
          "such as boxes(4, wiring=rail, network:{})",
          first, trim(rest.starts_with(',') ? rest.substr(1) : rest), first);
  return kMachineFiles.find(name);
}

}  // namespace

std::vector<MachineInfo> machines() {
  std::vector<MachineInfo> all;
  for (const auto& [name, path] : kMachineFiles.all())
    all.push_back(parse_machine_info(read_file(path), name, path));
  return all;
}

Machine read_machine(std::string_view name) {
  const NamedFile found = file_of(name);
  const BeingRead reading(found.name);
  return parse_machine(read_file(found.path), found.name, found.path);
}

std::string profile_in(const Expression& expression) {
  if (expression.name == kFamily && expression.is_family()) {
    const NamedFile found = file_of(expression.parameters);
    return parse_machine_info(read_file(found.path), found.name, found.path).profile;
  }
  if (expression.name == "rail" && expression.is_family()) return std::string(kGpuMachine);
  for (const Expression& child : expression.children)
    if (std::string profile = profile_in(child); !profile.empty()) return profile;
  return "";
}

namespace {

std::string machine_of_files(const Expression& expression) {
  if (expression.name == "file" && expression.is_family())
    return machine_in(build_topology(expression).topology);
  for (const Expression& child : expression.children)
    if (std::string machine = machine_of_files(child); !machine.empty()) return machine;
  return "";
}

}  // namespace

std::string machine_in(const Topology& topology) {
  if (const std::string& own = topology.facets().machine; !own.empty()) return own;
  const Expression& expression = topology.expression();
  if (std::string profile = profile_in(expression); !profile.empty()) return profile;
  for (const Expression& child : expression.children)
    if (std::string machine = machine_of_files(child); !machine.empty()) return machine;
  return "";
}

std::optional<Cards> cards_of(const Expression& box) {
  if (box.name != kFamily || !box.is_family()) return std::nullopt;
  return read_machine(box.parameters).cards;
}

std::vector<NodeId> card_nodes(const Topology& machine) {
  std::vector<NodeId> cards;
  for (const NodeId node : machine.switches()) {
    bool is_card = machine.out_degree(node) > 0;
    for (const LinkId link : machine.out_links(node))
      is_card = is_card && machine.class_names()[machine.link_class(link)] == kCardClass;
    if (is_card) cards.push_back(node);
  }
  return cards;
}

Family network_family() {
  return {std::string(kFamily), "NAME",
          "An existing machine with its speeds; see weft list networks", "network:dgx-h100",
          [](std::string_view name) { return read_machine(name).network; }};
}

}  // namespace weft::topology
