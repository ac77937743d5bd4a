// Machines as hwloc writes them (lstopo --of xml, versions 1 to 3):
//
//   <topology version="2.0">
//     <object type="Machine"> <object type="Package" os_index="0">
//       <object type="L3Cache" ...> <object type="Core" ...> ... </object> </object>
//       <object type="Bridge" ...> <object type="PCIDev" pci_link_speed="15.75" ...>
//         <object type="OSDev" name="mlx5_0" osdev_type="3"/> </object> </object>
//
// Cores become hosts; packages, caches, NUMA nodes and bridges that join several of what is below
// them become switches, others are passed through. Network adapters are ports to the outside, as of
// NCCL's machines, each one card however many devices the system makes of it. With --part gpus the
// accelerators are the hosts. hwloc knows how fast PCI links are, but not caches and what joins
// sockets. A "System" of several machines says nothing of what joins them: one is taken by --part.
// Source: hwloc's hwloc2.dtd, hwloc.h of 3.0 and the manual, "Importing and exporting topologies
// from/to XML files".
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <utility>

#include "../imported_fabric.hpp"
#include "../xml_file.hpp"
#include "weft/base/enumeration.hpp"
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

// The PCI class and vendor of "0302 [10de:20b0] [10de:134f] a1"; an accelerator, and not the
// display of a board's own controller.
bool is_accelerator(std::string_view pci_type) {
  const std::string_view pci_class = pci_type.substr(0, 4);
  if (pci_class == "0302" || pci_class == "0380" || pci_class == "1200") return true;
  return pci_class == "0300" && (pci_type.find("[10de:") != std::string_view::npos ||
                                 pci_type.find("[1002:") != std::string_view::npos);
}

std::vector<xml_node> machines_in(const xml_node& root) {
  std::vector<xml_node> machines;
  (void)root.find_node([&](const xml_node& node) {
    if (type_of(node) == "Machine") machines.push_back(node);
    return false;
  });
  return machines;
}

class Reader {
 public:
  explicit Reader(const FabricSource& source)
      : file_(source.text, source.file, "topology", "machines of hwloc"),
        name_(source.file),
        machines_(machines_in(file_.root())),
        options_(own_options(source.options)),
        builder_(source.file, options_, {.note_speeds = false}) {}

  ImportedFabric read() && {
    file_.skip_unknown(kRules, builder_.log());
    kinds_are_bits_ = has_bits(file_);
    leaf_ = file_.root().find_node([](const xml_node& node) { return type_of(node) == "Core"; })
                ? "Core"
                : "PU";
    if (machines_.size() > 1)
      add_machines();
    else
      add_all(file_.root().children("object"));
    require(hosts_are_gpus_ || counts_[leaf_] > 0,
            "{} has no cores; check that it is the output of lstopo --of xml", name_);
    require(!hosts_are_gpus_ || !gpus_.empty(),
            "{} has no GPUs; remove --part gpus, so that cores are the hosts", name_);
    note();
    return built(std::move(builder_));
  }

 private:
  static void append(Tops& all, Tops more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
  }

  // --part gpus and --part cores say what the hosts are; --part may also name a machine.
  topology::ImportOptions own_options(topology::ImportOptions options) {
    hosts_are_gpus_ = options.part == "gpus";
    if (hosts_are_gpus_ || options.part == "cores") options.part.clear();
    if (machines_.size() > 1) machine_ = std::exchange(options.part, {});
    return options;
  }

  void add_all(const pugi::xml_object_range<pugi::xml_named_node_iterator>& objects) {
    Tops tops;
    for (const xml_node object : objects) append(tops, add(object));
    if (tops.size() > 1) join(tops, "machine");
  }

  static std::string name_of_machine(const xml_node& machine, std::size_t number) {
    for (const xml_node info : machine.children("info"))
      if (std::string_view(info.attribute("name").value()) == "HostName")
        return info.attribute("value").value();
    return fmt::format("machine{}", number);
  }

  static std::ptrdiff_t cores_of(const xml_node& machine, std::string_view leaf) {
    std::ptrdiff_t cores = 0;
    (void)machine.find_node([&](const xml_node& node) {
      cores += type_of(node) == leaf ? 1 : 0;
      return false;
    });
    return cores;
  }

  // Nothing says what joins them: each stays alone, or one is taken.
  void add_machines() {
    std::vector<std::string> names, texts;
    for (std::size_t i = 0; i < machines_.size(); ++i) {
      names.push_back(name_of_machine(machines_[i], i));
      texts.push_back(fmt::format("{} ({})", printable(names[i]),
                                  counted(cores_of(machines_[i], leaf_), "core")));
    }
    const auto taken = std::ranges::find(names, machine_);
    if (taken == names.end() && !options_.join) {
      constexpr std::size_t kMostNamed = 6;
      if (texts.size() > kMostNamed) texts.resize(kMostNamed);
      reject(
          "{}: the file has {} machines, {}{}, without a connection; choose one with --part "
          "{}, or join all with --join",
          name_, names.size(), fmt::join(texts, ", "), texts.size() < names.size() ? ", ..." : "",
          printable(names.front()));
    }
    for (std::size_t i = 0; i < machines_.size(); ++i) {
      if (taken != names.end() && names.begin() + static_cast<std::ptrdiff_t>(i) != taken) continue;
      Tops tops = add(machines_[i]);
      if (tops.size() > 1) join(tops, "machine");
    }
    if (taken != names.end())
      builder_.log().note(fmt::format("only the machine {} is used, of {} machines",
                                      printable(*taken), names.size()));
  }

