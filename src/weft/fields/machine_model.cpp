// Machine models from TOML (machine_model.hpp).
#include "weft/fields/machine_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/toml_table.hpp"
#include "weft/base/units.hpp"
#include "weft/fields/host_fields.hpp"
#include "weft/fields/machine/host_table.hpp"
#include "weft/topology/link_classes.hpp"

namespace weft::fields {

namespace {

// Of links whose speed is not given.
constexpr std::array kDefaults{"line_rate", "payload", "latency", "switch_latency"};

// What [links] sets: a value for each class.
constexpr const char* kLink = "link";

class ModelReader {
 public:
  ModelReader(const TomlNode& root, const std::string& path)
      : path_(path), root_(root, "the machine", path) {}

  MachineModel read() {
    root_.only({"summary", "source", "assumption", "host", "links", "measured", "intervals"});
    MachineModel model{.path = path_, .values = {}, .where = {}};
    model.summary = root_.prose_or("summary", "");
    if (root_.has("source")) model.sources = root_.texts("source");
    if (root_.has("assumption")) model.assumptions = root_.texts("assumption");
    if (const TomlNode* host = root_.table("host")) read_host(*host, model);
    if (const TomlNode* links = root_.table("links")) {
      for (const auto& [name, node] : links->members)
        if (name == "all") all_ = &node;
      for (const auto& [name, node] : links->members) read_links(name, node, model);
    }
    // Sizes scale the network's links; copies between ranks of a host have their own speed.
    const std::string loopback(simulation::kLoopbackClass);
    if (model.values.contains("factors") && model.values.contains("loopback") &&
        to_text(model.values.at("factors")).find(loopback) == std::string::npos)
      add(model.values, "factors", loopback + "=0B:1,1");
    if (const TomlNode* measured = root_.table("measured")) read_measured(*measured, model);
    if (const TomlNode* intervals = root_.table("intervals")) check_intervals(*intervals);
    return model;
  }

 private:
  // What read(text) gives of an entry that has to be there.
  template <class Read>
  static auto read_at(TomlTable& table, std::string_view key, Read&& read) {
    const std::string text = table.text(key);
    return table.located(key, [&] {
      try {
        return read(text);
      } catch (const InvalidInput& error) {
        const std::string_view message = error.what();
        if (message.starts_with(fmt::format("invalid {} ", key))) throw;  // names the key itself
        reject("{}: {}", key, message);
      }
    });
  }
  static double factor(TomlTable& table, std::string_view key) {
    return table.number(key, 1e-6, 1e6);
  }

  void read_host(const TomlNode& node, MachineModel& model) const {
    TomlTable host(node, "[host]", path_);
    std::vector<std::string> keys;
    for (const HostEntry& entry : host_entries()) keys.push_back(entry.key);
    host.only(keys);
    for (const auto& [key, field, show] : host_entries())
      if (host.has(key))
        model.values[std::string(field->name)] =
            read_at(host, key, [&, own = field, name = key](const std::string& text) {
              return to_text(own->canonical(name, text));  // messages name the key
            });
  }

  static void add(Values& values, const char* field, const std::string& part) {
    const auto [place, made] = values.try_emplace(field, part);
    if (!made) place->second = to_text(place->second) + ';' + part;
  }

  void read_links(const std::string& name, const TomlNode& node, MachineModel& model) const {
    TomlTable links(node, fmt::format("[links.{}]", name), path_);
    links.only({"bandwidth", "latency", "sizes", "line_rate", "payload", "switch_latency"});
    const bool all = name == "all";
    if (!all && (name.empty() || name.find_first_of(";=,:") != std::string::npos))
      links.fail(links.line(), "'{}' is not a name of a link class", name);
    const std::string before = all ? "" : name + '=';
    TomlTable beneath = all || all_ == nullptr ? links : TomlTable(*all_, "[links.all]", path_);
    const auto either = [&](std::string_view key) { return links.has(key) || beneath.has(key); };
    MachineLinks table{name, links.line(), either("bandwidth")};
    table.sets_bandwidth = table.measured || either("line_rate");
    table.sets_latency = either("latency") || either("switch_latency");
    if (table.measured)
      read_measured_link(links, beneath, before, model);
    else
      read_default_link(links, beneath, before, model);
    // Factors of a measured link are of its measured rate, which may exceed what others reach.
    const double payload = table.measured ? 0 : payload_of(links, beneath);
    read_sizes(links, name, before, payload, model);
    if (!all && links.tables("sizes").empty())
      for (const TomlNode& each : beneath.tables("sizes"))
        require_line_rate({each, "[[links.all.sizes]]", path_}, name, payload);
    if (all)
      model.all_links = table;
    else
      model.classes.push_back(table);
  }

