// Fat trees of htsim (.topo), of two or three tiers:
//
//   Nodes 32
//   Tiers 2
//   Podsize 32
//   Tier 0
//   Downlink_speed_Gbps 100
//   Radix_Down 8
//   Radix_Up 2
//   Oversubscribed 4
//   Downlink_Latency_ns 1000
//   Tier 1 ...
//
// A pod has Podsize hosts, Radix_Down of them at each switch of tier 0. Within a pod each switch of
// tier 0 has Bundle cables (of tier 1) to each of tier 1; switch j of a pod's tier 1 has Bundle
// cables (of tier 2) to the cores j, j + n, j + 2n, ..., n being the switches of a pod's tier 1.
// Speeds and latencies are those of the cables below a tier. As htsim does, the reader refuses
// radices that do not fit speeds and oversubscription.
// Source: htsim (csg-htsim, uet-htsim), sim/datacenter/fat_tree_topology.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "../text_lines.hpp"
#include "graph_text.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"

namespace weft::format {

namespace {

constexpr std::int64_t kMost = 1'000'000;  // of any count
constexpr std::int64_t kMostRadix = 10'000;
constexpr std::int64_t kMostCables = 1'000'000;
constexpr std::size_t kMostTiers = 3;
constexpr std::int64_t kGbps_Bps = 125'000'000;

const std::vector<std::string> kTierKeys{
    "Downlink_speed_Gbps", "Radix_Down",        "Radix_Up", "Bundle",    "Oversubscribed",
    "Downlink_Latency_ns", "Switch_Latency_ns", "Queue_up", "Queue_down"};

struct Tier {
  std::int64_t line = 0;  // 0: the file does not have it
  std::int64_t speed_Gbps = 0, radix_down = 0, radix_up = 0, bundle = 1, oversubscribed = 1;
  std::int64_t latency_ns = 0, switch_latency_ns = 0;
};

class Reader {
 public:
  explicit Reader(const FabricSource& source)
      : source_(source), builder_(source.file, source.options) {}

  ImportedFabric read() && {
    std::int64_t number = 0;
    for (const std::string_view text : lines_of(source_.text)) {
      const Line line(source_.file, ++number, text);
      if (line.words() > 0 && !line.word(0).starts_with('#')) read(line);
    }
    check();
    add_pods();
    for (std::size_t i = 0; i < tiers_.size(); ++i)
      if (tiers_[i].switch_latency_ns > 0)
        builder_.log().mend(
            "ignored, because only links have latencies",
            fmt::format("Switch_Latency_ns {} of tier {}", tiers_[i].switch_latency_ns, i),
            tiers_[i].line);
    return built(std::move(builder_));
  }

 private:
  void read(const Line& line) {
    const std::string key = lower(std::string(line.word(0)));
    if (line.words() < 2) line.refuse("{} has no value", line.word(0));
    const auto value = [&](std::int64_t low) { return line.integer(1, low, kMost, key); };
    if (key == "tier") {
      current_ = &tiers_[static_cast<std::size_t>(
          line.integer(1, 0, static_cast<std::int64_t>(kMostTiers) - 1, key))];
      current_->line = line.number();
    } else if (key == "nodes") {
      nodes_ = value(1);
    } else if (key == "tiers") {
      tier_count_ = line.integer(1, 2, static_cast<std::int64_t>(kMostTiers), key);
    } else if (key == "podsize") {
      pod_size_ = value(1);
    } else if (current_ == nullptr) {
      line.refuse("'{}' must follow a line Tier N", line.word(0));
    } else {
      read_of_tier(line, key);
    }
  }

