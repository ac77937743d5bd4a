#include "fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <unordered_map>
#include <unordered_set>

#include "../fabric_builder.hpp"
#include "../text_lines.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"

namespace weft::format::infiniband {

namespace {

constexpr std::int32_t kMostLid = 0xBFFF;  // of a port; above are groups

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
  Assembly(const std::vector<Device>& devices, Ends ends, const std::string& file)
      : devices_(devices), ends_(ends), file_(file) {}

  ImportedFabric build() && {
    add_nodes();
    add_cables();
    std::vector<NodeId> numbers;
    ImportedFabric fabric{std::move(builder_).build(file_, numbers)};
    note_identities(fabric, numbers);
    note_remarks(fabric);
    return fabric;
  }

 private:
  void add_nodes() {
    std::unordered_map<std::string, FabricBuilder::Node> hosts;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      const Device& device = devices_[i];
      by_id_.emplace(device.id, i);
      const bool is_host = device.kind == DeviceKind::adapter;
      nodes_.push_back(kNoNode);
      if (aggregates(device)) continue;
      if (!is_host) {
        nodes_.back() = builder_.node(device.description, device.id, NodeKind::switch_node);
        continue;
      }
      const std::string name = host_name(device.description);
      const bool shared = name != device.description;
      if (const auto known = hosts.find(name); shared && known != hosts.end()) {
        nodes_.back() = known->second;
        ++merged_;
        continue;
      }
      nodes_.back() = builder_.node(name, device.id, NodeKind::host);
      if (shared) hosts.emplace(name, nodes_.back());
    }
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
          if (key(i, line.port) < key(peer, line.peer_port)) add_cable(i, line, peer, back->second);
          continue;
        }
        require(ends_ == Ends::one,
                "{}:{}: the cable from {} to {} does not stand at its other end; is the file cut "
                "off or edited?",
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
            "{}:{}: {} is said to lead to {}, from where line {} leads to \"{}\"[{}]; the two ends "
            "of a cable must agree",
            file_, line.line, port_text(devices_[i], line.port),
            port_text(devices_[peer], line.peer_port), back.line, back.peer, back.peer_port);
  }

  void add_cable(std::size_t a, const PortLine& line, std::size_t b, const PortLine* back) {
    if (nodes_[a] == kNoNode || nodes_[b] == kNoNode) return;
    auto bandwidth = line.bandwidth_Bps;
    if (back != nullptr && back->bandwidth_Bps)
      bandwidth = std::min(bandwidth.value_or(*back->bandwidth_Bps), *back->bandwidth_Bps);
    if (!bandwidth) ++without_speed_;
    builder_.cable(nodes_[a], port_name(a, line.port), nodes_[b], port_name(b, line.peer_port),
                   {.bandwidth_Bps = bandwidth});
  }

  // Of a host with several adapters also which.
  std::string port_name(std::size_t device, std::int32_t port) const {
    const Device& of = devices_[device];
    const std::string host = host_name(of.description);
    if (of.kind != DeviceKind::adapter || host == of.description) return std::to_string(port);
    return fmt::format("{}:{}", trim(std::string_view(of.description).substr(host.size())), port);
  }

  void note_identities(ImportedFabric& fabric, const std::vector<NodeId>& numbers) const {
    const auto note = [&](std::int32_t lid, ImportedFabric::Port port, std::int64_t line) {
      require(lid <= kMostLid, "{}:{}: lid {} is none of a port; they go from 1 to {}", file_, line,
              lid, kMostLid);
      const auto [known, is_new] = fabric.local_ids.emplace(lid, port);
      require(is_new, "{}:{}: lid {} is also that of another port; is this two fabrics?", file_,
              line, lid);
    };
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      if (nodes_[i] == kNoNode) continue;
      const Device& device = devices_[i];
      const NodeId node = numbers[nodes_[i]];
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

  void note_remarks(ImportedFabric& fabric) const {
    const auto left_out = std::ranges::count_if(devices_, aggregates);
    if (left_out > 0)
      fabric.remarks.push_back(fmt::format(
          "{} aggregation nodes of switches are left out, since they hold no ranks", left_out));
    if (merged_ > 0)
      fabric.remarks.push_back(
          fmt::format("{} adapters share a host with another, by its name", merged_));
    if (without_speed_ > 0)
      fabric.remarks.push_back(fmt::format(
          "{} cables say no speed; --link or the default serves for them", without_speed_));
  }

  static constexpr FabricBuilder::Node kNoNode = static_cast<FabricBuilder::Node>(-1);

  const std::vector<Device>& devices_;
  Ends ends_;
  const std::string& file_;
  FabricBuilder builder_;
  std::vector<FabricBuilder::Node> nodes_;  // by device
  std::unordered_map<std::string_view, std::size_t> by_id_;
  std::int64_t merged_ = 0, without_speed_ = 0;
};

}  // namespace

ImportedFabric fabric_of(const std::vector<Device>& devices, Ends ends, const std::string& file) {
  return Assembly(devices, ends, file).build();
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
