// Machines as hwloc writes them (lstopo --of xml, versions 1 to 3):
//
//   <topology version="2.0">
//     <object type="Machine"> <object type="Package" os_index="0">
//       <object type="L3Cache" ...> <object type="Core" ...> ... </object> </object>
//       <object type="Bridge" ...> <object type="PCIDev" pci_link_speed="15.75" ...>
//         <object type="OSDev" name="mlx5_0" osdev_type="3"/> </object> </object>
//
// Cores become hosts; packages, caches, NUMA nodes and bridges that join several of what is below
// them become switches, others are passed through. Network cards are ports to the outside, as of
// NCCL's machines. hwloc knows how fast PCI links are, but not caches and what joins sockets.
// Source: hwloc's hwloc2.dtd, hwloc.h of 3.0 and the manual, "Importing and exporting topologies
// from/to XML files".
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>

#include "../imported_fabric.hpp"
#include "../xml_file.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"

namespace weft::format {

namespace {

using Node = FabricBuilder::Node;
using pugi::xml_node;

// By the DTDs of versions 1 to 3, whose attributes grow.
constexpr std::array kRules{XmlRule{"topology",
                                    "object info distances distances2 distances2hetero support "
                                    "memattr cpukind memtier pci_locality"},
                            XmlRule{"object", "object info page_type distances userdata"}};
const std::vector<std::string> kTypes{
    "System",   "Machine",  "Misc",     "Group",   "NUMANode", "Node",    "MemCache", "Package",
    "Socket",   "Die",      "Cache",    "L1Cache", "L2Cache",  "L3Cache", "L4Cache",  "L5Cache",
    "L1iCache", "L2iCache", "L3iCache", "Core",    "PU",       "Bridge",  "PCIDev",   "OSDev"};

// What is joined to whatever stands above it.
struct Top {
  Node node;
  FabricBuilder::Facts facts = {};
};
using Tops = std::vector<Top>;

std::string_view type_of(const xml_node& object) {
  return object.attribute("type").value();
}

class Reader {
 public:
  explicit Reader(const FabricSource& source)
      : file_(source.text, source.file, "topology", "machines of hwloc"),
        name_(source.file),
        builder_(source.file, source.options, {.note_speeds = false}) {}

  ImportedFabric read() && {
    file_.require_known(kRules);
    kinds_are_bits_ = has_bits(file_);
    leaf_ = file_.root().find_node([](const xml_node& node) { return type_of(node) == "Core"; })
                ? "Core"
                : "PU";
    Tops tops;
    for (const xml_node object : file_.root().children("object")) append(tops, add(object));
    require(counts_[leaf_] > 0, "{} has no cores; is it what lstopo --of xml writes?", name_);
    if (tops.size() > 1) join(tops, "machine");
    ImportedFabric fabric = built(std::move(builder_));
    note_remarks(fabric);
    return fabric;
  }

 private:
  static void append(Tops& all, Tops more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
  }

  // What the object leaves to be joined above: itself, or what it passes through.
  Tops add(const xml_node& object) {
    const std::string_view type = file_.text(object, "type");
    if (std::ranges::find(kTypes, type) == kTypes.end())
      file_.refuse(object, "type {} is none that hwloc has; {}", type, suggest(type, kTypes));
    if (type == leaf_) {
      const int number = counts_[leaf_]++;
      const std::string name = fmt::format("{}{}", weft::lower(leaf_), number);
      return {{builder_.node(name, name, NodeKind::host)}};
    }
    if (type == "PCIDev") return add_cards(object);
    if (type == "OSDev" || type == "Misc" || type == "PU") return {};
    Tops below;
    for (const xml_node child : object.children("object")) append(below, add(child));
    if (type == "Bridge") limit(below, object);
    if (below.size() < 2) return below;
    return {{join(below, name_of_kind(object))}};
  }

  // "l3" of L3Cache; in version 1 caches say their depth.
  std::string name_of_kind(const xml_node& object) const {
    std::string kind = weft::lower(type_of(object));
    if (kind == "cache")
      return fmt::format("l{}", file_.integer(object, "depth", 1, 9).value_or(0));
    if (kind == "socket") return "package";
    if (kind == "numanode") return "numa";
    if (kind.ends_with("cache")) kind.resize(kind.size() - 5);
    return kind;
  }

