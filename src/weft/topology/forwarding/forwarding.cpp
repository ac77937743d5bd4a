#include "weft/topology/forwarding/forwarding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/forwarding/forwarding_walks.hpp"
#include "weft/topology/names.hpp"

namespace weft::topology {

namespace {

std::string in_words(End end, const Topology& topology, NodeId node, NodeId host) {
  const char* what = end == End::dropped ? "has no way"
                     : end == End::loop  ? "goes round in a loop"
                                         : "ends at another host";
  return fmt::format("data for {} {} from switch {}", node_text(topology, host), what,
                     node_text(topology, node));
}

std::uint64_t fnv(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return hash;
}

bool is_blank(char c) {
  return static_cast<unsigned char>(c) <= ' ';
}

// The words of a .routes file, counted by line.
class Words {
 public:
  Words(std::string_view text, const std::string& path) : rest_(text), path_(path) {}

  std::string_view word() {
    while (!rest_.empty() && is_blank(rest_.front())) {
      line_ += rest_.front() == '\n' ? 1 : 0;
      rest_.remove_prefix(1);
    }
    const auto end =
        static_cast<std::size_t>(std::ranges::find_if(rest_, is_blank) - rest_.begin());
    require(end > 0, "{} is truncated at line {}", path_, line_);
    const std::string_view found = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return found;
  }
  void expect(std::string_view wanted) {
    const std::string_view found = word();
    require(found == wanted,
            "{}:{}: unexpected '{}' (expected '{}'); check that it is a .routes file", path_, line_,
            found, wanted);
  }
  std::int64_t number(std::int64_t most) { return number_in_word(word(), most); }
  std::int64_t number_in_word(std::string_view text, std::int64_t most) const {
    const auto value = number_in<std::int64_t>(text);
    require(value && *value >= 0 && *value <= most, "{}:{}: '{}' is not a number from 0 to {}",
            path_, line_, text, most);
    return *value;
  }
  bool at_end() const { return std::ranges::all_of(rest_, is_blank); }
  std::int64_t line() const { return line_; }
  std::size_t left() const { return rest_.size(); }

