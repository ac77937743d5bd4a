// The registry: entries.hpp, made once.
#include "weft/network/routings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/network/routing/entries.hpp"

namespace weft::network {

namespace {

const std::vector<RoutingEntry>& entries() {
  static const std::vector<RoutingEntry> all = [] {
    std::vector<RoutingEntry> made;
    for (const auto& make : kEntries) {
      made.push_back(make());
      made.back().info.gives_paths = made.back().paths != nullptr;
    }
    return made;
  }();
  return all;
}

template <class Wanted>
std::vector<std::string> names_of(Wanted&& wanted) {
  std::vector<std::string> names;
  for (const RoutingEntry& entry : entries())
    if (wanted(entry)) names.push_back(entry.info.name);
  return names;
}

// What NAME:K says: the name, and the connections of a pair; 0 where it is no number in range.
struct RoutingName {
  std::string_view name;
  std::optional<std::int32_t> connections;
};

RoutingName parted(std::string_view name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return {name, std::nullopt};
  const auto count = number_in<std::int32_t>(name.substr(colon + 1)).value_or(0);
  return {name.substr(0, colon), count <= kMostConnections ? std::max(count, 0) : 0};
}

const RoutingEntry* find_whole(std::string_view name) {
  const std::string wanted = lower_name(name);
  for (const RoutingEntry& entry : entries()) {
    const RoutingInfo& info = entry.info;
    if (info.name == wanted || (info.hops && std::ranges::count(info.hops->aliases, wanted) > 0))
      return &entry;
  }
  return nullptr;
}

const RoutingEntry* find_entry(std::string_view name) {
  const RoutingName asked = parted(name);
  const RoutingEntry* entry = find_whole(asked.name);
  if (entry == nullptr || !asked.connections) return entry;
  return *asked.connections > 0 && entry->of_connections != nullptr ? entry : nullptr;
}

// Of NAME:K, whose name alone is known.
void require_connections(std::string_view name) {
  const RoutingEntry* entry = find_whole(parted(name).name);
  if (entry == nullptr) return;
  require(entry->of_connections != nullptr,
          "routing {} does not accept a number of connections; write {}", entry->info.name,
          entry->info.name);
  reject("invalid routing '{}' (expected {}:K, K from 1 to {} connections)", name, entry->info.name,
         kMostConnections);
}

}  // namespace

std::string with_connections(std::string_view name, std::int32_t connections) {
  WEFT_ASSERT(connections >= 1);
  return connections == 1 ? std::string(name) : fmt::format("{}:{}", name, connections);
}

std::string canonical_routing(std::string_view name) {
  const RoutingEntry* entry = find_entry(name);
  if (entry == nullptr) return "";
  return with_connections(entry->info.name, parted(name).connections.value_or(1));
}

bool takes_connections(std::string_view name) {
  const RoutingEntry* entry = find_entry(name);
  return entry != nullptr && entry->of_connections != nullptr;
}

std::span<const RoutingInfo> routings() {
  static const std::vector<RoutingInfo> all = [] {
    std::vector<RoutingInfo> infos;
    for (const RoutingEntry& entry : entries()) infos.push_back(entry.info);
    return infos;
  }();
  return all;
}

const RoutingInfo* find_routing(std::string_view name) {
  const RoutingEntry* entry = find_entry(name);
  return entry == nullptr ? nullptr : &routings()[static_cast<std::size_t>(entry - &entries()[0])];
}

void require_known_routing(std::string_view name) {
  if (find_entry(name) != nullptr) return;
  require_connections(name);
  reject_unknown({"routing", name}, names_of([](const RoutingEntry&) { return true; }));
}

bool is_of_packets_only(std::string_view name) {
  const RoutingEntry* entry = find_entry(name);
  return entry != nullptr && entry->paths == nullptr;
}

bool draws_paths(std::string_view name) {
  const RoutingEntry* entry = find_entry(name);
  return entry != nullptr && entry->info.draws;
}

std::string hop_routing(std::string_view name, const Topology& topology) {
  const RoutingEntry* entry = find_entry(name);
  if (entry == nullptr || !entry->info.hops) return "";
  const auto chosen_on = entry->info.hops->chosen_on;
  return chosen_on == nullptr ? lower_name(name) : std::string(chosen_on(topology));
}

std::shared_ptr<const Routing> make_routing(std::string_view name, const Fabric& fabric,
                                            std::uint64_t seed) {
  if (const RoutingEntry* entry = find_entry(name); entry != nullptr && entry->paths != nullptr) {
    const auto connections = parted(name).connections;
    return connections ? entry->of_connections(fabric, seed, *connections)
                       : entry->paths(fabric, seed);
  }
  if (find_entry(name) == nullptr) require_connections(name);
  reject_unknown({"routing", name},
                 names_of([](const RoutingEntry& entry) { return entry.paths != nullptr; }));
}

std::unique_ptr<HopRouting> make_hop_routing(std::string_view name, const HopContext& context) {
  if (const RoutingEntry* entry = find_entry(name); entry != nullptr && entry->hops != nullptr)
    return entry->hops(context);
  reject_unknown({"packet routing", name},
                 names_of([](const RoutingEntry& entry) { return entry.hops != nullptr; }));
}

}  // namespace weft::network