  // A class takes the bandwidth or the latency that it lacks from a measured [links.all]. It takes
  // no latency from line rates, which have that of a cable apart from that of a switch.
  void read_measured_link(TomlTable& links, TomlTable& beneath, const std::string& before,
                          MachineModel& model) const {
    for (const char* key : kDefaults) {
      if (std::string_view(key) == "latency" || !links.has(key)) continue;
      if (links.has("bandwidth"))
        links.fail(links.line_of(key), "{} cannot be combined with bandwidth; remove one of them",
                   key);
      links.fail(links.line(),
                 "this class has no effect next to the bandwidth of [links.all]; give bandwidth "
                 "and latency here too");
    }
    const auto table_of = [&](const char* key) -> TomlTable& {
      return links.has(key) || !beneath.has("bandwidth") ? links : beneath;
    };
    const std::int64_t bandwidth_Bps = read_at(table_of("bandwidth"), "bandwidth", parse_bandwidth);
    const std::int64_t latency_ps = read_at(table_of("latency"), "latency", parse_time);
    add(model.values, kLink,
        fmt::format("{}{},{}", before, format_bandwidth(bandwidth_Bps), format_time(latency_ps)));
  }

  // What the class does not say is that of `all`, else 100 Gb/s, all of it payload, and no latency.
  void read_default_link(TomlTable& links, TomlTable& all, const std::string& before,
                         MachineModel& model) const {
    const auto table_of = [&](const char* key) -> TomlTable& {
      return links.has(key) ? links : all;
    };
    const auto time = [&](const char* key) {
      TomlTable& table = table_of(key);
      return format_time(table.has(key) ? read_at(table, key, parse_time) : 0);
    };
    TomlTable& rated = table_of("line_rate");
    const std::string rate = rated.has("line_rate")
                                 ? format_bandwidth(read_at(rated, "line_rate", parse_bandwidth))
                                 : "100Gbps";
    add(model.values, "link-default",
        fmt::format("{}{},{},{},{}", before, rate, time("latency"), time("switch_latency"),
                    payload_of(links, all)));
  }

  static double payload_of(TomlTable& links, TomlTable& all) {
    TomlTable& table = links.has("payload") ? links : all;
    const double payload = table.has("payload") ? table.number("payload", 1e-6, 1) : 1;
    WEFT_ASSERT(payload > 0 && payload <= 1);
    return payload;
  }

  // No message is faster than the line: its size scales the payload.
  static void require_line_rate(TomlTable size, const std::string& name, double payload) {
    constexpr double kRounding = 1e-9;  // of a factor that was written as 1 over the payload
    if (!size.has("bandwidth")) return;
    const double bandwidth = factor(size, "bandwidth");
    if (payload * bandwidth <= 1 + kRounding) return;
    size.fail(size.line_of("bandwidth"),
              "bandwidth {} exceeds the line rate of [links.{}]: with payload {} messages of this "
              "size would run at {:.6g} times the line rate; the maximum is {}",
              bandwidth, name, payload, payload * bandwidth, std::floor(1e6 / payload) / 1e6);
  }

  void read_sizes(TomlTable& links, const std::string& name, const std::string& before,
                  double payload, MachineModel& model) const {
    std::int64_t last_B = -1;
    for (const TomlNode& each : links.tables("sizes")) {
      TomlTable size(each, fmt::format("[[links.{}.sizes]]", name), path_);
      size.only({"from", "latency", "bandwidth"});
      const std::int64_t from_B = read_at(size, "from", parse_size);
      if (from_B <= std::exchange(last_B, from_B))
        size.fail(size.line(),
                  "sizes from {} are repeated or not in ascending order; write them in order",
                  format_size(from_B));
      const double latency = factor(size, "latency");
      add(model.values, "factors",
          fmt::format("{}{}:{},{}", before, format_size(from_B), latency,
                      factor(size, "bandwidth")));
      require_line_rate(size, name, payload);
    }
  }

  void read_measured(const TomlNode& node, MachineModel& model) const {
    TomlTable measured(node, "[measured]", path_);
    measured.only({"where", "files", "from", "to"});
    model.where = measured.prose_or("where", "");
    (void)measured.texts("files");
    if (!measured.has("from") && !measured.has("to")) return;
    model.measured = {read_at(measured, "from", parse_size), read_at(measured, "to", parse_size)};
    if (model.measured->first_B > model.measured->last_B)
      measured.fail(measured.line_of("to"), "the measured sizes are descending: from {} down to {}",
                    format_size(model.measured->first_B), format_size(model.measured->last_B));
  }

