// Groups of ranks, as PyTorch's traces name them in a node of their own: a list of texts with one
// text, which is JSON.
#include <cstdint>
#include <nlohmann/json.hpp>

#include "node_reader.hpp"
#include "weft/base/error.hpp"

namespace weft::format {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t kMostRanks = std::int64_t{1} << 24;

TraceGroup group_in(const Json& json) {
  require(json.is_object() && json.contains("pg_name") && json["pg_name"].is_string(),
          "a process group has no pg_name");
  TraceGroup group{.name = json["pg_name"].get<std::string>(), .ranks = {}};
  const Json& ranks = json.contains("ranks") ? json["ranks"] : Json::array();
  require(ranks.is_array(), "the ranks of process group '{}' are not a list", group.name);
  for (const Json& rank : ranks) {
    require(rank.is_number_integer() && rank.get<std::int64_t>() >= 0 &&
                rank.get<std::int64_t>() < kMostRanks,
            "process group '{}' has an invalid rank", group.name);
    group.ranks.push_back(rank.get<std::int32_t>());
  }
  return group;
}

}  // namespace

std::vector<TraceGroup> groups_in(std::string_view text) {
  const std::size_t first = text.find("[{"), last = text.rfind("}]");
  if (first == std::string_view::npos && (text.empty() || text.find(']') != std::string_view::npos))
    return {};
  require(first != std::string_view::npos,
          "the process groups are not a list such as [{{\"pg_name\": \"0\", \"ranks\": [0, "
          "1]}}]");
  require(last != std::string_view::npos && last > first,
          "the text of the process groups is truncated");
  const Json json = Json::parse(text.substr(first, last + 2 - first), nullptr, false);
  require(json.is_array(), "the text of the process groups is not JSON");
  std::vector<TraceGroup> groups;
  for (const Json& group : json) groups.push_back(group_in(group));
  return groups;
}

std::string text_of(std::span<const TraceGroup> groups) {
  Json json = Json::array();
  for (const TraceGroup& group : groups)
    json.push_back({{"pg_name", group.name},
                    {"ranks", group.ranks},
                    {"group_size", group.ranks.size()},
                    {"group_count", groups.size()}});
  return "['" + json.dump() + "']";
}

}  // namespace weft::format