  void read_of_tier(const Line& line, const std::string& key) {
    const auto set = [&](std::int64_t& field, std::int64_t low) {
      const bool counts = key.starts_with("radix") || key == "bundle" || key == "oversubscribed";
      field = line.integer(1, low, counts ? kMostRadix : kMost, key);
    };
    if (key == "downlink_speed_gbps")
      set(current_->speed_Gbps, 1);
    else if (key == "radix_down")
      set(current_->radix_down, 1);
    else if (key == "radix_up")
      set(current_->radix_up, 1);
    else if (key == "bundle")
      set(current_->bundle, 1);
    else if (key == "oversubscribed")
      set(current_->oversubscribed, 1);
    else if (key == "downlink_latency_ns")
      set(current_->latency_ns, 0);
    else if (key == "switch_latency_ns")
      set(current_->switch_latency_ns, 0);
    else if (key == "queue_up" || key == "queue_down")
      builder_.log().skip(line.word(0), line.number());
    else
      line.refuse("{}", unknown_text({"key", line.word(0)}, kTierKeys));
  }

  template <class... Args>
  void need(bool condition, std::size_t tier, fmt::format_string<Args...> format,
            Args&&... args) const {
    if (!condition)
      refuse_at(source_.file, std::max<std::int64_t>(tiers_[tier].line, 1), "{}",
                fmt::format(format, std::forward<Args>(args)...));
  }

  void check() {
    for (const auto& [value, name] :
         {std::pair(nodes_, "Nodes"), {tier_count_, "Tiers"}, {pod_size_, "Podsize"}})
      require(value > 0, "{} has no {}", source_.file, name);
    const auto top = static_cast<std::size_t>(tier_count_) - 1;
    for (std::size_t i = 0; i <= top; ++i) {
      const Tier& tier = tiers_[i];
      require(tier.line > 0, "{} has no Tier {}", source_.file, i);
      need(tier.radix_down > 0, i, "tier {} has no Radix_Down", i);
      need(i == top || tier.radix_up > 0, i, "tier {} has no Radix_Up", i);
      need(tier.radix_down % tier.bundle == 0, i,
           "a Radix_Down of {} is not a multiple of the Bundle of {}", tier.radix_down,
           tier.bundle);
    }
    need(tiers_[0].bundle == 1, 0, "a Bundle of {} at hosts; htsim's hosts have one cable",
         tiers_[0].bundle);
    need(nodes_ % pod_size_ == 0, 0, "{} nodes are not a multiple of the Podsize of {}", nodes_,
         pod_size_);
    need(pod_size_ % tiers_[0].radix_down == 0, 0,
         "a Podsize of {} is not a multiple of the Radix_Down of {}", pod_size_,
         tiers_[0].radix_down);
    pods_ = nodes_ / pod_size_;
    leaves_ = pod_size_ / tiers_[0].radix_down;
    need(top == 2 || pods_ == 1, 0, "two tiers have one pod, and Podsize {} makes {}", pod_size_,
         pods_);
    need(tiers_[0].radix_down / tiers_[0].radix_up == tiers_[0].oversubscribed, 0,
         "{} cables down and {} up do not match an oversubscription of {}", tiers_[0].radix_down,
         tiers_[0].radix_up, tiers_[0].oversubscribed);
    spines_ = switches_above(0);
    check_size();
    const std::int64_t up_Gbps = capacity_above(nodes_ * speed(0), 0, spines_ * pods_);
    if (top < 2) return;
    cores_ = spines_ * switches_above(1);
    capacity_above(up_Gbps, 1, cores_);
  }

  // Those that a switch of the tier has cables to.
  std::int64_t switches_above(std::size_t tier) const {
    const std::int64_t up = tiers_[tier].radix_up, bundle = tiers_[tier + 1].bundle;
    need(up % bundle == 0, tier, "a Radix_Up of {} is not a multiple of the Bundle of {} above", up,
         bundle);
    return up / bundle;
  }

  // The files may leave speeds to a command; all are alike then.
  std::int64_t speed(std::size_t tier) const {
    return std::max<std::int64_t>(tiers_[tier].speed_Gbps, 1);
  }

  // htsim counts switches by the speed that leads up from a tier, in all, and refuses a file where
  // their number is another by the radices. Returns that speed.
  std::int64_t capacity_above(std::int64_t below_Gbps, std::size_t tier,
                              std::int64_t switches) const {
    const Tier& above = tiers_[tier + 1];
    const std::int64_t up_Gbps = below_Gbps / tiers_[tier].oversubscribed;
    need(
        below_Gbps % tiers_[tier].oversubscribed == 0 &&
            up_Gbps == switches * above.radix_down * speed(tier + 1),
        tier + 1,
        "{} switches of tier {} with {} cables of {} Gbps down do not carry the {} Gbps that go up "
        "to them; correct a radix, Bundle or Oversubscribed",
        switches, tier + 1, above.radix_down, speed(tier + 1), up_Gbps);
    return up_Gbps;
  }

