// weft's own JSON for topologies, version 2:
//
//   {"format": "weft-topology", "version": 2, "expression": "torus:4x4", "hash":
//   "0123456789abcdef",
//    "nodes": 16, "nominal_degree": 4, "switches": [], "classes": ["x", "y"],
//    "links": [[tail, head, class, reverse], ...],       in the order of LinkId; one-way: no
//    reverse "bandwidth_Bps": [...], "latency_ps": [...]         by link, null where unknown; may
//    be absent
//    "facets": {...}, "holes": {...},                         see facets_json.hpp; may be absent
//    "names": [...], "ports": [...],                 of nodes, and of the ports that links leave
//    by; null where there is none; may be absent
//    "import_notes": [{"text": "...", "kind": "answer"}, ...]  of an imported network; may be
//    absent
//    "infiniband_Bps": 12500000000       of most cables of hosts in an InfiniBand fabric; may be
//    absent
//    "machine": "gpus"                   whose speeds it has where --machine is left out; may be
//    absent
//
// Required are format, version, nodes and links; class and reverse of a link may be left out. The
// links of a tail are numbered in file order. The hash, when given, must be that of the graph. The
// expression is kept as the topology's name when it builds the same graph; otherwise the name is
// file:PATH. Facets are checked against the graph; where a file has none, as in version 1, they are
// those of the expression, if it is kept.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/topology/facet_check.hpp"
#include "weft/topology/files/facets_json.hpp"
#include "weft/topology/files/formats.hpp"
#include "weft/topology/files/json_keys.hpp"
#include "weft/topology/files/names_json.hpp"
#include "weft/topology/forwarding/forwarding.hpp"
#include "weft/topology/machines/machines.hpp"
#include "weft/topology/parameters.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {

namespace {

using nlohmann::json;

constexpr std::size_t kMostClasses = 1000;
constexpr int kVersion = 2;

std::string hash_text(std::uint64_t hash) {
  return fmt::format("{:016x}", hash);
}

// No one needs a name beyond printing and views, unless it reads other files.
bool reads_files(const Expression& expression) {
  return expression.name == "file" ||
         ((expression.name == "names" || expression.name == "tables") &&
          expression.parameters.starts_with("file=")) ||
         std::any_of(expression.children.begin(), expression.children.end(), reads_files);
}

class Reader {
 public:
  Reader(std::string_view content, const std::string& path) : content_(content), path_(path) {
    try {
      root_ = json::parse(content);
    } catch (const json::exception& error) {
      std::string reason = error.what();  // "[json.exception...] parse error at line 1, ...: ..."
      reason = reason.substr(reason.find("] ") == std::string::npos ? 0 : reason.find("] ") + 2);
      std::replace(reason.begin(), reason.end(), '\n', ' ');
      reject("{} is not JSON or is truncated ({})", path_, reason);
    }
  }

  BuiltTopology read() {
    check_header();
    require_keys(content_, path_, known_keys());
    for (const auto& [key, other] : {std::array{"ports", "names"}, std::array{"holes", "facets"}})
      require(find(key) == nullptr || find(other) != nullptr, "{}: '{}' needs '{}' as well", path_,
              key, other);
    read_links();
    BuiltTopology named_by_file = build(file_expression(path_), {});
    const std::uint64_t hash = named_by_file.topology.hash();
    if (const json* stored = find("hash"))
      require(stored->is_string() && stored->get_ref<const std::string&>() == hash_text(hash),
              "{}: hash {} does not match the graph ({}); the file was changed, so correct or "
              "remove 'hash'",
              path_, stored->is_string() ? stored->get<std::string>() : brief(*stored),
              hash_text(hash));
    const auto expressed = stored_expression(named_by_file.topology);
    Facets facets = expressed ? expressed->facets() : Facets();
    if (find("facets") != nullptr)
      if (Facets given = read_facets(root_, path_); !(given == facets))
        facets = checked_facets(std::move(given), named_by_file.topology, path_);
    if (const json* names = find("names"))
      facets.names = read_names_json(*names, find("ports"), static_cast<std::size_t>(nodes_),
                                     links_.size(), path_);
    if (const json* routes = find("routes"))
      facets.tables = read_tables(*routes, named_by_file.topology);
    if (const json* notes = find("import_notes"))
      facets.import_notes = read_import_notes(*notes, path_);
    if (const json* rate = find("infiniband_Bps"))
      facets.infiniband_Bps = integer(*rate, "'infiniband_Bps'", 1, INT64_MAX);
    facets.machine = read_machine_name();
    if (!expressed && facets.facets.empty() && !facets.names && !facets.tables &&
        !facets.import_notes && facets.infiniband_Bps == 0 && facets.machine.empty())
      return named_by_file;
    return build(expressed ? expressed->expression() : file_expression(path_), std::move(facets));
  }

