// The machine files that come with weft, and the family that builds them.
#include "weft/topology/machines.hpp"

#include <algorithm>
#include <filesystem>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/shipped.hpp"
#include "weft/base/suggest.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

constexpr std::string_view kFamily = "network";
constexpr std::string_view kExtension = ".toml";

std::string folder() {
  return shipped_folder("WEFT_NETWORKS", "share/networks", "networks");
}

std::vector<std::string> names_in(const std::string& where) {
  std::vector<std::string> names;
  if (where.empty()) return names;
  for (const auto& entry : std::filesystem::directory_iterator(where))
    if (entry.path().extension() == kExtension) names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

std::string path_of(const std::string& name) {
  return folder() + "/" + name + std::string(kExtension);
}

// As the folder writes it; in any case, where no other file is called so.
std::string named(std::string_view name, const std::vector<std::string>& names) {
  auto found = std::ranges::find(names, name);
  if (found == names.end()) found = std::ranges::find(names, lower(name), lower);
  if (found == names.end()) reject("unknown network \"{}\"; {}", name, suggest(name, names));
  return *found;
}

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

}  // namespace

std::vector<MachineInfo> machines() {
  std::vector<MachineInfo> all;
  for (const std::string& name : names_in(folder()))
    all.push_back(parse_machine_info(read_file(path_of(name)), name, path_of(name)));
  return all;
}

Machine read_machine(std::string_view name) {
  const auto names = names_in(folder());
  require(
      !names.empty(),
      "no networks are found (share/networks is not beside the program); name their folder with "
      "the environment variable WEFT_NETWORKS");
  const std::string found = named(name, names);
  const BeingRead reading(found);
  return parse_machine(read_file(path_of(found)), found, path_of(found));
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
      is_card = is_card && machine.class_names()[machine.link_class(link).index()] == kCardClass;
    if (is_card) cards.push_back(node);
  }
  return cards;
}

Family network_family() {
  return {std::string(kFamily), "NAME",
          "a machine that people own, with its speeds: weft list networks", "network:dgx-h100",
          [](std::string_view name) { return read_machine(name).network; }};
}

}  // namespace weft::topology