  void check_intervals(const TomlNode& node) const {
    TomlTable intervals(node, "[intervals]", path_);
    for (const auto& [name, ends] : node.members)
      if (intervals.texts(name).size() != 2)
        intervals.fail(ends.line, "{} is not an interval of two numbers", name);
  }

  const std::string& path_;
  TomlTable root_;
  const TomlNode* all_ = nullptr;  // [links.all], where there is one
};

}  // namespace

MachineModel parse_machine_model(std::string_view text, const std::string& path) {
  const TomlNode root = parse_toml(text, path);
  if (root.members.empty())
    reject_at(
        path, 1,
        "the file is empty; a machine has [host] or [links.all], as weft calibrate writes it");
  return ModelReader(root, path).read();
}

namespace {

// What to write for a class that the network lacks: a near name, or all links.
std::string class_advice(const std::string& name, std::vector<std::string> known, bool measured) {
  constexpr std::size_t kShort = 3;  // letters; such names are near to any other
  if (!measured)
    for (std::string& usual : topology::usual_link_classes())
      if (usual.size() > kShort && std::ranges::find(known, usual) == known.end())
        known.push_back(std::move(usual));
  const std::string near = suggest(name, known);
  return near.starts_with("did you mean") ? "; " + near
                                          : "; write one of them, or [links.all] for all links";
}

}  // namespace

void require_classes(const MachineModel& machine, const Topology& topology) {
  const std::vector<std::string> known(topology.class_names().begin(),
                                       topology.class_names().end());
  for (const MachineLinks& links : machine.classes) {
    const std::string& name = links.name;
    const bool is_known = std::ranges::find(known, name) != known.end();
    if (is_known || (!links.measured && topology::is_usual_link_class(name))) continue;
    reject_at(machine.path, links.line,
              fmt::format("unknown link class '{}' (the link classes of {} are {}){}", name,
                          topology.name(), fmt::join(known, ", "),
                          class_advice(name, known, links.measured)));
  }
}

void require_classes(const MachineModel& machine) {
  for (const MachineLinks& links : machine.classes)
    if (!topology::is_usual_link_class(links.name))
      reject_at(machine.path, links.line,
                fmt::format("unknown link class '{}'{}", links.name,
                            class_advice(links.name, {}, false)));
}

std::string outside_text(const MachineModel& machine, std::span<const SentAt> sent) {
  if (!machine.measured) return "";
  const auto [first_B, last_B] = *machine.measured;
  WEFT_ASSERT(first_B <= last_B);
  std::optional<SentAt> small, large;  // the extremes of messages, and where they end and begin
  for (const auto& [size_B, messages] : sent) {
    if (messages.most_B == 0) continue;  // nothing is sent
    WEFT_ASSERT(messages.least_B <= messages.most_B);
    if (messages.least_B < first_B) {
      if (!small) small = {size_B, messages};
      small->size_B = std::max(small->size_B, size_B);
      small->messages.least_B = std::min(small->messages.least_B, messages.least_B);
    }
    if (messages.most_B > last_B) {
      if (!large) large = {size_B, messages};
      large->size_B = std::min(large->size_B, size_B);
      large->messages.most_B = std::max(large->messages.most_B, messages.most_B);
    }
  }
  const bool one_size = std::ranges::all_of(
      sent, [&](const SentAt& each) { return each.size_B == sent.front().size_B; });
  std::vector<std::string> parts;
  if (small)
    parts.push_back(
        "down to " + format_size(small->messages.least_B) +
        (one_size ? "" : fmt::format(" (at sizes up to {})", format_size(small->size_B))));
  if (large)
    parts.push_back(
        "up to " + format_size(large->messages.most_B) +
        (one_size ? "" : fmt::format(" (at sizes from {} on)", format_size(large->size_B))));
  if (parts.empty()) return "";
  return fmt::format("messages {} are outside the range that {} was measured for ({} to {})",
                     fmt::join(parts, " and "), machine.path, format_size(first_B),
                     format_size(last_B));
}

bool is_cost_of_sums(std::string_view field) {
  return std::ranges::any_of(host_fields(), [&](const HostField& each) {
    return each.member.field->name == field && each.cost && each.cost->paid_for == PaidFor::sums;
  });
}

bool is_set_by_machines(const Field& field) {
  return field.name == kLink || std::ranges::any_of(host_entries(), [&](const HostEntry& entry) {
           return entry.field->name == field.name;
         });
}

}  // namespace weft::fields
