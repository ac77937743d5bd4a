#include "weft/advise/together/rank_list.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/names.hpp"

namespace weft::advise {

namespace {

class RankList {
 public:
  explicit RankList(const Network& network)
      : network_(network), is_member_(static_cast<std::size_t>(network.ranks()), false) {}

  // Commas inside brackets belong to a list of names.
  void add(std::string_view text) {
    bool inside = false;
    std::size_t first = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      if (i < text.size() && (text[i] == '[' || text[i] == ']')) inside = text[i] == '[';
      if (i < text.size() && (text[i] != ',' || inside)) continue;
      add_item(trim(text.substr(first, i - first)), text);
      first = i + 1;
    }
  }

  std::vector<std::int32_t> take() && { return std::move(ranks_); }

 private:
  void add_item(std::string_view item, std::string_view text) {
    require(!item.empty(), "'{}' has an empty item; write ranks such as 0-7,16", text);
    if (item.find_first_not_of("0123456789-:") == std::string_view::npos) return add_range(item);
    require(network_.topology().facets().names != nullptr,
            "invalid rank '{}': the hosts of {} have no names; give numbers from 0 to {}", item,
            network_.topology().name(), network_.ranks() - 1);
    for (const std::string& name : topology::expand_names(item, "ranks")) add_host(name);
  }

  void add_range(std::string_view item) {
    const std::size_t dash = item.find('-'), colon = item.find(':');
    const auto first = number_in<std::int64_t>(item.substr(0, std::min(dash, colon)));
    auto last = first;
    if (dash != std::string_view::npos)
      last = number_in<std::int64_t>(item.substr(dash + 1, colon - dash - 1));
    std::optional<std::int64_t> stride = 1;
    if (colon != std::string_view::npos) stride = number_in<std::int64_t>(item.substr(colon + 1));
    const bool is_range =
        first && last && stride && *stride > 0 && (colon == std::string_view::npos || dash < colon);
    require(is_range, "invalid rank '{}'; write 3, 0-7, or 0-56:8 for every eighth", item);
    require(*first <= *last, "the range {} is descending; write {}-{}", item, *last, *first);
    require(*last < network_.ranks(), "rank {} does not exist; ranks are 0 to {}", *last,
            network_.ranks() - 1);
    for (std::int64_t rank = *first;; rank += *stride) {
      add_rank(static_cast<std::int32_t>(rank));
      if (*stride > *last - rank) break;
    }
  }

  void add_host(const std::string& name) {
    const topology::Topology& topology = network_.topology();
    const auto node = topology::NodeNames(topology).find(name);
    if (!node) reject("{} has no host named {}; {}", topology.name(), name, known(name));
    const auto& places = network_.placement().nodes;
    bool has_rank = false;
    for (std::size_t rank = 0; rank < places.size(); ++rank) {
      if (places[rank] != *node) continue;
      add_rank(static_cast<std::int32_t>(rank));
      has_rank = true;
    }
    require(has_rank, "{} is a {} without a rank; name a host with a rank", name,
            topology.is_host(*node) ? "host" : "switch");
  }

  std::string known(const std::string& name) const {
    std::vector<std::string> names;
    for (const NodeId host : network_.topology().hosts())
      if (const auto& own = topology::name_of(network_.topology(), host); !own.empty())
        names.push_back(own);
    return suggest(name, names);
  }

  void add_rank(std::int32_t rank) {
    require(!is_member_[static_cast<std::size_t>(rank)],
            "rank {} is repeated in the group; name each rank once", rank);
    is_member_[static_cast<std::size_t>(rank)] = true;
    ranks_.push_back(rank);
  }

  const Network& network_;
  std::vector<bool> is_member_;
  std::vector<std::int32_t> ranks_;
};

}  // namespace

std::vector<std::int32_t> ranks_in(std::span<const std::string> items, const Network& network) {
  RankList list(network);
  for (const std::string& item : items) list.add(item);
  return std::move(list).take();
}

}  // namespace weft::advise
