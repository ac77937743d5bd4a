#include "fabric.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "../imported_fabric.hpp"
#include "../text_lines.hpp"
#include "other_lists.hpp"
#include "slow_links.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/names.hpp"

namespace weft::format::infiniband {

namespace {

constexpr std::int32_t kMostLid = 0xBFFF;  // of a port; above are groups
constexpr std::int32_t kNoLid = 0xFFFF;    // of a port that no manager has given one

// "node01 mlx5_0" and "node01 HCA-2" are adapters of node01; "MT4123 ConnectX6 Mellanox ..." is not
// named at all.
std::string host_name(const std::string& description) {
  const std::size_t blank = description.find(' ');
  if (blank == std::string::npos) return description;
  const std::string_view adapter = trim(std::string_view(description).substr(blank));
  const bool is_adapter =
      adapter.find(' ') == std::string_view::npos && !adapter.empty() &&
      std::isdigit(static_cast<unsigned char>(adapter.back())) != 0 &&
      (adapter.starts_with("HCA-") || adapter.starts_with("mlx") || adapter.starts_with("hfi") ||
       adapter.starts_with("ib") || adapter.starts_with("qib") || adapter.starts_with("mthca"));
  return is_adapter ? description.substr(0, blank) : description;
}

// A switch's own adapter for collectives, which hosts no rank.
bool aggregates(const Device& device) {
  return device.kind == DeviceKind::adapter &&
         device.description.find("Aggregation Node") != std::string::npos;
}

std::string port_text(const Device& device, std::int32_t port) {
  return fmt::format("\"{}\"[{}]", device.id, port);
}

class Assembly {
 public:
  Assembly(const std::vector<Device>& devices, Ends ends, FabricBuilder&& builder)
      : devices_(devices), ends_(ends), builder_(std::move(builder)), file_(builder_.file()) {}

  ImportedFabric build() && {
    add_nodes();
    add_cables();
    slow_links_.tell(builder_.log());
    note_names();
    note_left_out();
    std::vector<std::optional<NodeId>> numbers;
    ImportedFabric fabric = built(std::move(builder_), &numbers);
    note_identities(fabric, numbers);
    keep_host_rate(fabric.network);
    return fabric;
  }

 private:
  void add_nodes() {
    const std::unordered_set<std::string> doubtful = doubtful_hosts();
    std::unordered_map<std::string, FabricBuilder::Node> hosts;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      const Device& device = devices_[i];
      by_id_.emplace(device.id, i);
      ++times_[device.description];
      nodes_.push_back(kNoNode);
      if (aggregates(device)) continue;
      const bool is_host = device.kind == DeviceKind::adapter;
      const std::string name = is_host ? host_name(device.description) : device.description;
      const bool shared = name != device.description && !doubtful.contains(name);
      if (shared) adapters_[name].push_back(adapter_name(device));
      if (const auto known = hosts.find(name); shared && known != hosts.end()) {
        nodes_.back() = known->second;
        continue;
      }
      nodes_.back() = builder_.node(shared ? name : device.description, device.id,
                                    is_host ? NodeKind::host : NodeKind::switch_node, device.line);
      if (shared) hosts.emplace(name, nodes_.back());
    }
  }

  // One adapter of a host is called so but once: where several are, they are of hosts that share a
  // name, "localhost HCA-1", and nothing tells which adapter is whose.
  std::unordered_set<std::string> doubtful_hosts() const {
    std::unordered_set<std::string> seen, doubtful;
    for (const Device& device : devices_)
      if (device.kind == DeviceKind::adapter && !seen.insert(device.description).second)
        doubtful.insert(host_name(device.description));
    return doubtful;
  }

  // "mlx5_0" of "node01 mlx5_0".
  static std::string adapter_name(const Device& device) {
    return std::string(
        trim(std::string_view(device.description).substr(host_name(device.description).size())));
  }

  // Which other port a line leads to, both as device * 256 + port.
  static std::int64_t key(std::size_t device, std::int32_t port) {
    return static_cast<std::int64_t>(device) * 256 + port;
  }

