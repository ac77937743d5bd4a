// Forwarding tables as dump_fts prints them:
//
//   Unicast lids [0x0-0x8] of switch DR path slid 0; dlid 0; 0,5,2 guid 0x0000000000200001 (leaf1):
//     Lid  Out   Destination
//          Port     Info
//   0x0002 005 : (Channel Adapter portguid 0x0000000000100001: 'h0')
//   8 valid lids dumped
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "../text_lines.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/format/format.hpp"
#include "weft/topology/forwarding/forwarding.hpp"
#include "weft/topology/names.hpp"

namespace weft::format {

namespace {

using topology::ForwardingTables;
using topology::node_text;

template <class Number>
std::optional<Number> hexadecimal(std::string_view text) {
  if (!text.starts_with("0x")) return std::nullopt;
  return number_in<Number>(text.substr(2), 16);
}

// The word behind another, up to a blank or one of ":)".
std::string_view behind(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  if (at == std::string_view::npos) return {};
  text = trim(text.substr(at + word.size()));
  return text.substr(0, text.find_first_of(" :)"));
}

class Reader {
 public:
  Reader(const ImportedFabric& fabric, std::string_view text, const std::string& file)
      : fabric_(fabric), topology_(fabric.network.topology), text_(text), file_(file) {
    number_addresses();
    number_ports();
  }

  ForwardingTables read() && {
    for (const std::string_view whole : lines_of(text_)) {
      ++line_;
      const std::string_view line = trim(whole);
      if (line.empty() || line.starts_with("Lid ") || line.starts_with("Port ")) continue;
      if (line.starts_with("Unicast lids"))
        begin_switch(line);
      else if (line.starts_with("0x"))
        read_entry(line);
      else if (line.ends_with("lids dumped"))
        end_switch(line);
      else
        refuse("'{}' is not a line of forwarding tables", line.substr(0, 60));
    }
    require(row_ == kNoRow, "{} is truncated: the table of switch {} has no end", file_,
            node_text(topology_, switch_));
    for (const NodeId node : topology_.switches())
      require(seen_.contains(node), "{}: switch {} has no table; the file may be truncated", file_,
              node_text(topology_, node));
    return std::move(tables_);
  }

 private:
  static constexpr std::int64_t kNoRow = -1;

  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    refuse_at(file_, line_, format, std::forward<Args>(args)...);
  }

  // In the order in which OpenSM's engines take them, if every host has one cable: by the GUIDs of
  // switches, then by their ports. analysis::forwarding_report() judges balance by it.
  void number_addresses() {
    std::vector<std::pair<std::int32_t, NodeId>> lids;
    bool single = true;
    for (const auto& [lid, port] : fabric_.local_ids)
      if (topology_.is_host(port.node)) {
        lids.emplace_back(lid, port.node);
        single = single && topology_.in_degree(port.node) == 1;
      }
    if (single) sort_by_guids(lids);
    for (const auto& [lid, host] : lids) {
      addresses_.emplace(lid, static_cast<std::int32_t>(tables_.hosts.size()));
      tables_.hosts.push_back(host);
    }
    require(!addresses_.empty(),
            "the fabric has no lids, which {} uses for destinations; import the output of "
            "ibnetdiscover",
            file_);
    tables_.next.assign(topology_.switches().size() * tables_.hosts.size(),
                        ForwardingTables::kNone);
    for (std::size_t i = 0; i < topology_.switches().size(); ++i)
      rows_.emplace(topology_.switches()[i], static_cast<std::int64_t>(i));
  }

  // OpenSM compares GUIDs with their last byte first: they are in network order, and processors are
  // not.
  void sort_by_guids(std::vector<std::pair<std::int32_t, NodeId>>& lids) const {
    std::map<NodeId, std::uint64_t> guids;
    for (const auto& [guid, node] : fabric_.switches) guids.emplace(node, __builtin_bswap64(guid));
    std::ranges::stable_sort(lids, {}, [&](const auto& each) {
      const LinkId link = topology_.in_links(each.second)[0];
      const auto guid = guids.find(topology_.tail(link));
      const auto port = number_in<std::int32_t>(topology::port_of(topology_, link));
      return std::pair(guid == guids.end() ? 0 : guid->second, port.value_or(0));
    });
  }

