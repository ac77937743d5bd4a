#include "cli/study/group_counts.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace weft::cli {

namespace {

struct Group {
  GroupCounts counts;
  std::map<std::pair<std::string, std::string>, report::ClaimMark> items = {};  // by file, source

  void add(const std::string& file, const study::Claim& claim) {
    if (claim.kind == study::Claim::Kind::own) {
      ++counts.own;
      return;
    }
    const report::ClaimMark mark = report::mark_of(claim);
    ++counts.claims[static_cast<std::size_t>(mark)];
    report::ClaimMark& worst = items.try_emplace({file, claim.source}, mark).first->second;
    worst = std::max(worst, mark);
  }
};

}  // namespace

std::vector<GroupCounts> counts_by_group(const std::vector<study::Experiment>& experiments) {
  std::map<std::string, Group> groups;
  for (const study::Experiment& experiment : experiments)
    for (const std::string& name : experiment.groups) {
      Group& group = groups[name];
      group.counts.name = name;
      ++group.counts.experiments;
      for (const study::Claim& claim : experiment.claims) group.add(experiment.path, claim);
    }
  std::vector<GroupCounts> counts;
  for (auto& [name, group] : groups) {
    for (const auto& [place, mark] : group.items)
      ++group.counts.items[static_cast<std::size_t>(mark)];
    counts.push_back(std::move(group.counts));
  }
  return counts;
}

}  // namespace weft::cli
