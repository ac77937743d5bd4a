// Machines as NCCL and RCCL write them (NCCL_TOPO_DUMP_FILE):
//
//   <system version="1">
//     <cpu numaid="0" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
//       <pci busid="0000:05:00.0" class="0x060400" link_speed="32.0 GT/s PCIe" link_width="16">
//         <pci busid="0000:07:00.0" class="0x030200" ...>
//           <gpu dev="0" sm="90" rank="0"> <nvlink target="0000:02:00.0" count="18"
//                                                  tclass="0x068000"/> </gpu> </pci>
//         <pci busid="0000:08:00.0" class="0x020700" ...>
//           <nic> <net name="mlx5_0" dev="0" speed="400000" port="1"/> </nic> ...
//
// GPUs become hosts, processors and PCI bridges switches, cards the ports to the outside: switches
// that links of class "card" alone lead to, which boxes() plugs into other networks. A bridge with
// one device behind it is part of that device's link. All NVSwitches are one, as for NCCL, since
// GPUs stripe over all of them. Links between the same two GPUs are one cable.
// Written from NCCL's src/graph/topo.cc and xml.cc and from the models that come with RCCL.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>

#include "../imported_fabric.hpp"
#include "../xml_file.hpp"
#include "links.hpp"
#include "weft/base/suggest.hpp"

namespace weft::format {

namespace {

using machines::bundle;
using Node = FabricBuilder::Node;
using pugi::xml_node;

constexpr std::int64_t kMany = 100'000;
constexpr std::size_t kMostCpus = 1000;  // every two of a machine are joined

// What the readers of NCCL and RCCL look for; versions add attributes, and NCCL 2.29 <gin>.
constexpr std::array kRules{XmlRule{"system", "cpu"}, XmlRule{"cpu", "pci nic pcilink"},
                            XmlRule{"pci", "pci gpu nic pcilink"},
                            XmlRule{"gpu", "nvlink xgmi c2c"}, XmlRule{"nic", "net gin"}};

bool is(const xml_node& node, std::string_view name) {
  return node.name() == name;
}

// What the class of a PCI device says it is.
enum class Target { gpu, nvswitch, processor, unknown };
Target target_of(std::string_view device_class) {
  if (device_class.starts_with("0x03") || device_class.starts_with("0x12")) return Target::gpu;
  if (device_class.starts_with("0x068001")) return Target::processor;
  if (device_class.starts_with("0x0680")) return Target::nvswitch;
  return Target::unknown;
}

// "0000:1b:00.0", or what a file has in its place.
bool is_bus_id(std::string_view text) {
  return text.find(':') != std::string_view::npos &&
         text.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos;
}

class Reader {
 public:
  explicit Reader(const FabricSource& source)
      : file_(source.text, source.file, "system", "topologies of NCCL and RCCL"),
        name_(source.file),
        builder_(source.file, source.options, {.note_speeds = false}) {}

  ImportedFabric read() && {
    file_.require_known(kRules);
    for (const xml_node cpu : file_.root().children("cpu")) add_cpu(cpu);
    require(!cpus_.empty(), "{} has no <cpu>; is it what NCCL_TOPO_DUMP_FILE writes?", name_);
    require(!gpus_.empty(), "{} has no <gpu>; a machine without GPUs has no hosts here", name_);
    for (const Gpu& gpu : gpus_) add_links(gpu);
    require_both_ends();
    join_cpus();
    ImportedFabric fabric = built(std::move(builder_));
    note_remarks(fabric);
    return fabric;
  }

 private:
  struct Cpu {
    xml_node element;
    Node node;
    std::string system;  // of several machines that NVLink joins: which
  };
  struct Gpu {
    xml_node element;
    Node node;
    std::size_t cpu;
  };
  // To a device from the switch above it.
  struct Way {
    FabricBuilder::Facts facts{.link_class = "pci"};
    bool first = true;
  };

  void add_cpu(const xml_node& cpu) {
    const auto numa = file_.integer(cpu, "numaid", -1, kMany).value_or(0);
    const std::string system = cpu.attribute("host_hash").value();
    const std::string name = fmt::format("cpu{}", numa);
    systems_.emplace(system, static_cast<int>(systems_.size()));
    if (!seen_.insert(system + '/' + name).second)
      file_.refuse(cpu, "numaid {} stands there twice; are these two machines?", numa);
    require(cpus_.size() < kMostCpus, "{} has more than {} <cpu>", name_, kMostCpus);
    const Node node =
        builder_.node(name, in_system(system, name), NodeKind::switch_node, file_.line(cpu));
    cpus_.push_back({cpu, node, system});
    add_children(cpu, node);
  }