 private:
  std::string_view rest_;
  const std::string& path_;
  std::int64_t line_ = 1;
};

// "3*2 . 1": two entries by the third link from 0, one without an entry, one by the second.
void read_row(Words& words, const Topology& topology, NodeId node, std::size_t addresses,
              const std::string& path, std::vector<std::int32_t>& next) {
  const IdRange<LinkId> links = topology.out_links(node);
  for (std::size_t filled = 0; filled < addresses;) {
    const std::string_view word = words.word();
    const std::size_t star = word.find('*');
    const std::string_view entry = word.substr(0, star);
    const auto times =
        star == std::string_view::npos
            ? std::int64_t{1}
            : words.number_in_word(word.substr(star + 1), static_cast<std::int64_t>(addresses));
    require(times >= 1 && static_cast<std::size_t>(times) <= addresses - filled,
            "{}:{}: switch {} has more entries than the {} addresses", path, words.line(),
            node_text(topology, node), addresses);
    std::int32_t link = ForwardingTables::kNone;
    if (entry != ".") {
      require(links.size() > 0, "{}:{}: switch {} has no links", path, words.line(),
              node_text(topology, node));
      link = static_cast<std::int32_t>((*links.begin()).value() +
                                       words.number_in_word(entry, links.size() - 1));
    }
    next.insert(next.end(), static_cast<std::size_t>(times), link);
    filled += static_cast<std::size_t>(times);
  }
}

}  // namespace

Forwarding::Forwarding(const Topology& topology, std::shared_ptr<const ForwardingTables> tables)
    : tables_(std::move(tables)),
      rows_(topology.node_count(), -1),
      first_(static_cast<std::size_t>(topology.node_count()) + 1, 0) {
  std::int32_t row = 0;
  for (const NodeId node : topology.switches()) rows_[node] = row++;
  for (const NodeId host : tables_->hosts) ++first_[host.index() + 1];
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  std::vector<std::int32_t> at(first_.begin(), first_.end() - 1);
  addresses_.resize(tables_->hosts.size());
  for (std::size_t address = 0; address < tables_->hosts.size(); ++address)
    addresses_[at[tables_->hosts[address].index()]++] = static_cast<std::int32_t>(address);
}

TableFaults faults_of(const Topology& topology, const ForwardingTables& tables) {
  const Forwarding forwarding(topology, std::make_shared<const ForwardingTables>(tables));
  std::vector<NodeId> leaves;
  for (const NodeId host : topology.hosts())
    for (const LinkId link : topology.out_links(host))
      if (!topology.is_host(topology.head(link))) leaves.push_back(topology.head(link));
  std::ranges::sort(leaves);
  leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
  Walks walks(topology, forwarding);
  TableFaults faults;
  for (std::size_t address = 0; address < tables.hosts.size(); ++address) {
    walks.begin(static_cast<std::int32_t>(address));
    for (const NodeId leaf : leaves) {
      const End end = walks.from(leaf);
      if (end == End::arrives) continue;
      ++(end == End::dropped ? faults.dropped : end == End::loop ? faults.loops : faults.astray);
      if (faults.first.empty()) faults.first = in_words(end, topology, leaf, tables.hosts[address]);
    }
  }
  return faults;
}

Topology with_tables(const Topology& topology, ForwardingTables tables, const std::string& where) {
  const std::size_t entries = topology.switches().size() * tables.hosts.size();
  require(tables.next.size() == entries,
          "{}: the tables have {} entries ({} switches and {} addresses need {})", where,
          tables.next.size(), topology.switches().size(), tables.hosts.size(), entries);
  for (const NodeId host : tables.hosts)
    require(
        host.index() < static_cast<std::size_t>(topology.node_count()) && topology.is_host(host),
        "{}: an address belongs to node {}, which is not a host", where, host.value());
  Facets facets = topology.facets();
  facets.tables = std::make_shared<const ForwardingTables>(std::move(tables));
  return with_facets(topology, std::move(facets), topology.expression());
}

std::string format_routes(const Topology& topology, const ForwardingTables& tables) {
  std::string text = fmt::format("weft-routes 1\nnetwork {:016x}\naddresses {}\n", topology.hash(),
                                 tables.hosts.size());
  auto out = std::back_inserter(text);
  for (std::size_t i = 0; i < tables.hosts.size(); ++i)
    fmt::format_to(out, "{}{}", i == 0 ? "" : " ", tables.hosts[i].value());
  text += fmt::format("\nswitches {}\n", topology.switches().size());
  for (std::size_t row = 0; row < topology.switches().size(); ++row) {
    const NodeId node = topology.switches()[row];
    const auto entries =
        std::span(tables.next).subspan(row * tables.hosts.size(), tables.hosts.size());
    for (std::size_t i = 0; i < entries.size();) {
      std::size_t same = i + 1;
      while (same < entries.size() && entries[same] == entries[i]) ++same;
      if (entries[i] < 0)
        fmt::format_to(out, "{}.", i == 0 ? "" : " ");
      else
        fmt::format_to(out, "{}{}", i == 0 ? "" : " ",
                       entries[i] - (*topology.out_links(node).begin()).value());
      if (same - i > 1) fmt::format_to(out, "*{}", same - i);
      i = same;
    }
    text += '\n';
  }
  return text + fmt::format("end {:016x}\n", fnv(text));
}

ForwardingTables parse_routes(std::string_view content, const Topology& topology,
                              const std::string& path) {
  require(!content.starts_with("Unicast lids"),
          "{}:1: the file has tables in the format of dump_fts, not .routes; convert it with "
          "weft import FABRIC --routes {} -o fabric.json",
          path, path);
  Words words(content, path);
  words.expect("weft-routes");
  words.expect("1");
  words.expect("network");
  const std::string_view hash = words.word();
  require(hash == fmt::format("{:016x}", topology.hash()),
          "{}:{}: the tables belong to another network ({}, while {} is {:016x}); import the "
          "network again with its --routes",
          path, words.line(), hash, topology.name(), topology.hash());
  words.expect("addresses");
  // Each takes a digit and a blank at least, so that a short file asks for little memory.
  const auto addresses =
      static_cast<std::size_t>(words.number(static_cast<std::int64_t>(words.left() / 2)));
  ForwardingTables tables;
  for (std::size_t i = 0; i < addresses; ++i) {
    const NodeId host(words.number(topology.node_count() - 1));
    require(topology.is_host(host), "{}:{}: node {} is not a host", path, words.line(),
            host.value());
    tables.hosts.push_back(host);
  }
  words.expect("switches");
  const auto switches = static_cast<std::size_t>(words.number(topology.node_count()));
  require(switches == topology.switches().size(),
          "{}:{}: the file has {} switches, but the network has {}", path, words.line(), switches,
          topology.switches().size());
  for (const NodeId node : topology.switches())
    read_row(words, topology, node, addresses, path, tables.next);
  words.expect("end");
  words.expect(fmt::format("{:016x}", fnv(content.substr(0, content.rfind("end ")))));
  require(words.at_end(), "{}:{}: unexpected text after the tables", path, words.line());
  return tables;
}

}  // namespace weft::topology
