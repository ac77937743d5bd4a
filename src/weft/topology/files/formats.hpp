// What the files of this folder offer to files.cpp: one reader and one writer per format.
#pragma once

#include <string>
#include <string_view>

#include "weft/topology/files/files.hpp"

namespace weft::topology {

BuiltTopology read_json(std::string_view content, const std::string& path);
BuiltTopology read_edge_list(std::string_view content, TopologyFormat format,
                             const std::string& path);
BuiltTopology read_graphml(std::string_view content, const std::string& path);

/// The file of forwarding tables that a JSON file names: beside it, and known by its last line.
struct RoutesFile {
  std::string name = {}, hash = {};  // empty: there is none
};
std::string write_json(const BuiltTopology& built, const RoutesFile& routes = {});
/// Behind the name of that file while the network's own is replaced.
inline constexpr const char* kNewRoutes = ".new";
std::string write_edge_list(const BuiltTopology& built, TopologyFormat format);
std::string write_graphml(const BuiltTopology& built);
std::string write_dot(const Topology& topology);

/// The speeds of a link, where a file gave them.
struct GivenSpeed {
  std::optional<std::int64_t> bandwidth_Bps, latency_ps;
};
GivenSpeed given_speed(const FileSpeeds& speeds, LinkId link);

/// Collects speeds by handle while a file is read, one entry a link.
class SpeedColumns {
 public:
  void add(const GivenSpeed& speed) { speeds_.push_back(speed); }
  /// By link id; a column that says nothing anywhere is empty.
  FileSpeeds finish(const std::vector<LinkId>& ids_of_handles) const;

 private:
  std::vector<GivenSpeed> speeds_;
};

/// Bandwidth must be above 0, latency 0 or more; `where` leads the message. Throws InvalidInput.
void require_speed(const GivenSpeed& speed, const std::string& where);

}  // namespace weft::topology