  std::string in_system(const std::string& system, const std::string& name) const {
    return fmt::format("machine{}-{}", systems_.at(system), name);
  }

  void add_children(const xml_node& parent, Node node) {
    for (const xml_node child : parent.children()) {
      if (is(child, "pci")) add_pci(child, node, {});
      if (is(child, "nic")) add_nic(child, node, {});
      if (is(child, "pcilink")) ++left_out_pci_links_;
    }
  }

  // The way along one more link: as fast as its slowest.
  Way along(Way way, const xml_node& pci) {
    std::int64_t lanes = file_.integer(pci, "link_width", 0, 64).value_or(0);
    const std::string_view speed = pci.attribute("link_speed").value();
    if (!machines::is_pci_speed(speed))
      file_.refuse(pci,
                   "link_speed \"{}\" is no speed of PCI Express; write \"16.0 GT/s PCIe\", one "
                   "of 2.5, 5, 8, 16, 32 and 64, or leave it out",
                   speed);
    const auto bandwidth = machines::pci_Bps(speed, lanes);
    if (!way.first && way.facts.bandwidth_Bps && bandwidth)
      way.facts.bandwidth_Bps = std::min(*way.facts.bandwidth_Bps, *bandwidth);
    else if (bandwidth)
      way.facts.bandwidth_Bps = bandwidth;
    way.first = false;
    return way;
  }

  void add_pci(const xml_node& pci, Node parent, Way way) {
    const std::string_view bus = file_.text(pci, "busid");
    const std::string key = key_of(cpus_.back(), bus);
    way = along(std::move(way), pci);
    places_.emplace(key, pci);
    if (pci.child("gpu")) {
      if (!seen_.insert(key).second)
        file_.refuse(pci, "busid {} stands there twice; a GPU has one place", bus);
      for (const xml_node gpu : pci.children("gpu")) add_gpu(gpu, key, parent, way);
      return;
    }
    if (const xml_node nic = pci.child("nic")) return add_nic(nic, parent, way);
    const auto below = std::ranges::count_if(
        pci.children(), [](const xml_node& child) { return is(child, "pci") || is(child, "nic"); });
    if (below == 0) return;  // nothing that takes part
    if (below == 1) {
      for (const xml_node child : pci.children("pci")) add_pci(child, parent, way);
      return;
    }
    const std::string name = fmt::format("pci-{}", bus);
    const Node bridge =
        builder_.node(name, fmt::format("pci-bridge{}", ++bridges_), NodeKind::switch_node);
    add_cable(bridge, parent, way.facts);
    add_children(pci, bridge);
  }

  void add_gpu(const xml_node& gpu, const std::string& key, Node parent, const Way& way) {
    const auto device = file_.integer(gpu, "dev", 0, kMany);
    if (!device) file_.refuse(gpu, "<gpu> has no dev, its number");
    const std::string name = fmt::format("GPU{}", *device);
    const std::string& system = cpus_.back().system;
    if (!seen_.insert(system + '/' + name).second)
      file_.refuse(gpu, "GPU {} stands there twice", *device);
    const Node node = builder_.node(name, in_system(system, name), NodeKind::host);
    add_cable(node, parent, way.facts);
    gpu_by_bus_.emplace(key, gpus_.size());
    gpus_.push_back({gpu, node, cpus_.size() - 1});
  }

  // A card is the end of a link from where it sits; one of several ports has a switch before them.
  void add_nic(const xml_node& nic, Node parent, Way way) {
    std::vector<xml_node> nets;
    for (const xml_node net : nic.children("net"))
      if (file_.integer(net, "net", 0, 1).value_or(1) == 1) nets.push_back(net);
    if (nets.empty()) return;
    if (nets.size() > 1) {
      const std::string name = fmt::format("nic{}", ++nics_);
      const Node joint =
          builder_.node(name, in_system(cpus_.back().system, name), NodeKind::switch_node);
      add_cable(joint, parent, way.facts);
      parent = joint;
      way = {};
    }
    for (const xml_node net : nets) add_card(net, parent, way.facts);
  }

