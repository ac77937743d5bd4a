#include "weft/topology/files/files.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/files/outputs.hpp"
#include "weft/base/suggest.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/families/families.hpp"
#include "weft/topology/files/formats.hpp"
#include "weft/topology/forwarding/forwarding.hpp"

namespace weft::topology {

namespace {

bool is_plain(std::string_view path) {
  return !path.empty() && std::all_of(path.begin(), path.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("/._-+~").find(c) != std::string_view::npos;
  });
}

// The path of file:PATH, without quotes and escapes.
std::string unquoted(std::string_view text) {
  if (text.empty() || text.front() != '"') return std::string(text);
  require(text.size() >= 2 && text.back() == '"', "file:{} has text after the quoted path", text);
  std::string path;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == '\\' && i + 2 < text.size()) ++i;
    path += text[i];
  }
  return path;
}

BuiltTopology parse_by_format(std::string_view content, TopologyFormat format,
                              const std::string& path) {
  switch (format) {
    case TopologyFormat::json:
      return read_json(content, path);
    case TopologyFormat::edges:
    case TopologyFormat::arcs:
      return read_edge_list(content, format, path);
    case TopologyFormat::graphml:
      return read_graphml(content, path);
    case TopologyFormat::dot:
      break;
  }
  reject(
      "{} cannot be read, because DOT is an output format; use .json, .edges, .arcs or "
      ".graphml",
      path);
}

// A message may quote a hostile file.
std::string one_line(std::string text) {
  for (char& c : text)
    if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = '?';
  return text;
}

}  // namespace

Expression file_expression(const std::string& path) {
  if (is_plain(path)) return {"file", path, {}};
  std::string quoted = "\"";
  for (char c : path) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return {"file", quoted + "\"", {}};
}

namespace {

std::optional<TopologyFormat> known_format(std::string_view path) {
  const std::size_t dot = path.find_last_of("./");
  const std::string extension =
      dot == std::string_view::npos || path[dot] == '/' ? "" : lower(path.substr(dot));
  if (extension == ".json") return TopologyFormat::json;
  if (extension == ".edges") return TopologyFormat::edges;
  if (extension == ".arcs") return TopologyFormat::arcs;
  if (extension == ".graphml") return TopologyFormat::graphml;
  if (extension == ".dot" || extension == ".gv") return TopologyFormat::dot;
  return std::nullopt;
}

}  // namespace

TopologyFormat format_of(std::string_view path) {
  if (const auto known = known_format(path)) return *known;
  reject(
      "'{}' does not end in the extension of a topology file (.json, .edges, .arcs or .graphml; "
      "weft topology -o also writes .dot, and .csv as a list of cables)",
      path);
}

BuiltTopology parse_topology(std::string_view content, TopologyFormat format,
                             const std::string& path) {
  try {
    return parse_by_format(content, format, path);
  } catch (const InvalidInput& error) {
    throw InvalidInput(one_line(error.what()));
  }
}

namespace {

ForeignReader foreign_reader = nullptr;

// JSON is also what others write.
bool is_foreign(std::string_view text, const std::string& path) {
  const auto format = known_format(path);
  if (!format || *format == TopologyFormat::dot) return true;
  return *format == TopologyFormat::json && text.find("\"weft-topology\"") == text.npos;
}

}  // namespace

void set_foreign_reader(ForeignReader reader) {
  foreign_reader = reader;
}

BuiltTopology read_topology(const std::string& path) {
  if (foreign_reader == nullptr) {
    const TopologyFormat format = format_of(path);
    return parse_topology(read_file(path), format, path);
  }
  const std::string text = read_file(path);
  if (!is_foreign(text, path)) return parse_topology(text, format_of(path), path);
  try {
    return foreign_reader(text, path);
  } catch (const InvalidInput& error) {
    throw InvalidInput(one_line(error.what()));
  }
}

std::string format_topology(const BuiltTopology& built, TopologyFormat format) {
  switch (format) {
    case TopologyFormat::json:
      return write_json(built);
    case TopologyFormat::edges:
    case TopologyFormat::arcs:
      return write_edge_list(built, format);
    case TopologyFormat::graphml:
      return write_graphml(built);
    case TopologyFormat::dot:
      break;
  }
  return write_dot(built.topology);
}

namespace {

// The two files cannot be replaced at once. So where there are some, the new tables stand beside
// the old ones until the network that names them by their hash is there: whoever reads in between
// finds the tables of the network that it reads.
void write_with_routes(const BuiltTopology& built, const std::string& path) {
  const std::string routes = format_routes(built.topology, *built.topology.facets().tables);
  const auto file = std::filesystem::path(path).replace_extension(".routes");
  const std::string beside = file.string() + kNewRoutes;
  const bool replaces = is_there(file.string());
  for (const std::string& other : {file.string(), beside}) claim_beside(other, path);
  write_file(replaces ? beside : file.string(), routes);
  const std::size_t hash = routes.rfind(' ') + 1;
  write_file(path, write_json(built, {file.filename().string(),
                                      routes.substr(hash, routes.size() - hash - 1)}));
  if (!replaces) return;
  write_file(file.string(), routes);
  std::error_code ignored;  // it is as good there
  std::filesystem::remove(beside, ignored);
}

}  // namespace

void write_topology(const BuiltTopology& built, const std::string& path) {
  const TopologyFormat format = format_of(path);
  if (built.topology.facets().tables && format == TopologyFormat::json)
    return write_with_routes(built, path);
  write_file(path, format_topology(built, format));
}

GivenSpeed given_speed(const FileSpeeds& speeds, LinkId link) {
  GivenSpeed given;
  if (!speeds.bandwidth_Bps.empty()) given.bandwidth_Bps = speeds.bandwidth_Bps[link];
  if (!speeds.latency_ps.empty()) given.latency_ps = speeds.latency_ps[link];
  return given;
}

FileSpeeds SpeedColumns::finish(const std::vector<LinkId>& ids_of_handles) const {
  FileSpeeds result;
  for (std::size_t i = 0; i < speeds_.size(); ++i) {
    const LinkId link = ids_of_handles[i];
    const auto set = [&](auto& column, const std::optional<std::int64_t>& value) {
      if (!value) return;
      column.resize(speeds_.size());
      column[link] = value;
    };
    set(result.bandwidth_Bps, speeds_[i].bandwidth_Bps);
    set(result.latency_ps, speeds_[i].latency_ps);
  }
  return result;
}

void require_speed(const GivenSpeed& speed, const std::string& where) {
  require(speed.bandwidth_Bps.value_or(1) > 0, "{}: bandwidth {} must be above 0 bytes/s", where,
          speed.bandwidth_Bps.value_or(0));
  require(speed.latency_ps.value_or(0) >= 0, "{}: latency {} must be at least 0 picoseconds", where,
          speed.latency_ps.value_or(0));
}

Family file_family() {
  return {"file", "PATH", "Network from a file: .json, .edges, .arcs or .graphml",
          "file:examples/dgx1.edges",
          [](std::string_view text) { return read_topology(unquoted(text)); }};
}

}  // namespace weft::topology
