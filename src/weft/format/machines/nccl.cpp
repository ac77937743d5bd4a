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
// GPUs stripe over all of them. Links between the same two GPUs are one cable. Files that clouds
// ship for NCCL_TOPO_FILE have PCI devices alone, of which NCCL finds GPUs and cards by itself;
// here the class of a device says what it is. Written from NCCL's src/graph/topo.cc and xml.cc and
// from the models that come with RCCL.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "../imported_fabric.hpp"
#include "../xml_file.hpp"
#include "links.hpp"
#include "nccl_links.hpp"
#include "weft/base/suggest.hpp"

namespace weft::format {

namespace {

using machines::PciDevice;
using Node = FabricBuilder::Node;
using pugi::xml_node;

constexpr std::int64_t kMany = 100'000;
constexpr std::size_t kMostCpus = 1000;  // every two of a machine are joined

// What the readers of NCCL and RCCL look for; versions add to it.
constexpr std::array kRules{
    XmlRule{"system", "cpu", "version"},
    XmlRule{"cpu", "pci nic pcilink", "numaid affinity arch vendor familyid modelid host_hash"},
    XmlRule{"pci", "pci gpu nic pcilink",
            "busid class vendor device subsystem_vendor subsystem_device link_speed link_width"},
    XmlRule{"gpu", "nvlink xgmi c2c", "dev sm gcn arch rank gdr mlopart"},
    XmlRule{"nic", "net gin rma", ""},
    XmlRule{"net", "",
            "name dev speed port latency guid maxconn gdr coll net gin rma keep rail plane"},
    XmlRule{"nvlink", "", "target count tclass"},
    XmlRule{"xgmi", "", "target count tclass"},
    XmlRule{"c2c", "", "bw count"},
    XmlRule{"pcilink", "", "target"}};

bool is(const xml_node& node, std::string_view name) {
  return node.name() == name;
}

class Reader {
 public:
  explicit Reader(const FabricSource& source)
      : file_(source.text, source.file, "system", "topologies of NCCL and RCCL"),
        name_(source.file),
        builder_(source.file, source.options),
        links_(file_, builder_) {}

  ImportedFabric read() && {
    file_.skip_unknown(kRules, builder_.log());
    const auto has = [&](std::string_view name) {
      return static_cast<bool>(
          file_.root().find_node([&](const xml_node& node) { return is(node, name); }));
    };
    has_gpus_ = has("gpu");
    has_nets_ = has("net");
    for (const xml_node cpu : file_.root().children("cpu")) add_cpu(cpu);
    require(!cpus_.empty(), "{} has no <cpu>; check that it is the file of NCCL_TOPO_DUMP_FILE",
            name_);
    require(gpus_ > 0,
            "{} has no <gpu> and no PCI device of class 0x0302, but GPUs are the hosts here",
            name_);
    links_.connect();
    join_cpus();
    note();
    return built(std::move(builder_));
  }

 private:
  struct Cpu {
    xml_node element;
    Node node;
    std::string system;  // of several machines that NVLink joins: which
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
      file_.refuse(cpu, "numaid {} is repeated; check that this is one machine", numa);
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
      if (is(child, "pcilink"))
        builder_.log().mend("left out, because links between PCI switches are not supported",
                            fmt::format("pcilink to {}", child.attribute("target").value()),
                            file_.line(child));
    }
  }