  FabricBuilder::Node node(const char* name, std::int64_t number, std::size_t tier) {
    const std::string text = fmt::format("{}{}", name, number);
    return builder_.node(text, text, tier == 0 ? NodeKind::host : NodeKind::switch_node,
                         tier == 0 ? 0 : tiers_[tier - 1].line);
  }

  void cables(FabricBuilder::Node below, FabricBuilder::Node above, std::size_t tier) {
    const Tier& of = tiers_[tier];
    FabricBuilder::Facts facts{.latency_ps = of.latency_ns * 1000, .line = of.line};
    if (of.speed_Gbps > 0) facts.bandwidth_Bps = of.speed_Gbps * kGbps_Bps;
    for (std::int64_t i = 0; i < of.bundle; ++i) builder_.cable(below, "", above, "", facts);
  }

  // Before anything is multiplied by speeds.
  void check_size() const {
    const std::int64_t leaf_cables = pods_ * leaves_ * tiers_[0].radix_up;
    const std::int64_t core_cables =
        tier_count_ == 2 ? 0 : pods_ * spines_ * std::max<std::int64_t>(tiers_[1].radix_up, 1);
    const std::int64_t cables = nodes_ + leaf_cables + core_cables;
    require(cables <= kMostCables, "{}: the tree has too many cables: {} (at most {})",
            source_.file, cables, kMostCables);
  }

  void add_pods() {
    std::vector<FabricBuilder::Node> cores;
    for (std::int64_t i = 0; i < cores_; ++i) cores.push_back(node("core", i, 3));
    for (std::int64_t pod = 0; pod < pods_; ++pod) add_pod(pod, cores);
  }

  void add_pod(std::int64_t pod, const std::vector<FabricBuilder::Node>& cores) {
    std::vector<FabricBuilder::Node> spines;
    for (std::int64_t j = 0; j < spines_; ++j) {
      spines.push_back(node("spine", pod * spines_ + j, 2));
      for (std::int64_t core = j; core < cores_; core += spines_)
        cables(spines.back(), cores[static_cast<std::size_t>(core)], 2);
    }
    for (std::int64_t i = 0; i < leaves_; ++i) {
      const std::int64_t number = pod * leaves_ + i;
      const auto leaf = node("leaf", number, 1);
      for (std::int64_t h = 0; h < tiers_[0].radix_down; ++h)
        cables(node("host", number * tiers_[0].radix_down + h, 0), leaf, 0);
      for (const auto spine : spines) cables(leaf, spine, 1);
    }
  }

  const FabricSource& source_;
  FabricBuilder builder_;
  std::int64_t nodes_ = 0, tier_count_ = 0, pod_size_ = 0;
  std::int64_t pods_ = 0, leaves_ = 0, spines_ = 0, cores_ = 0;  // of a pod, but for the cores
  std::array<Tier, kMostTiers> tiers_;
  Tier* current_ = nullptr;
};

ImportedFabric read(const FabricSource& source) {
  return Reader(source).read();
}

// Nodes, Tiers and Podsize, in any order, before anything else.
bool recognises(std::string_view text) {
  constexpr std::size_t kHead = 4;  // of up to three keys, and a tier
  int seen = 0;
  for (const Line& line : first_lines(text, kHead)) {
    const std::string key = lower(std::string(line.word(0)));
    if (key != "nodes" && key != "tiers" && key != "podsize") return seen > 1 && key == "tier";
    ++seen;
  }
  return false;
}

}  // namespace

Format htsim() {
  return {.name = "htsim-topo",
          .summary = "fat trees of htsim (.topo)",
          .loses = "sizes of queues, latencies of switches",
          .read_fabric = read,
          .recognises = recognises};
}

}  // namespace weft::format