  void add_cables() {
    std::unordered_map<std::int64_t, const PortLine*> lines;
    for (std::size_t i = 0; i < devices_.size(); ++i)
      for (const PortLine& line : devices_[i].lines) lines.emplace(key(i, line.port), &line);
    std::unordered_map<std::int64_t, std::int64_t> used;  // ports that one line told: its line
    for (std::size_t i = 0; i < devices_.size(); ++i)
      for (const PortLine& line : devices_[i].lines) {
        const std::size_t peer = by_id_.at(line.peer);
        const auto back = lines.find(key(peer, line.peer_port));
        if (back != lines.end()) {
          require_agreement(i, line, peer, *back->second);
          if (key(i, line.port) <= key(peer, line.peer_port))
            add_cable(i, line, peer, back->second);
          continue;
        }
        require(ends_ == Ends::one,
                "{}:{}: the cable from {} to {} is missing at its other end; the file may be "
                "truncated or edited",
                file_, line.line, port_text(devices_[i], line.port),
                port_text(devices_[peer], line.peer_port));
        const auto [other, is_new] = used.emplace(key(peer, line.peer_port), line.line);
        require(is_new, "{}:{}: port {} has two cables, the other at line {}", file_, line.line,
                port_text(devices_[peer], line.peer_port), other->second);
        add_cable(i, line, peer, nullptr);
      }
  }

  void require_agreement(std::size_t i, const PortLine& line, std::size_t peer,
                         const PortLine& back) const {
    require(by_id_.at(back.peer) == i && back.peer_port == line.port,
            "{}:{}: {} leads to {}, but line {} leads from there to '{}'[{}]; the two ends of "
            "a cable must agree",
            file_, line.line, port_text(devices_[i], line.port),
            port_text(devices_[peer], line.peer_port), back.line, back.peer, back.peer_port);
  }

  void add_cable(std::size_t a, const PortLine& line, std::size_t b, const PortLine* back) {
    if (nodes_[a] == kNoNode || nodes_[b] == kNoNode) return;
    const PortLine& slower = slower_of(line, back);
    builder_.cable(nodes_[a], port_name(a, line.port), nodes_[b], port_name(b, line.peer_port),
                   {.bandwidth_Bps = slower.bandwidth_Bps, .line = line.line});
    if (a == b || !slower.bandwidth_Bps) return;
    const std::string end_a = end_text(a, line.port), end_b = end_text(b, line.peer_port);
    if (back != nullptr && back->bandwidth_Bps && line.bandwidth_Bps && back->rate != line.rate)
      return slow_links_.add_mismatch(
          fmt::format("{} ({}) - {} ({})", end_a, line.rate, end_b, back->rate));
    const bool host_a = is_host(a), host_b = is_host(b);
    if (!host_a && !host_b)
      slow_links_.add("cables between switches", fmt::format("{} - {}", end_a, end_b), slower.rate,
                      *slower.bandwidth_Bps);
    else
      slow_links_.add(adapters_like(host_a ? a : b), host_a ? end_a : end_b, slower.rate,
                      *slower.bandwidth_Bps);
  }

  // Each end says at which rate it runs.
  static const PortLine& slower_of(const PortLine& line, const PortLine* back) {
    if (back == nullptr || !back->bandwidth_Bps) return line;
    if (!line.bandwidth_Bps) return *back;
    return *back->bandwidth_Bps < *line.bandwidth_Bps ? *back : line;
  }

  bool is_host(std::size_t device) const { return devices_[device].kind == DeviceKind::adapter; }

  std::string adapters_like(std::size_t device) const {
    const std::string& model = devices_[device].model;
    return model.empty() ? std::string("adapters")
                         : fmt::format("adapters of device id {}", printable(model));
  }

  // By the description where no other device has it.
  std::string end_text(std::size_t device, std::int32_t port) const {
    const Device& of = devices_[device];
    const bool unique = times_.at(of.description) == 1;
    return fmt::format("{}[{}]", printable(unique ? of.description : of.id), port);
  }

  // Of a host with several adapters also which.
  std::string port_name(std::size_t device, std::int32_t port) const {
    const Device& of = devices_[device];
    const std::string adapter = of.kind == DeviceKind::adapter ? adapter_name(of) : std::string();
    return adapter.empty() ? std::to_string(port) : fmt::format("{}:{}", adapter, port);
  }

