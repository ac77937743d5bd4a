// Machine models from TOML (machine_model.hpp).
#include "weft/question/machine_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/units.hpp"
#include "weft/question/run_fields.hpp"

namespace weft::question {

namespace {

struct HostEntry {
  std::string_view key;
  const Field* field;
};
constexpr std::array kHostEntries = {
    HostEntry{"startup", &kAlpha}, HostEntry{"startup_receive", &kAlphaReceive},
    HostEntry{"ports", &kPorts}, HostEntry{"copy_bandwidth", &kCopyBandwidth},
    HostEntry{"reduce_bandwidth", &kReduceBandwidth}};

class ModelReader {
 public:
  ModelReader(const toml::table& root, const std::string& path) : root_(root), path_(path) {}

  MachineModel read() const {
    known(root_, {"host", "links", "measured", "intervals"});
    require(!root_.empty(),
            "{}: empty; a machine has [host] or [links.all], as weft calibrate "
            "writes it",
            path_);
    MachineModel model{.path = path_, .values = {}, .where = {}};
    if (const toml::table* host = table(root_, "host")) read_host(*host, model);
    if (const toml::table* links = table(root_, "links"))
      for (const auto& [name, node] : *links)
        read_links(std::string(name.str()), table_of(node, name.str()), model);
    if (const toml::table* measured = table(root_, "measured")) read_measured(*measured, model);
    if (const toml::table* intervals = table(root_, "intervals")) check_intervals(*intervals);
    return model;
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(const toml::node& node, fmt::format_string<Args...> format,
                         Args&&... args) const {
    reject("{}:{}: {}", path_, node.source().begin.line,
           fmt::format(format, std::forward<Args>(args)...));
  }
  void known(const toml::table& table, const std::vector<std::string>& keys) const {
    for (const auto& [key, value] : table)
      if (std::ranges::find(keys, key.str()) == keys.end())
        fail(value, "unknown entry '{}'; {}", key.str(), suggest(key.str(), keys));
  }
  const toml::table& table_of(const toml::node& node, std::string_view what) const {
    if (!node.is_table()) fail(node, "{} is no table", what);
    return *node.as_table();
  }
  const toml::table* table(const toml::table& in, const char* key) const {
    const toml::node* node = in.get(key);
    return node == nullptr ? nullptr : &table_of(*node, key);
  }
  const toml::node& needed(const toml::table& in, const char* key) const {
    const toml::node* node = in.get(key);
    if (node == nullptr) fail(in, "{} is missing", key);
    return *node;
  }
  std::string text_of(const toml::node& node, std::string_view what) const {
    if (const auto number = node.value_exact<std::int64_t>()) return fmt::format("{}", *number);
    const auto value = node.value_exact<std::string>();
    if (!value) fail(node, "{} is no text; write it in quotes, with its unit", what);
    return *value;
  }
  // What read(text) gives; the line stands before what it throws.
  template <class Read>
  auto read_at(const toml::node& node, std::string_view what, Read&& read) const {
    const std::string text = text_of(node, what);
    try {
      return read(text);
    } catch (const InvalidInput& error) {
      fail(node, "{}: {}", what, error.what());
    }
  }
  double factor(const toml::table& in, const char* key) const {
    const toml::node& node = needed(in, key);
    const auto value = node.is_number() ? node.value<double>() : std::nullopt;
    if (!value || !(*value >= 1e-6) || !(*value <= 1e6))
      fail(node, "factor {} is no number from 1e-6 to 1e6", key);
    return *value;
  }

  void read_host(const toml::table& host, MachineModel& model) const {
    std::vector<std::string> keys;
    for (const HostEntry& entry : kHostEntries) keys.emplace_back(entry.key);
    known(host, keys);
    for (const auto& [key, field] : kHostEntries)
      if (const toml::node* node = host.get(key))
        model.values[std::string(field->name)] =
            read_at(*node, key, [&, own = field](const std::string& text) {
              return to_text(own->canonical(own->name, text));
            });
  }

  static void add(Values& values, const char* field, const std::string& part) {
    const auto [place, made] = values.try_emplace(field, part);
    if (!made) place->second = to_text(place->second) + ';' + part;
  }

  void read_links(const std::string& name, const toml::table& links, MachineModel& model) const {
    known(links, {"bandwidth", "latency", "sizes"});
    const bool all = name == "all";
    if (!all && (name.empty() || name.find_first_of(";=,:") != std::string::npos))
      fail(links, "'{}' is no name of a class of links", name);
    const std::string before = all ? "" : name + '=';
    if (!all) model.classes.push_back(name);
    const std::int64_t bandwidth_Bps =
        read_at(needed(links, "bandwidth"), "bandwidth", parse_bandwidth);
    const std::int64_t latency_ps = read_at(needed(links, "latency"), "latency", parse_time);
    add(model.values, "link",
        fmt::format("{}{},{}", before, format_bandwidth(bandwidth_Bps), format_time(latency_ps)));
    const toml::node* sizes = links.get("sizes");
    if (sizes == nullptr) return;
    if (!sizes->is_array_of_tables())
      fail(*sizes, "sizes is no list of tables; write [[links.{}.sizes]]", name);
    std::int64_t last_B = -1;
    for (const toml::node& each : *sizes->as_array()) {
      const toml::table& size = *each.as_table();
      known(size, {"from", "latency", "bandwidth"});
      const std::int64_t from_B = read_at(needed(size, "from"), "from", parse_size);
      if (from_B <= std::exchange(last_B, from_B))
        fail(each, "sizes from {} stand behind larger ones, or twice; write them in order",
             format_size(from_B));
      add(model.values, "factors",
          fmt::format("{}{}:{},{}", before, format_size(from_B), factor(size, "latency"),
                      factor(size, "bandwidth")));
    }
  }

  void read_measured(const toml::table& measured, MachineModel& model) const {
    known(measured, {"where", "files", "from", "to"});
    if (const toml::node* where = measured.get("where")) model.where = text_of(*where, "where");
    if (const toml::node* files = measured.get("files")) {
      if (!files->is_array()) fail(*files, "files is no array");
      for (const toml::node& file : *files->as_array()) (void)text_of(file, "files");
    }
    if (!measured.contains("from") && !measured.contains("to")) return;
    const toml::node& to = needed(measured, "to");
    model.measured = {read_at(needed(measured, "from"), "from", parse_size),
                      read_at(to, "to", parse_size)};
    if (model.measured->first_B > model.measured->last_B)
      fail(to, "the measured sizes run from {} down to {}", format_size(model.measured->first_B),
           format_size(model.measured->last_B));
  }

  void check_intervals(const toml::table& intervals) const {
    for (const auto& [name, node] : intervals) {
      const toml::array* ends = node.as_array();
      if (ends == nullptr || ends->size() != 2) fail(node, "{} is no interval of two", name.str());
      for (const toml::node& end : *ends) (void)text_of(end, name.str());
    }
  }

  const toml::table& root_;
  const std::string& path_;
};

}  // namespace

MachineModel parse_machine_model(std::string_view text, const std::string& path) {
  toml::table root;
  try {
    root = toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    reject("{}:{}: {}", path, error.source().begin.line, error.description());
  }
  return ModelReader(root, path).read();
}

std::vector<std::string> put_beneath(const MachineModel& machine, Values& said) {
  std::vector<std::string> both;
  for (const auto& [name, value] : machine.values) {
    const auto [place, made] = said.try_emplace(name, value);
    if (made) continue;
    both.push_back(name);
    // A speed of all links takes the place of the machine's; those of classes stand beside.
    const std::string own = to_text(place->second);
    if (name == "link" && !read_links(name, own).all) place->second = to_text(value) + ';' + own;
  }
  return both;
}

void require_classes(const MachineModel& machine, const Topology& topology) {
  const auto known = topology.class_names();
  for (const std::string& name : machine.classes)
    require(std::ranges::find(known, name) != known.end(),
            "{}: [links.{}] is no class of {}, whose classes are {}; calibrate with it as "
            "--topology, or write [links.all]",
            machine.path, name, topology.name(), fmt::join(known, ", "));
}

std::string outside_text(const MachineModel& machine, std::int64_t least_B, std::int64_t most_B) {
  if (!machine.measured) return "";
  const auto [first_B, last_B] = *machine.measured;
  const bool below = least_B<first_B, above = most_B> last_B;
  if (!below && !above) return "";
  return fmt::format("sizes {}{}{} lie outside what {} was measured at ({} to {})",
                     below ? "below " + format_size(first_B) : "", below && above ? " and " : "",
                     above ? "above " + format_size(last_B) : "", machine.path,
                     format_size(first_B), format_size(last_B));
}

}  // namespace weft::question