 private:
  const json* find(const char* key) const {
    const auto entry = root_.find(key);
    return entry == root_.end() ? nullptr : &*entry;
  }

  std::int64_t integer(const json& value, std::string_view what, std::int64_t least,
                       std::int64_t most) const {
    const bool fits = value.is_number_integer() &&
                      (!value.is_number_unsigned() ||
                       value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most)) &&
                      value.get<std::int64_t>() >= least && value.get<std::int64_t>() <= most;
    if (!fits)  // brief() is too dear for every number of a large file
      reject("{}: {} is {} (expected an integer from {} to {})", path_, what, brief(value), least,
             most);
    return value.get<std::int64_t>();
  }

  // A name, since a path would mean another file elsewhere.
  std::string read_machine_name() const {
    const json* machine = find("machine");
    if (machine == nullptr) return "";
    require(machine->is_string() && !machine->get_ref<const std::string&>().empty() &&
                machine->get_ref<const std::string&>().find('/') == std::string::npos,
            "{}: 'machine' is {} (expected the name of a machine, as weft list machines has it)",
            path_, brief(*machine));
    return machine->get<std::string>();
  }

  // In a file beside this one.
  std::shared_ptr<const ForwardingTables> read_tables(const json& routes,
                                                      const Topology& graph) const {
    const auto text = [&](const char* key) {
      require(routes.is_object() && routes.contains(key) && routes[key].is_string(),
              "{}: 'routes' needs '{}', a text", path_, key);
      return routes[key].get<std::string>();
    };
    const std::string name = text("file");
    require(!name.empty() && name.find('/') == std::string::npos,
            "{}: the forwarding tables are in '{}', which does not exist in the folder of the "
            "file",
            path_, name);
    const std::string file = (std::filesystem::path(path_).parent_path() / name).string();
    const std::string end = fmt::format("end {}\n", text("hash"));
    std::string content = read_file(file);
    if (const std::string other = file + kNewRoutes; !content.ends_with(end) && is_there(other))
      content = read_file(other);
    require(content.ends_with(end),
            "{}: {} is not the file of these tables; import the network again", path_, file);
    return std::make_shared<const ForwardingTables>(parse_routes(content, graph, file));
  }

  const json& array(const char* key) const {
    const json* value = find(key);
    require(value != nullptr && value->is_array(), "{}: '{}' is missing or not an array", path_,
            key);
    return *value;
  }

  void check_header() const {
    const json* format = root_.is_object() ? find("format") : nullptr;
    require(format != nullptr && *format == "weft-topology",
            "{} is not a weft topology (its 'format' is not 'weft-topology')", path_);
    const json* version = find("version");
    require(version != nullptr && (*version == kVersion || *version == 1),
            "{}: unknown version {} (this program reads versions 1 to {})", path_,
            version ? brief(*version) : "(none)", kVersion);
  }

  static std::vector<std::string> known_keys() {
    std::vector<std::string> keys = facet_keys();
    for (const char* key : {"format",
                            "version",
                            "expression",
                            "hash",
                            "nodes",
                            "nominal_degree",
                            "switches",
                            "classes",
                            "links",
                            "bandwidth_Bps",
                            "latency_ps",
                            "names",
                            "ports",
                            "routes",
                            "routes/file",
                            "routes/hash",
                            "import_notes",
                            "import_notes/text",
                            "import_notes/kind",
                            "infiniband_Bps",
                            "machine"})
      keys.emplace_back(key);
    return keys;
  }

