// Device files: peaks by precision, and the share of them that layers reach.
#include <algorithm>

#include "weft/base/enumeration.hpp"
#include "weft/base/file.hpp"
#include "weft/base/toml_table.hpp"
#include "weft/workload/device.hpp"

namespace weft::workload {

namespace {

constexpr std::string_view kAll = "default";

class DeviceReader {
 public:
  DeviceReader(const TomlNode& root, const std::string& path)
      : path_(path), root_(root, "a device file", path) {}

  Device read(const std::string& name) {
    root_.only({"summary", "source", "note", "memory", "peak", "efficiency"});
    device_ = {.name = name,
               .path = path_,
               .summary = root_.text("summary"),
               .sources = root_.texts("source"),
               .note = root_.text_or("note", ""),
               .memory_B = memory(),
               .peaks = {},
               .efficiencies = {}};
    read_peaks();
    read_efficiencies();
    require_all_said();
    return std::move(device_);
  }

 private:
  std::optional<double> memory() {
    constexpr double kLeast = 1, kMost = 1e18;
    if (!root_.has("memory")) return std::nullopt;
    return root_.number("memory", kLeast, kMost);
  }

  const TomlNode& section(const char* key) {
    const TomlNode* node = root_.table(key);
    if (node == nullptr || node->members.empty())
      root_.fail(root_.line_of(key), "{} has an empty [{}]; fill it", root_.name(), key);
    return *node;
  }

  void read_peaks() {
    const TomlNode& node = section("peak");
    TomlTable table(node, "[peak]", path_);
    for (const auto& [precision, value] : node.members) {
      if (precision != lower_name(precision))
        table.fail(value.line, "unknown precision '{}'; write '{}'", precision,
                   lower_name(precision));
      device_.peaks.push_back({precision, table.number(precision, 1, 1e24)});
    }
  }

  void read_efficiencies() {
    const TomlNode& node = section("efficiency");
    TomlTable table(node, "[efficiency]", path_);
    for (const auto& [key, value] : node.members) {
      std::optional<LayerKind> kind;
      if (key != kAll)
        kind = located(path_, value.line,
                       [&, said = std::string_view(key)] { return kind_or_default(said); });
      if (value.kind == TomlNode::Kind::table)
        read_precisions(value, key, kind);
      else
        add(table, key, kind, std::nullopt);
    }
  }

  static LayerKind kind_or_default(std::string_view name) {
    std::vector<std::string> known{std::string(kAll)};
    for (const LayerKind kind : kLayerKinds) {
      if (name_of(kind) == name) return kind;
      known.emplace_back(name_of(kind));
    }
    reject_unknown({"key", name, "in [efficiency]"}, known);
  }

  // { fp16 = 0.2, default = 0.4 }
  void read_precisions(const TomlNode& node, const std::string& key,
                       std::optional<LayerKind> kind) {
    TomlTable table(node, key + " of [efficiency]", path_);
    std::vector<std::string> known{std::string(kAll)};
    for (const Device::Peak& peak : device_.peaks) known.push_back(peak.precision);
    table.only(known);
    for (const auto& [precision, value] : node.members)
      add(table, precision, kind,
          precision == kAll ? std::nullopt : std::optional<std::string>(precision));
  }

  void add(TomlTable& table, const std::string& key, std::optional<LayerKind> kind,
           std::optional<std::string> precision) {
    device_.efficiencies.push_back(
        {.kind = kind, .precision = std::move(precision), .share = table.number(key, 1e-6, 1)});
  }

  void require_all_said() const {
    for (const LayerKind kind : kLayerKinds)
      for (const Device::Peak& peak : device_.peaks)
        if (!is_said(kind, peak.precision))
          root_.fail(root_.line_of("efficiency"),
                     "[efficiency] has no value for {} at {}; add default = ...", name_of(kind),
                     peak.precision);
  }

  bool is_said(LayerKind kind, const std::string& precision) const {
    return std::ranges::any_of(device_.efficiencies, [&](const Device::Efficiency& efficiency) {
      return efficiency.kind.value_or(kind) == kind &&
             efficiency.precision.value_or(precision) == precision;
    });
  }

  const std::string& path_;
  TomlTable root_;
  Device device_;
};

}  // namespace

Device parse_device(std::string_view text, const std::string& name, const std::string& path) {
  const TomlNode root = parse_toml(text, path);
  return DeviceReader(root, path).read(name);
}

Device read_device(const std::string& file_or_name) {
  const NamedFile file = kDevices.find_or_path(file_or_name);
  return parse_device(read_file(file.path), file.name, file.path);
}

std::vector<Device> devices() {
  std::vector<Device> all;
  for (const NamedFile& file : kDevices.all())
    all.push_back(parse_device(read_file(file.path), file.name, file.path));
  return all;
}

}  // namespace weft::workload
