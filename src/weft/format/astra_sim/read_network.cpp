// A product of rings, complete graphs and switches, from the four lists of its file; see
// network.cpp for what they say. In a dimension of switches each line of the product has a switch
// of its own. A ring of two is one cable, as ASTRA-sim joins each pair once.
#include "read_network.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "../imported_fabric.hpp"
#include "../text_lines.hpp"
#include "../yaml_tree.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"

namespace weft::format {

namespace {

constexpr std::array<std::string_view, 4> kKeys{"topology", "npus_count", "bandwidth", "latency"};
constexpr std::int64_t kMostNpus = 1'000'000, kMostCables = 1'000'000;
constexpr double kGibibyte = 1 << 30;

struct Dimension {
  std::string block;
  std::int64_t npus = 0, stride = 1, line = 0;
  FabricBuilder::Facts facts = {};
};

class Reader {
 public:
  explicit Reader(const FabricSource& source)
      : source_(source), builder_(source.file, source.options) {}

  ImportedFabric read() && {
    root_ = read_yaml(source_.text, source_.file);
    for (std::size_t i = 0; i < root_.keys.size(); ++i)
      if (std::ranges::find(kKeys, root_.keys[i]) == kKeys.end())
        builder_.log().skip(fmt::format("key '{}'", root_.keys[i]), root_.items[i].line);
    read_dimensions();
    for (std::int64_t i = 0; i < npus_; ++i) {
      const std::string name = std::to_string(i);
      builder_.node(name, name, NodeKind::host);
    }
    for (std::size_t d = 0; d < dimensions_.size(); ++d) add_lines(d);
    return built(std::move(builder_));
  }

 private:
  std::vector<const YamlNode*> list(std::string_view key) const {
    const YamlNode* value = root_.find(key);
    if (value == nullptr) reject("{} has no key '{}'", source_.file, key);
    std::vector<const YamlNode*> items;
    if (value->kind == YamlNode::Kind::text) items.push_back(value);
    for (const YamlNode& item : value->items) items.push_back(&item);
    if (items.empty() || value->kind == YamlNode::Kind::map)
      refuse_at(source_.file, value->line, "{} must be a list with one entry for each dimension",
                key);
    return items;
  }

  double number(const YamlNode& node, std::string_view key) const {
    const auto value = number_in<double>(trim(node.text));
    if (!value || *value < 0 || *value > 1e9)
      refuse_at(source_.file, node.line, "{} '{}' is not a number from 0 to 1e9", key,
                printable(node.text));
    return *value;
  }

  void read_dimensions() {
    const auto blocks = list(kKeys[0]), counts = list(kKeys[1]), speeds = list(kKeys[2]),
               latencies = list(kKeys[3]);
    double cables = 0;
    for (std::size_t d = 0; d < blocks.size(); ++d) {
      if (counts.size() != blocks.size() || speeds.size() != blocks.size() ||
          latencies.size() != blocks.size())
        refuse_at(
            source_.file, blocks[d]->line,
            "{} dimensions have {} npus_count, {} bandwidth and {} latency; each dimension needs "
            "one",
            blocks.size(), counts.size(), speeds.size(), latencies.size());
      Dimension dimension{.block = lower(blocks[d]->text), .line = blocks[d]->line};
      if (dimension.block != "ring" && dimension.block != "fullyconnected" &&
          dimension.block != "switch")
        refuse_at(source_.file, dimension.line, "{}",
                  unknown_text({"dimension", printable(blocks[d]->text)},
                               std::vector<std::string>{"Ring", "FullyConnected", "Switch"}));
      const double npus = number(*counts[d], kKeys[1]);
      if (npus != std::floor(npus))
        refuse_at(source_.file, counts[d]->line, "npus_count {} is not a whole number", npus);
      dimension.npus = static_cast<std::int64_t>(npus);
      if (dimension.npus < 1 || dimension.npus > kMostNpus || npus_ > kMostNpus / dimension.npus)
        refuse_at(source_.file, counts[d]->line,
                  "npus_count {} is out of range (at least 1, at most {} in total)", dimension.npus,
                  kMostNpus);
      const double bandwidth = number(*speeds[d], kKeys[2]) * kGibibyte;
      if (bandwidth < 1)
        refuse_at(source_.file, speeds[d]->line, "bandwidth '{}' must be above 0",
                  printable(speeds[d]->text));
      dimension.facts = {.bandwidth_Bps = std::llround(bandwidth),
                         .latency_ps = std::llround(number(*latencies[d], kKeys[3]) * 1000),
                         .line = dimension.line};
      dimension.stride = npus_;
      npus_ *= dimension.npus;
      cables += dimension.block == "fullyconnected" ? static_cast<double>(dimension.npus) : 1.0;
      dimensions_.push_back(std::move(dimension));
    }
    require(cables * static_cast<double>(npus_) <= static_cast<double>(kMostCables),
            "{}: the network has more than {} cables", source_.file, kMostCables);
  }

  // All lines of the product along a dimension.
  void add_lines(std::size_t d) {
    const Dimension& of = dimensions_[d];
    if (of.npus == 1) return;
    for (std::int64_t first = 0; first < npus_; ++first) {
      if (first / of.stride % of.npus != 0) continue;
      const auto at = [&](std::int64_t i) {
        return static_cast<FabricBuilder::Node>(first + i * of.stride);
      };
      if (of.block == "switch") {
        const std::string name = fmt::format("switch{}-{}", d, first);
        const auto hub = builder_.node(name, name, NodeKind::switch_node, of.line);
        for (std::int64_t i = 0; i < of.npus; ++i) builder_.cable(at(i), "", hub, "", of.facts);
        continue;
      }
      const bool ring = of.block == "ring";
      for (std::int64_t i = 0; i < of.npus; ++i)
        for (std::int64_t j = i + 1; j < (ring ? std::min(i + 2, of.npus) : of.npus); ++j)
          builder_.cable(at(i), "", at(j), "", of.facts);
      if (ring && of.npus > 2) builder_.cable(at(of.npus - 1), "", at(0), "", of.facts);
    }
  }

  const FabricSource& source_;
  FabricBuilder builder_;
  YamlNode root_;
  std::vector<Dimension> dimensions_;
  std::int64_t npus_ = 1;
};

}  // namespace

ImportedFabric read_astra_sim_network(const FabricSource& source) {
  return Reader(source).read();
}

bool is_astra_sim_network(std::string_view text) {
  bool blocks = false, counts = false;
  for (const std::string_view whole : lines_of(text.substr(0, 100'000))) {
    const std::string_view line = whole.substr(0, whole.find('#'));
    blocks = blocks || line.starts_with("topology:");
    counts = counts || line.starts_with("npus_count:");
  }
  return blocks && counts;
}

}  // namespace weft::format