  // The rate of most cables of hosts, the higher of two that as many have.
  static void keep_host_rate(BuiltTopology& network) {
    const Topology& topology = network.topology;
    const auto& bandwidth_Bps = network.speeds.bandwidth_Bps;
    std::map<std::int64_t, int> cables;
    for (const NodeId host : topology.hosts())
      for (const LinkId link : topology.out_links(host))
        if (!bandwidth_Bps.empty() && bandwidth_Bps[link]) ++cables[*bandwidth_Bps[link]];
    if (cables.empty()) return;
    topology::Facets facets = topology.facets();
    facets.infiniband_Bps =
        std::ranges::max_element(cables.rbegin(), cables.rend(), {}, [](const auto& rate) {
          return rate.second;
        })->first;
    network.topology = topology::with_facets(topology, std::move(facets), topology.expression());
  }

  void note_identities(ImportedFabric& fabric,
                       const std::vector<std::optional<NodeId>>& numbers) const {
    const auto note = [&](std::int32_t lid, ImportedFabric::Port port, std::int64_t line) {
      if (lid == kNoLid) return;
      require(lid <= kMostLid, "{}:{}: lid {} is not valid for a port (1 to {})", file_, line, lid,
              kMostLid);
      const auto [known, is_new] = fabric.local_ids.emplace(lid, port);
      require(is_new, "{}:{}: lid {} is also that of another port; check that this is one fabric",
              file_, line, lid);
    };
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      if (nodes_[i] == kNoNode || !numbers[nodes_[i]]) continue;
      const Device& device = devices_[i];
      const NodeId node = *numbers[nodes_[i]];
      if (device.kind == DeviceKind::switch_device) {
        if (device.guid != 0) fabric.switches.emplace(device.guid, node);
        if (device.lid && *device.lid > 0) note(*device.lid, {node, device.guid}, device.line);
      }
      for (const PortLine& line : device.lines)
        if (line.lid && *line.lid > 0)
          for (std::int32_t i_way = 0; i_way < 1 << line.lmc; ++i_way)
            note(*line.lid + i_way, {node, line.guid}, line.line);
    }
  }

  void note_names() {
    std::vector<std::string> several;
    for (const auto& [host, adapters] : adapters_)
      if (adapters.size() > 1)
        several.push_back(fmt::format("{} ({})", host, fmt::join(adapters, ", ")));
    if (!several.empty())
      builder_.log().note(fmt::format("adapters with the same node name belong to one host: {}",
                                      first_of(several)));
  }

  void note_left_out() {
    const auto left_out = std::ranges::count_if(devices_, aggregates);
    if (left_out > 0)
      builder_.log().note(fmt::format("{} of switches {} left out, because they have no ranks",
                                      counted(left_out, "aggregation node"),
                                      left_out == 1 ? "is" : "are"));
  }

  static constexpr FabricBuilder::Node kNoNode = static_cast<FabricBuilder::Node>(-1);

  const std::vector<Device>& devices_;
  Ends ends_;
  FabricBuilder builder_;
  std::string file_;
  SlowLinks slow_links_;
  std::vector<FabricBuilder::Node> nodes_;  // by device
  std::unordered_map<std::string_view, std::size_t> by_id_;
  std::unordered_map<std::string_view, int> times_;           // by description
  std::map<std::string, std::vector<std::string>> adapters_;  // by host, where adapters have names
};

}  // namespace

ImportedFabric fabric_of(const FabricSource& source, Ends ends) {
  FabricBuilder builder(source.file, source.options);
  const ListKind kind = list_kind(source.text);
  if (kind == ListKind::devices || kind == ListKind::links)
    reject("{}: the file has {}; give the output of ibnetdiscover without options", source.file,
           kind == ListKind::devices
               ? "a list of devices (ibnetdiscover -l, -H, -S or -R), which has no cables"
               : "the output of iblinkinfo, which is not supported");
  const std::vector<Device> devices = kind == ListKind::ports
                                          ? read_port_list(source.text, builder.log())
                                          : read_devices(source.text, builder.log());
  return Assembly(devices, ends, std::move(builder)).build();
}

Look look_at(std::string_view text) {
  Look look;
  for (const std::string_view whole : lines_of(text)) {
    const std::string_view line = trim(whole);
    look.guids = look.guids || line.starts_with("switchguid=") || line.starts_with("caguid=");
    const bool device = line.starts_with("Switch") || line.starts_with("Ca\t") ||
                        line.starts_with("Ca ") || line.starts_with("Hca");
    if (device && line.find('"') != std::string_view::npos) {
      look.devices = line.find("SwitchName") == std::string_view::npos;
      return look;
    }
  }
  return look;
}

}  // namespace weft::format::infiniband