  // A switch that joins them; links to it are of its kind, but those that have their own.
  Node join(const Tops& below, const std::string& kind) {
    const bool ends_in_digit = std::isdigit(static_cast<unsigned char>(kind.back())) != 0;
    const std::string name = fmt::format("{}{}{}", kind, ends_in_digit ? "-" : "", counts_[kind]++);
    const Node node = builder_.node(name, "switch-" + name, NodeKind::switch_node);
    for (const Top& top : below) {
      FabricBuilder::Facts facts = top.facts;
      if (facts.link_class.empty()) facts.link_class = kind == "bridge" ? "pci" : kind;
      builder_.cable(top.node, {}, node, {}, std::move(facts));
    }
    return node;
  }

  // GB/s of a PCI link, as the file has it; 0 where hwloc did not see it.
  std::optional<std::int64_t> link_Bps(const xml_node& object) const {
    const pugi::xml_attribute attribute = object.attribute("pci_link_speed");
    if (!attribute) return std::nullopt;
    const auto speed = number_in<double>(trim(attribute.value()));
    if (!speed || !(*speed >= 0) || *speed > 1e6)
      file_.refuse(object, "pci_link_speed \"{}\" is no number of GB/s", attribute.value());
    if (*speed == 0) return std::nullopt;
    return static_cast<std::int64_t>(std::llround(*speed * 1e9));
  }

  // A link is as fast as the slowest on its way up.
  void limit(Tops& below, const xml_node& bridge) const {
    const auto own = link_Bps(bridge);
    if (!own || below.size() != 1) return;
    auto& known = below.front().facts.bandwidth_Bps;
    known = std::min(known.value_or(*own), *own);
  }

  // Kinds of devices are numbers up to version 2, then bits, several for one device.
  struct Kinds {
    bool gpu, net, fabric;
  };
  Kinds kinds_of(const xml_node& device) const {
    const auto type = file_.integer(device, "osdev_type", 0, UINT32_MAX);
    if (!type) file_.refuse(device, "the device has no osdev_type, which says what it is");
    if (!kinds_are_bits_) return {*type == 1 || *type == 5, *type == 2, *type == 3};
    return {(*type & 0b1100) != 0, (*type & 0b11'0000) == 0b1'0000, (*type & 0b10'0000) != 0};
  }

  static bool has_bits(const XmlFile& file) {
    const std::string_view version = file.root().attribute("version").value();
    if (version.empty()) return false;
    const auto major = number_in<int>(version.substr(0, version.find('.')));
    if (!major) file.refuse(file.root(), "version \"{}\" is no number", version);
    return *major >= 3;
  }

  // InfiniBand's devices of a PCI device, else its network interfaces.
  Tops add_cards(const xml_node& device) {
    std::vector<std::string> fabric, net;
    for (const xml_node child : device.children("object")) {
      if (type_of(child) != "OSDev") continue;
      const Kinds kinds = kinds_of(child);
      has_gpus_ = has_gpus_ || kinds.gpu;
      if (kinds.fabric) fabric.emplace_back(file_.text(child, "name"));
      if (kinds.net) net.emplace_back(file_.text(child, "name"));
    }
    Tops tops;
    for (const std::string& name : fabric.empty() ? net : fabric) {
      const Node node = builder_.node(name, fmt::format("card{}", ++cards_), NodeKind::switch_node);
      tops.push_back({node, {.bandwidth_Bps = link_Bps(device), .link_class = "card"}});
    }
    return tops;
  }

  void note_remarks(ImportedFabric& fabric) const {
    fabric.remarks.emplace_back(
        "hwloc knows no speeds of caches and sockets; --link or the default serves for them");
    if (has_gpus_)
      fabric.remarks.emplace_back(
          "GPUs are left out, since cores are the hosts; NCCL's topology file has them");
    fabric.remarks.push_back(
        cards_ > 0
            ? fmt::format("network cards, ports to the outside for boxes(n, ...): {}", cards_)
            : "the file has no network cards, so that boxes(n, ...) gives each core one");
  }

  XmlFile file_;
  const std::string& name_;
  FabricBuilder builder_;
  std::string leaf_;  // the type of objects that are hosts
  std::map<std::string, int> counts_;
  int cards_ = 0;
  bool has_gpus_ = false, kinds_are_bits_ = false;
};

ImportedFabric read(const FabricSource& source) {
  return Reader(source).read();
}

bool recognises(std::string_view text) {
  return begins_with_element(text, "topology");
}

}  // namespace

Format hwloc() {
  return {
      .name = "hwloc",
      .summary = "machines as hwloc writes them (lstopo --of xml): cores, what joins them, cards",
      .loses = "GPUs, and the speeds of caches and sockets",
      .read_fabric = read,
      .recognises = recognises,
      .is_machine = true};
}

}  // namespace weft::format