  void read_links() {
    const json& links = array("links");
    // A node without links is legal, but a file of few links has no millions of them.
    const auto most_nodes = static_cast<std::int64_t>(2 * links.size() + 1000);
    const json* nodes = find("nodes");
    require(nodes != nullptr, "{}: 'nodes' is missing", path_);
    nodes_ = integer(*nodes, "'nodes'", 1, most_nodes);
    require_size(path_, static_cast<double>(nodes_), static_cast<double>(links.size()));
    read_classes();
    links_.reserve(links.size());
    for (std::size_t i = 0; i < links.size(); ++i) read_link(links[i], i, links.size());
    for (std::size_t i = 0; i < links_.size(); ++i) check_reverse(i);
    read_column("bandwidth_Bps", 1, bandwidth_Bps_);
    read_column("latency_ps", 0, latency_ps_);
  }

  void read_classes() {
    if (find("classes") == nullptr) return;
    const json& classes = array("classes");
    require(!classes.empty() && classes.size() <= kMostClasses, "{}: {} classes (needs 1 to {})",
            path_, classes.size(), kMostClasses);
    classes_.clear();
    for (const json& name : classes) {
      require(name.is_string() && !name.get<std::string>().empty(),
              "{}: class {} is not a name (expected a text)", path_, brief(name));
      const auto text = name.get<std::string>();
      require(std::find(classes_.begin(), classes_.end(), text) == classes_.end(),
              "{}: class '{}' is repeated", path_, text);
      classes_.push_back(text);
    }
  }

  void read_link(const json& row, std::size_t index, std::size_t count) {
    const std::string what = fmt::format("link {}", index);
    if (!row.is_array() || row.size() < 2 || row.size() > 4)
      reject("{}: {} is {} (expected [tail, head, class, reverse])", path_, what, brief(row));
    Link link{};
    link.tail = integer(row[0], what + "'s tail", 0, nodes_ - 1);
    link.head = integer(row[1], what + "'s head", 0, nodes_ - 1);
    const auto classes = static_cast<std::int64_t>(classes_.size());
    if (row.size() > 2) link.link_class = integer(row[2], what + "'s class", 0, classes - 1);
    link.reverse = static_cast<std::int64_t>(index);
    if (row.size() > 3)
      link.reverse = integer(row[3], what + "'s reverse", 0, static_cast<std::int64_t>(count) - 1);
    links_.push_back(link);
  }

  void check_reverse(std::size_t index) const {
    const Link& link = links_[index];
    const Link& back = links_[link.reverse];
    require(back.reverse == static_cast<std::int64_t>(index) &&
                (&link == &back || (back.tail == link.head && back.head == link.tail)),
            "{}: link {} has reverse {}, but that link does not lead back or has another reverse",
            path_, index, link.reverse);
  }

  void read_column(const char* key, std::int64_t least,
                   std::vector<std::optional<std::int64_t>>& column) const {
    if (find(key) == nullptr) return;
    const json& values = array(key);
    require(values.size() == links_.size(), "{}: '{}' has {} entries for {} links", path_, key,
            values.size(), links_.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::optional<std::int64_t> value;
      if (!values[i].is_null())
        value = integer(values[i], fmt::format("{} of link {}", key, i), least, INT64_MAX);
      column.push_back(value);
    }
  }