  void number_ports() {
    links_.resize(topology_.switches().size());
    for (const auto& [node, row] : rows_)
      for (const LinkId link : topology_.out_links(node))
        if (const auto port = number_in<std::int32_t>(topology::port_of(topology_, link)))
          links_[row].emplace(*port, link);
  }

  void begin_switch(std::string_view line) {
    if (row_ != kNoRow)
      refuse("the table before has no end; the file may be truncated, or two files in one");
    const std::string_view text = behind(line, " guid ");
    const auto guid = hexadecimal<std::uint64_t>(text);
    if (!guid) refuse("the line has no GUID of the switch");
    const auto found = fabric_.switches.find(*guid);
    if (found == fabric_.switches.end())
      refuse("the fabric has no switch with GUID {}; these tables belong to another fabric", text);
    switch_ = found->second;
    if (!seen_.insert(switch_).second)
      refuse("switch {} has a second table", node_text(topology_, switch_));
    row_ = rows_.at(switch_);
    entries_ = 0;
  }

  // 0x0002 005 : (Channel Adapter portguid 0x0000000000100001: 'h0')
  void read_entry(std::string_view line) {
    if (row_ == kNoRow) refuse("an entry is outside of a table");
    const std::size_t blank = line.find(' ');
    const auto lid = hexadecimal<std::int32_t>(line.substr(0, blank));
    const std::string_view rest = blank == std::string_view::npos ? "" : trim(line.substr(blank));
    const auto port = number_in<std::int32_t>(rest.substr(0, rest.find(' ')));
    if (!lid || !port) refuse("'{}' is not a lid and port", line.substr(0, 60));
    ++entries_;
    const auto owner = fabric_.local_ids.find(*lid);
    if (owner == fabric_.local_ids.end()) return note_foreign(*lid, line);
    const auto guid = hexadecimal<std::uint64_t>(behind(line, "portguid"));
    if (guid && owner->second.guid != 0 && *guid != owner->second.guid)
      refuse(
          "lid {} belongs to {:#x} in the fabric but to {:#x} here; these tables belong to "
          "another fabric",
          *lid, owner->second.guid, *guid);
    const auto address = addresses_.find(*lid);
    if (address == addresses_.end() || *port == 0) return;  // a switch's own
    const auto link = links_[row_].find(*port);
    if (link == links_[row_].end())
      refuse("messages for {} leave switch {} by port {}, which has no cable",
             node_text(topology_, owner->second.node), node_text(topology_, switch_), *port);
    tables_.next[row_ * std::ssize(tables_.hosts) + address->second] = link->second.value();
  }

  // Of adapters that were left out, such as those of switches, only what is no host's matters not.
  void note_foreign(std::int32_t lid, std::string_view line) const {
    if (line.find("Aggregation Node") != std::string_view::npos ||
        line.find("Channel Adapter") == std::string_view::npos)
      return;
    refuse(
        "lid {} does not belong to a port of the fabric; these tables belong to another "
        "fabric, or to another time",
        lid);
  }

  void end_switch(std::string_view line) {
    if (row_ == kNoRow) refuse("a table ends without a beginning");
    const auto count = number_in<std::int64_t>(line.substr(0, line.find(' ')));
    if (!count || *count != entries_)
      refuse("the table of switch {} has {} entries, but states '{}'; the file may be truncated",
             node_text(topology_, switch_), entries_, line);
    row_ = kNoRow;
  }

  const ImportedFabric& fabric_;
  const Topology& topology_;
  std::string_view text_;
  const std::string& file_;
  std::int64_t line_ = 0;
  ForwardingTables tables_;
  std::map<std::int32_t, std::int32_t> addresses_;  // by lid
  std::map<NodeId, std::int64_t> rows_;
  std::vector<std::map<std::int32_t, LinkId>> links_;  // by row, then port
  std::set<NodeId> seen_;
  NodeId switch_;
  std::int64_t row_ = kNoRow, entries_ = 0;
};

}  // namespace

Topology with_forwarding(const ImportedFabric& fabric, std::string_view text,
                         const std::string& file) {
  return topology::with_tables(fabric.network.topology, Reader(fabric, text, file).read(), file);
}

}  // namespace weft::format
