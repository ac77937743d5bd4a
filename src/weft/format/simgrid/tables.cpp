// From routes to forwarding tables.
//
// A table passes a message on by where it is and for which address it is. So the routes to a host
// are one address as long as no two of them leave a switch by different arcs; those that do get
// another address of the same host. Where two links follow each other in a route and the draft
// does not join them, an arc is added that takes no time.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "draft.hpp"

namespace weft::format::simgrid {

namespace {

using Arcs = std::vector<std::size_t>;

constexpr std::size_t kMostFreeArcs = 3;  // between two links of a route

class Keeper {
 public:
  Keeper(Draft& draft, const Platform& platform, RouteFinder& finder)
      : draft_(draft),
        finder_(finder),
        points_(hosts_of(platform)),
        out_(draft.nodes.size()),
        arcs_of_(platform.resources.size()),
        visits_(draft.nodes.size(), -1),
        reached_(draft.nodes.size(), -1) {
    for (std::size_t i = 0; i < draft.arcs.size(); ++i) {
      out_[draft.arcs[i].from].push_back(i);
      if (draft.arcs[i].resource) arcs_of_[index(*draft.arcs[i].resource)].push_back(i);
    }
  }

  SavedRoutes keep() && {
    for (std::size_t to = 0; to < points_.size(); ++to) {
      const std::size_t first = kept_.hosts.size();
      without_route_.clear();
      for (std::size_t from = 0; from < points_.size() && !kept_.too_large; ++from)
        if (from != to) keep(from, to, first);
      if (kept_.too_large) return std::move(kept_);
      if (kept_.hosts.size() > first + 1) kept_.needs_gates = true;
      for (const std::size_t from : without_route_) serve(from, to, first);
    }
    for (const std::size_t node : draft_.nodes_of_hosts)
      if (out_[node].size() > 1) kept_.needs_gates = true;
    return std::move(kept_);
  }

 private:
  static std::size_t index(ResourceId resource) { return static_cast<std::size_t>(resource); }

  void keep(std::size_t from, std::size_t to, std::size_t first) {
    const std::vector<ResourceId> route = finder_.route(points_[from], points_[to]);
    if (route.empty()) return without_route_.push_back(from);
    if (!walk(route, draft_.nodes_of_hosts[from], draft_.nodes_of_hosts[to])) {
      ++kept_.failed;
      return;
    }
    kept_.too_large = draft_.arcs.size() > kMostArcs;
    for (std::size_t address = first; address < kept_.hosts.size(); ++address)
      if (write(kept_.next[address])) return;
    kept_.too_large =
        kept_.too_large || (kept_.next.size() + 1) * draft_.nodes.size() > kMostEntries;
    if (kept_.too_large) return;
    kept_.hosts.push_back(to);
    kept_.next.emplace_back(draft_.nodes.size(), -1);
    if (!write(kept_.next.back())) ++kept_.failed;
  }

  // SimGrid has no way: takes one that others' messages to the host have from some link on.
  void serve(std::size_t from, std::size_t to, std::size_t first) {
    const std::size_t host = draft_.nodes_of_hosts[to];
    const std::vector<std::size_t>& ports = out_[draft_.nodes_of_hosts[from]];
    for (std::size_t address = first; address < kept_.hosts.size(); ++address) {
      std::vector<std::int32_t>& next = kept_.next[address];
      for (const std::size_t port : ports) {
        const std::size_t node = draft_.arcs[port].to;
        if (arrives(node, next, host)) return;
        if (is_host(node) || next[node] >= 0) continue;
        for (const std::size_t arc : out_[node])
          if (arrives(draft_.arcs[arc].to, next, host)) {
            next[node] = static_cast<std::int32_t>(arc);
            return;
          }
      }
    }
    ++kept_.unserved;
  }

  bool arrives(std::size_t node, const std::vector<std::int32_t>& next, std::size_t host) const {
    for (std::size_t steps = 0; !is_host(node); ++steps) {
      if (next[node] < 0 || steps > next.size()) return false;
      node = draft_.arcs[static_cast<std::size_t>(next[node])].to;
    }
    return node == host;
  }

  // From a host to its gate.
  std::optional<std::size_t> gate_arc(std::size_t host) const {
    if (out_[host].size() != 1 || draft_.arcs[out_[host][0]].link_class != "gate")
      return std::nullopt;
    return out_[host][0];
  }

  // Into path_; false where it passes a host, or a switch twice.
  bool walk(const std::vector<ResourceId>& route, std::size_t from, std::size_t to) {
    path_.clear();
    std::size_t node = from;
    if (const auto gate = gate_arc(from)) {
      path_.push_back(*gate);
      node = draft_.arcs[*gate].to;
    }
    for (const ResourceId resource : route) {
      if (node != from && is_host(node)) return false;
      const Arcs* arcs = find(node, index(resource));
      if (arcs == nullptr) return false;
      path_.insert(path_.end(), arcs->begin(), arcs->end());
      node = draft_.arcs[path_.back()].to;
    }
    if (node != to) {
      if (is_host(node)) return false;
      const Arcs& arcs = *find_host(node, to);
      path_.insert(path_.end(), arcs.begin(), arcs.end());
    }
    ++walks_;
    for (const std::size_t arc : path_) {
      std::int64_t& visit = visits_[draft_.arcs[arc].from];
      if (visit == walks_) {
        note_twice(draft_.arcs[arc].from);
        return false;
      }
      visit = walks_;
    }
    return true;
  }