  BuiltTopology build(Expression expression, Facets facets) const {
    TopologyBuilder builder(nodes_);
    std::vector<ClassId> classes;
    for (const std::string& name : classes_) classes.push_back(builder.link_class(name));
    set_switches(builder);
    SpeedColumns speeds;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const Link& link = links_[i];
      const auto handle =
          builder.add_link(NodeId(link.tail), NodeId(link.head), classes[link.link_class]);
      if (link.reverse < handle)
        builder.pair(static_cast<TopologyBuilder::Handle>(link.reverse), handle);
      speeds.add({bandwidth_Bps_.empty() ? std::nullopt : bandwidth_Bps_[i],
                  latency_ps_.empty() ? std::nullopt : latency_ps_[i]});
    }
    if (const json* degree = find("nominal_degree"))
      builder.set_nominal_degree(
          static_cast<int>(integer(*degree, "'nominal_degree'", 0, INT32_MAX)));
    builder.set_facets(std::move(facets));
    std::vector<LinkId> ids_of_handles;
    Topology topology = std::move(builder).build(std::move(expression), &ids_of_handles);
    return {std::move(topology), speeds.finish(ids_of_handles)};
  }

  void set_switches(TopologyBuilder& builder) const {
    if (find("switches") == nullptr) return;
    for (const json& node : array("switches"))
      builder.set_kind(NodeId(integer(node, "a switch", 0, nodes_ - 1)), NodeKind::switch_node);
  }

  // What the stored expression builds, if it is just this graph.
  std::optional<Topology> stored_expression(const Topology& graph) const {
    const json* stored = find("expression");
    if (stored == nullptr || !stored->is_string()) return std::nullopt;
    try {
      Expression expression = parse_expression(stored->get<std::string>());
      if (reads_files(expression)) return std::nullopt;
      const SizeLimit limit(2.0 * (graph.node_count() + graph.link_count()) + 1000);
      Topology built = build_topology(expression).topology;
      const bool same = built.hash() == graph.hash() &&
                        std::ranges::equal(built.class_names(), graph.class_names()) &&
                        built.nominal_degree() == graph.nominal_degree();
      return same ? std::optional(std::move(built)) : std::nullopt;
    } catch (const InvalidInput&) {  // an expression of another registry
      return std::nullopt;
    }
  }

  struct Link {
    std::int64_t tail, head, link_class, reverse;
  };

  std::string_view content_;
  const std::string& path_;
  json root_;
  std::int64_t nodes_ = 0;
  std::vector<std::string> classes_{"link"};
  std::vector<Link> links_;
  std::vector<std::optional<std::int64_t>> bandwidth_Bps_, latency_ps_;
};

template <class Items, class Text>
std::string list(const Items& items, std::string_view separator, Text text) {
  std::string result;
  for (const auto& item : items) {
    if (!result.empty()) result += separator;
    result += text(item);
  }
  return result;
}

std::string link_row(const Topology& topology, LinkId link) {
  std::string row = fmt::format("[{},{},{}", topology.tail(link).value(),
                                topology.head(link).value(), topology.link_class(link).value());
  if (const auto reverse = topology.reverse(link)) row += fmt::format(",{}", reverse->value());
  return row + "]";
}

std::string column(const char* key, std::span<const std::optional<std::int64_t>> values) {
  if (values.empty()) return {};
  const auto text = [](const auto& value) { return value ? std::to_string(*value) : "null"; };
  return fmt::format(",\n\"{}\": [{}]", key, list(values, ",", text));
}

}  // namespace

BuiltTopology read_json(std::string_view content, const std::string& path) {
  return Reader(content, path).read();
}

std::string write_json(const BuiltTopology& built, const RoutesFile& routes) {
  const Topology& topology = built.topology;
  const auto number = [](NodeId node) { return std::to_string(node.value()); };
  std::string text = fmt::format(
      "{{\"format\": \"weft-topology\", \"version\": {},\n\"expression\": {}, \"hash\": \"{}\",\n"
      "\"nodes\": {}, \"nominal_degree\": {},\n\"switches\": [{}],\n\"classes\": [{}],\n"
      "\"links\": [\n",
      kVersion, json_text(topology.name()), hash_text(topology.hash()), topology.node_count(),
      topology.nominal_degree(), list(topology.switches(), ",", number),
      list(topology.class_names(), ", ", json_text));
  text += list(topology.links(), ",\n", [&](LinkId link) { return link_row(topology, link); });
  text += "\n]" + column("bandwidth_Bps", built.speeds.bandwidth_Bps) +
          column("latency_ps", built.speeds.latency_ps) + facets_text(topology.facets()) +
          names_text(topology) + import_notes_text(topology);
  if (const std::int64_t rate_Bps = topology.facets().infiniband_Bps; rate_Bps > 0)
    text += fmt::format(",\n\"infiniband_Bps\": {}", rate_Bps);
  if (const std::string machine = machine_in(topology); !machine.empty())
    text += fmt::format(",\n\"machine\": {}", json_text(machine));
  if (!routes.name.empty())
    text += fmt::format(",\n\"routes\": {{\"file\": {}, \"hash\": \"{}\"}}", json_text(routes.name),
                        routes.hash);
  text += "\n}\n";
  return text;
}

}  // namespace weft::topology