  // What the object leaves to be joined above: itself, or what it passes through.
  Tops add(const xml_node& object) {
    const std::string_view type = file_.text(object, "type");
    if (std::ranges::find(kTypes, type) == kTypes.end())
      file_.refuse(object, "{}", unknown_text({"type", type, "of hwloc"}, kTypes));
    if (type == leaf_ && hosts_are_gpus_) return {};
    if (type == leaf_) {
      const int number = counts_[leaf_]++;
      const std::string name = fmt::format("{}{}", weft::lower(leaf_), number);
      return {{builder_.node(name, name, NodeKind::host, file_.line(object))}};
    }
    if (type == "PCIDev") return add_device(object);
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
      file_.refuse(object, "pci_link_speed '{}' is not a number of GB/s", attribute.value());
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
    if (!type) file_.refuse(device, "the device has no osdev_type, which gives its kind");
    if (!kinds_are_bits_) return {*type == 1 || *type == 5, *type == 2, *type == 3};
    return {(*type & 0b1100) != 0, (*type & 0b11'0000) == 0b1'0000, (*type & 0b10'0000) != 0};
  }

  static bool has_bits(const XmlFile& file) {
    const std::string_view version = file.root().attribute("version").value();
    if (version.empty()) return false;
    const auto major = number_in<int>(version.substr(0, version.find('.')));
    if (!major) file.refuse(file.root(), "version '{}' is not a number", version);
    return *major >= 3;
  }

  // What the system calls a PCI device by its kinds. An adapter has a name by InfiniBand, others
  // for its network interfaces: it is one card.
  struct Device {
    std::string fabric, net, gpu;
    bool computes = false;  // CUDA's, OpenCL's, a coprocessor
  };
  Device device_of(const xml_node& object) const {
    Device device;
    for (const xml_node child : object.children("object")) {
      if (type_of(child) != "OSDev") continue;
      const Kinds kinds = kinds_of(child);
      const std::string name(file_.text(child, "name"));
      if (kinds.fabric && device.fabric.empty()) device.fabric = name;
      if (kinds.net && device.net.empty()) device.net = name;
      const bool computes = kinds.gpu && (name.starts_with("cuda") || name.starts_with("opencl") ||
                                          name.starts_with("rsmi") || name.starts_with("nvml") ||
                                          name.starts_with("ze") || name.starts_with("mic"));
      if (kinds.gpu && (device.gpu.empty() || (computes && !device.computes))) device.gpu = name;
      device.computes = device.computes || computes;
    }
    return device;
  }

  Tops add_device(const xml_node& object) {
    const Device device = device_of(object);
    if (device.computes || is_accelerator(object.attribute("pci_type").value()))
      return add_gpu(object, device);
    const std::string& name = device.fabric.empty() ? device.net : device.fabric;
    if (name.empty()) return {};
    const Node node = builder_.node(name, fmt::format("card{}", ++cards_), NodeKind::switch_node,
                                    file_.line(object));
    return {{node, {.bandwidth_Bps = link_Bps(object), .link_class = "card"}}};
  }

  Tops add_gpu(const xml_node& object, const Device& device) {
    const std::string fallback = fmt::format("gpu{}", gpus_.size());
    gpus_.push_back(device.gpu.empty() ? fallback : device.gpu);
    if (!hosts_are_gpus_) return {};
    const Node node = builder_.node(gpus_.back(), fallback, NodeKind::host, file_.line(object));
    return {{node, {.bandwidth_Bps = link_Bps(object), .link_class = "pci"}}};
  }

  void note() {
    auto& log = builder_.log();
    log.note("hwloc has no speeds of caches and sockets; --link or the default is used for them",
             topology::NoteKind::speed);
    if (hosts_are_gpus_)
      log.note("GPUs are the hosts, and cores are left out; the file has no NVLinks",
               topology::NoteKind::answer);
    else if (!gpus_.empty())
      log.note(fmt::format(
          "{} ({}{}) left out, because cores are the hosts; --part gpus makes GPUs the hosts, "
          "and the topology file of NCCL has their NVLinks, too",
          counted(std::ssize(gpus_), "GPU"), printable(gpus_.front()),
          gpus_.size() > 1 ? ", ..." : ""));
    log.note(
        cards_ > 0
            ? fmt::format("network cards are ports to the outside for boxes(n, ...): {}", cards_)
            : fmt::format("the file has no network cards, so boxes(n, ...) gives each {} one",
                          hosts_are_gpus_ ? "GPU" : "core"));
  }

  XmlFile file_;
  const std::string& name_;
  bool hosts_are_gpus_ = false;
  std::string machine_;  // that --part names
  std::vector<xml_node> machines_;
  topology::ImportOptions options_;
  FabricBuilder builder_;
  std::string leaf_;  // the type of objects that are hosts
  std::map<std::string, int> counts_;
  std::vector<std::string> gpus_;
  int cards_ = 0;
  bool kinds_are_bits_ = false;
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