  void note_twice(std::size_t node) {
    for (const std::size_t arc : path_)
      if (draft_.arcs[arc].resource && draft_.arcs[arc].to == node && noted_.insert(arc).second)
        kept_.twice.push_back(arc);
  }

  bool is_host(std::size_t node) const { return draft_.nodes[node].kind == NodeKind::host; }

  // The arcs from a node that end with the resource; null where a host has to pass it on.
  const Arcs* find(std::size_t node, std::size_t resource) {
    const auto [known, is_new] = memory_.try_emplace(key(node, resource));
    if (!is_new) return known->second.empty() ? nullptr : &known->second;
    const Arcs& wanted = arcs_of_[resource];
    if (wanted.empty()) return nullptr;
    Arcs found = free_way(node, [&](std::size_t at) {
      const auto arc = std::ranges::find_if(
          wanted, [&](std::size_t each) { return draft_.arcs[each].from == at; });
      return arc == wanted.end() ? std::nullopt : std::optional(*arc);
    });
    if (found.empty() && !is_host(draft_.arcs[wanted[0]].from))
      found = {jump(node, draft_.arcs[wanted[0]].from), wanted[0]};
    Arcs& kept = memory_.at(key(node, resource));
    kept = std::move(found);
    return kept.empty() ? nullptr : &kept;
  }

  const Arcs* find_host(std::size_t node, std::size_t host) {
    const auto [known, is_new] = memory_.try_emplace(key(node, arcs_of_.size() + host));
    if (!is_new) return &known->second;
    Arcs found = free_way(node, [&](std::size_t at) {
      const auto arc = std::ranges::find_if(out_[at], [&](std::size_t each) {
        return draft_.arcs[each].to == host && !draft_.arcs[each].resource;
      });
      return arc == out_[at].end() ? std::nullopt : std::optional(*arc);
    });
    if (found.empty()) found = {jump(node, host)};
    Arcs& kept = memory_.at(key(node, arcs_of_.size() + host));
    kept = std::move(found);
    return &kept;
  }

  static std::uint64_t key(std::size_t node, std::size_t what) {
    return static_cast<std::uint64_t>(node) << 32 | what;
  }

  // The shortest way along arcs that take no time, and then the last arc, which a node has or not.
  template <class LastArc>
  Arcs free_way(std::size_t start, LastArc last_arc) {
    std::vector<std::pair<std::size_t, Arcs>> reached{{start, {}}};
    reached_[start] = ++searches_;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const std::size_t node = reached[i].first;
      if (const auto last = last_arc(node)) {
        Arcs arcs = reached[i].second;
        arcs.push_back(*last);
        return arcs;
      }
      if (reached[i].second.size() == kMostFreeArcs) continue;
      for (const std::size_t arc : out_[node]) {
        const std::size_t next = draft_.arcs[arc].to;
        if (draft_.arcs[arc].resource || is_host(next)) continue;
        if (std::exchange(reached_[next], searches_) == searches_) continue;
        Arcs arcs = reached[i].second;
        arcs.push_back(arc);
        reached.emplace_back(next, std::move(arcs));
      }
    }
    return {};
  }

  std::size_t jump(std::size_t from, std::size_t to) {
    const std::size_t arc = draft_.add_arc({from, to, {}, {}, "bus", {}});
    out_[from].push_back(arc);
    return arc;
  }

  // False where it has another way on already.
  bool write(std::vector<std::int32_t>& next) const {
    const auto fits = [&](std::size_t arc) {
      const std::size_t node = draft_.arcs[arc].from;
      return is_host(node) || next[node] < 0 || next[node] == static_cast<std::int32_t>(arc);
    };
    if (!std::ranges::all_of(path_, fits)) return false;
    for (const std::size_t arc : path_)
      if (!is_host(draft_.arcs[arc].from))
        next[draft_.arcs[arc].from] = static_cast<std::int32_t>(arc);
    return true;
  }

  Draft& draft_;
  RouteFinder& finder_;
  std::vector<std::size_t> points_;         // by number of a host
  std::vector<std::size_t> without_route_;  // hosts, to the present one
  std::vector<Arcs> out_;                   // by node
  std::vector<Arcs> arcs_of_;               // by resource
  std::vector<std::int64_t> visits_;        // by node: the last walk that left it
  std::int64_t walks_ = 0;
  std::vector<std::int64_t> reached_;  // by node: the last search for a free way that saw it
  std::int64_t searches_ = 0;
  std::unordered_set<std::size_t> noted_;  // of kept_.twice
  Arcs path_;
  std::unordered_map<std::uint64_t, Arcs> memory_;
  SavedRoutes kept_;
};

}  // namespace

SavedRoutes keep_routes(Draft& draft, const Platform& platform, RouteFinder& finder) {
  return Keeper(draft, platform, finder).keep();
}

}  // namespace weft::format::simgrid