  void add_card(const xml_node& net, Node parent, FabricBuilder::Facts facts) {
    const std::string_view name = file_.text(net, "name");
    const auto port = file_.integer(net, "port", 0, kMany).value_or(0);
    const auto device = file_.integer(net, "dev", 0, kMany).value_or(0);
    const std::string& system = cpus_.back().system;
    if (!seen_.insert(fmt::format("{}/{} {}", system, name, port)).second)
      file_.refuse(net, "port {} of {} stands there twice; a card has one place", port, name);
    std::int64_t speed = file_.integer(net, "speed", -1, INT32_MAX).value_or(0);  // Mb/s
    if (speed <= 0) speed = 10'000;  // unknown; as NCCL takes it
    const std::int64_t own = speed * 125'000;
    facts.bandwidth_Bps = std::min(facts.bandwidth_Bps.value_or(own), own);
    facts.link_class = "card";
    const Node card = builder_.node(
        std::string(name), in_system(system, fmt::format("{}-port{}-dev{}", name, port, device)),
        NodeKind::switch_node);
    add_cable(card, parent, facts);
    ++cards_;
  }

  void add_cable(Node a, Node b, const FabricBuilder::Facts& facts) {
    if (!facts.bandwidth_Bps) ++without_speed_;
    builder_.cable(a, {}, b, {}, facts);
  }

  static std::string key_of(const Cpu& cpu, std::string_view bus) {
    return cpu.system + '/' + weft::lower(bus);
  }

  void add_links(const Gpu& gpu) {
    for (const xml_node link : gpu.element.children()) {
      if (is(link, "nvlink") || is(link, "xgmi")) add_link(gpu, link);
      if (is(link, "c2c")) {
        const auto count = file_.integer(link, "count", 1, 1000).value_or(1);
        const auto each = file_.integer(link, "bw", 1, INT32_MAX);  // MB/s
        if (!each) file_.refuse(link, "<c2c> has no bw");
        add_cable(gpu.node, cpus_[gpu.cpu].node,
                  {.bandwidth_Bps = *each * count * 1'000'000, .link_class = "c2c"});
      }
    }
  }

  std::optional<std::int64_t> rate_of(const Gpu& gpu, const xml_node& link) const {
    if (is(link, "xgmi")) return machines::xgmi_Bps(gpu.element.attribute("gcn").value());
    return machines::nvlink_Bps(file_.integer(gpu.element, "sm", 0, kMany).value_or(0));
  }

  void add_link(const Gpu& gpu, const xml_node& link) {
    const auto count = file_.integer(link, "count", 1, 1000);
    if (!count) file_.refuse(link, "<{}> has no count of links", link.name());
    const auto rate = rate_of(gpu, link);
    const FabricBuilder::Facts facts{
        .bandwidth_Bps = rate ? std::optional(*rate * *count) : std::nullopt,
        .link_class = bundle(link.name(), *count)};
    switch (target_of(file_.text(link, "tclass"))) {
      case Target::gpu:
        return add_peer(gpu, link, *count, facts);
      case Target::nvswitch:
        to_nvswitch_[gpu.node].push_back({*count, rate});
        return;
      case Target::processor:
        return add_cable(gpu.node, cpus_[gpu.cpu].node, facts);
      case Target::unknown:
        break;
    }
    file_.refuse(link,
                 "tclass {} is no GPU (0x03...), NVSwitch (0x0680...) or processor (0x068001)",
                 link.attribute("tclass").value());
  }

  // GPUs tell their links from both ends.
  void add_peer(const Gpu& gpu, const xml_node& link, std::int64_t count,
                const FabricBuilder::Facts& facts) {
    const std::string_view bus = file_.text(link, "target");
    const std::string key = key_of(cpus_[gpu.cpu], bus);
    const auto found = gpu_by_bus_.find(key);
    if (found == gpu_by_bus_.end()) {
      const auto other = places_.find(key);
      if (other != places_.end())
        file_.refuse(link, "target {} is no GPU, by its place at {}", bus,
                     file_.place(other->second));
      if (!is_bus_id(bus))
        file_.refuse(link, "target \"{}\" is no busid of a GPU, such as 0000:1b:00.0", bus);
      ++links_to_others_;
      return;
    }
    const Node peer = gpus_[found->second].node;
    if (peer == gpu.node) file_.refuse(link, "a link leads from GPU {} to itself", bus);
    const auto ends = std::minmax(gpu.node, peer);
    Peers& peers = peers_[ends];
    std::int64_t& own = gpu.node < peer ? peers.from_lower : peers.from_upper;
    if (own != 0) file_.refuse(link, "the links to {} stand there twice", bus);
    own = count;
    peers.element = link;
    peers.facts = facts;
  }