  // The way along one more link: as fast as its slowest.
  Way along(Way way, const xml_node& pci) {
    std::int64_t lanes = file_.integer(pci, "link_width", 0, 64).value_or(0);
    const std::string_view speed = pci.attribute("link_speed").value();
    if (!machines::is_pci_speed(speed))
      file_.refuse(
          pci,
          "link_speed '{}' is not a speed of PCI Express; write \"16.0 GT/s PCIe\", with one "
          "of 2.5, 5, 8, 16, 32 and 64, or remove it",
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
    way = along(std::move(way), pci);
    links_.add_place(cpus_.back().system, bus, pci);
    if (pci.child("gpu")) {
      if (!seen_.insert(fmt::format("{} {}", cpus_.back().system, weft::lower(bus))).second)
        file_.refuse(pci, "busid {} is repeated; a GPU has one place", bus);
      for (const xml_node gpu : pci.children("gpu")) add_gpu(gpu, bus, parent, way);
      return;
    }
    if (const xml_node nic = pci.child("nic")) return add_nic(nic, parent, way);
    const auto below = std::ranges::count_if(
        pci.children(), [](const xml_node& child) { return is(child, "pci") || is(child, "nic"); });
    if (below == 0) return add_bare(pci, bus, parent, std::move(way));
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

  // A device that says nothing of itself but its class.
  void add_bare(const xml_node& pci, std::string_view bus, Node parent, Way way) {
    const std::string_view device_class = pci.attribute("class").value();
    const PciDevice device = machines::pci_device(device_class);
    const std::string& system = cpus_.back().system;
    if (device == PciDevice::gpu && !has_gpus_) {
      if (!seen_.insert(fmt::format("{} {}", system, weft::lower(bus))).second)
        file_.refuse(pci, "busid {} is repeated; a GPU has one place", bus);
      const std::string name = fmt::format("GPU{}", gpus_++);
      add_cable(builder_.node(name, in_system(system, name), NodeKind::host, file_.line(pci)),
                parent, way.facts);
    } else if (device == PciDevice::card && !has_nets_) {
      way.facts.link_class = "card";
      const std::string name = fmt::format("NIC{}", cards_++);
      add_cable(
          builder_.node(name, in_system(system, name), NodeKind::switch_node, file_.line(pci)),
          parent, way.facts);
    } else {
      ++idle_devices_;
    }
  }

  void add_gpu(const xml_node& gpu, std::string_view bus, Node parent, const Way& way) {
    const auto device = file_.integer(gpu, "dev", 0, kMany);
    if (!device) file_.refuse(gpu, "<gpu> has no dev, its number");
    const std::string name = fmt::format("GPU{}", *device);
    const std::string& system = cpus_.back().system;
    if (!seen_.insert(system + '/' + name).second) file_.refuse(gpu, "GPU {} is repeated", *device);
    const Node node = builder_.node(name, in_system(system, name), NodeKind::host, file_.line(gpu));
    add_cable(node, parent, way.facts);
    links_.add_gpu(bus, {gpu, node, cpus_.back().node, system});
    ++gpus_;
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
      file_.refuse(net, "port {} of {} is repeated; a card has one place", port, name);
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
    builder_.cable(a, {}, b, {}, facts);
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

  void note() {
    auto& log = builder_.log();
    if (!has_gpus_)
      log.note(
          "the file has no NVLinks, so its GPUs are connected by PCI only; NCCL_TOPO_DUMP_FILE "
          "on the machine writes a file with them",
          topology::NoteKind::answer);
    if (!has_nets_ && cards_ > 0)
      log.note(
          "the file has no speeds of its cards, so they are as fast as their PCI links; --link "
          "card=50GBps,1us sets them",
          topology::NoteKind::speed);
    log.note(
        cards_ == 0
            ? "the machine has no network cards, so boxes(n, ...) gives each GPU one"
            : fmt::format("network cards are ports to the outside for boxes(n, ...): {}", cards_));
    if (cpus_.size() > 1) log.note("links between processors have the speeds that NCCL assumes");
    if (idle_devices_ > 0)
      log.note(fmt::format("PCI devices that are neither a GPU nor a card of the job: {}",
                           idle_devices_));
  }

  XmlFile file_;
  const std::string& name_;
  FabricBuilder builder_;
  machines::NcclLinks links_;
  std::vector<Cpu> cpus_;
  std::map<std::string, int> systems_;
  std::set<std::string> seen_;
  bool has_gpus_ = false, has_nets_ = false;  // as elements, not as PCI devices alone
  std::int64_t gpus_ = 0, cards_ = 0, nics_ = 0, bridges_ = 0, idle_devices_ = 0;
};

ImportedFabric read(const FabricSource& source) {
  require(!begins_with_element(source.text, "graphs"),
          "{}: <graphs> are the paths that NCCL found (NCCL_GRAPH_FILE); give the file of "
          "NCCL_TOPO_FILE or NCCL_TOPO_DUMP_FILE",
          source.file);
  return Reader(source).read();
}

bool recognises(std::string_view text) {
  return begins_with_element(text, "system") || begins_with_element(text, "graphs");
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