  void require_both_ends() {
    for (const auto& [ends, peers] : peers_) {
      if (peers.from_lower != peers.from_upper)
        file_.refuse(peers.element,
                     "one end tells {} links and the other {}; the file is cut off or edited",
                     std::max(peers.from_lower, peers.from_upper),
                     std::min(peers.from_lower, peers.from_upper));
      add_cable(ends.first, ends.second, peers.facts);
    }
    if (to_nvswitch_.empty()) return;
    const Node nvswitch = builder_.node("NVSwitch", "the-NVSwitch", NodeKind::switch_node);
    for (const auto& [gpu, bundles] : to_nvswitch_) {
      std::int64_t links = 0;
      for (const Bundle& each : bundles) links += each.links;
      const auto rate = bundles.front().rate_Bps;
      add_cable(gpu, nvswitch,
                {.bandwidth_Bps = rate ? std::optional(*rate * links) : std::nullopt,
                 .link_class = bundle("nvlink", links)});
    }
  }

  // Each pair of processors of a machine, as NCCL does.
  void join_cpus() {
    for (std::size_t i = 0; i < cpus_.size(); ++i)
      for (std::size_t j = i + 1; j < cpus_.size(); ++j) {
        if (cpus_[i].system != cpus_[j].system) continue;
        const xml_node& cpu = cpus_[i].element;
        add_cable(cpus_[i].node, cpus_[j].node,
                  {.bandwidth_Bps = machines::socket_Bps(
                       cpu.attribute("arch").value(), cpu.attribute("vendor").value(),
                       file_.integer(cpu, "familyid", -1, kMany).value_or(0),
                       file_.integer(cpu, "modelid", -1, kMany).value_or(0)),
                   .link_class = "sys"});
      }
  }

  void note_remarks(ImportedFabric& fabric) const {
    fabric.remarks.push_back(
        cards_ == 0
            ? "the machine has no network cards, so that boxes(n, ...) gives each GPU one"
            : fmt::format("network cards, ports to the outside for boxes(n, ...): {}", cards_));
    if (cpus_.size() > 1)
      fabric.remarks.emplace_back("links between processors are as fast as NCCL counts them");
    if (without_speed_ > 0)
      fabric.remarks.push_back(fmt::format(
          "{} links say no speed; --link or the default serves for them", without_speed_));
    if (links_to_others_ > 0)
      fabric.remarks.push_back(fmt::format(
          "{} links lead to GPUs that the file lacks and are left out", links_to_others_));
    if (left_out_pci_links_ > 0)
      fabric.remarks.push_back(
          fmt::format("{} links between PCI switches are left out", left_out_pci_links_));
  }

  struct Peers {
    std::int64_t from_lower = 0, from_upper = 0;
    xml_node element;
    FabricBuilder::Facts facts;
  };
  struct Bundle {
    std::int64_t links;
    std::optional<std::int64_t> rate_Bps;  // of a link
  };

  XmlFile file_;
  const std::string& name_;
  FabricBuilder builder_;
  std::vector<Cpu> cpus_;
  std::vector<Gpu> gpus_;
  std::map<std::string, int> systems_;
  std::set<std::string> seen_;
  std::unordered_map<std::string, std::size_t> gpu_by_bus_;
  std::unordered_map<std::string, xml_node> places_;  // by bus
  std::map<std::pair<Node, Node>, Peers> peers_;
  std::map<Node, std::vector<Bundle>> to_nvswitch_;
  std::int64_t cards_ = 0, nics_ = 0, bridges_ = 0, without_speed_ = 0, links_to_others_ = 0,
               left_out_pci_links_ = 0;
};

ImportedFabric read(const FabricSource& source) {
  return Reader(source).read();
}

bool recognises(std::string_view text) {
  return begins_with_element(text, "system");
}

}  // namespace

Format nccl_topology() {
  return {.name = "nccl-topology",
          .summary =
              "machines as NCCL and RCCL write them (NCCL_TOPO_DUMP_FILE): GPUs, links, PCI, cards",
          .loses = "ranks, latencies, and what NCCL measured itself",
          .read_fabric = read,
          .recognises = recognises,
          .is_machine = true};
}

}  // namespace weft::format
