#include "weft/topology/allocation.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/names.hpp"

namespace weft::topology {

namespace {

constexpr std::string_view kBlanks = " \t\r,";

// The hosts that have names, by them.
std::map<std::string, std::int32_t> host_names(const Topology& topology) {
  std::map<std::string, std::int32_t> names;
  if (!topology.facets().names) return names;
  std::int32_t host = 0;
  for (const NodeId node : topology.hosts()) {
    if (const std::string& name = name_of(topology, node); !name.empty()) names[name] = host;
    ++host;
  }
  return names;
}

// Whether 7 is a name, and only #7 the host of that number.
bool has_number(const std::map<std::string, std::int32_t>& names) {
  return std::ranges::any_of(names, [](const auto& each) {
    return each.first.find_first_not_of("0123456789") == std::string::npos;
  });
}

// Hosts as they are read, each once.
class Hosts {
 public:
  /// Of a network with that many hosts, by its name.
  Hosts(std::size_t count, std::string network)
      : network_(std::move(network)), seen_(count, false) {}
  explicit Hosts(const Topology& topology) : Hosts(topology.hosts().size(), topology.name()) {
    names_ = host_names(topology);
    numbers_are_names_ = has_number(names_);
  }

  // One number, range, name or list of names; `where` names option or file and line.
  void add(std::string_view item, const std::string& where) {
    const bool is_number = item.starts_with('#') && is_list_of_numbers(item.substr(1));
    if (const auto whole = names_.find(std::string(item)); whole != names_.end() && !is_number)
      return add(whole->second, whole->first, where);
    if (!names_.empty() && !is_number && (numbers_are_names_ || !is_list_of_numbers(item))) {
      const bool is_range = is_list_of_numbers(item) && item.find('-') != std::string_view::npos;
      for (const std::string& name :
           expand_names(is_range ? fmt::format("[{}]", item) : std::string(item), where))
        add(named(name, where), name, where);
      return;
    }
    if (item.starts_with('#')) item.remove_prefix(1);
    const std::size_t dash = item.find('-');
    const std::int64_t first = number(item.substr(0, dash), item, where);
    const std::int64_t last =
        dash == std::string_view::npos ? first : number(item.substr(dash + 1), item, where);
    require(first <= last, "{}: the range {} is descending; write {}-{}", where, item, last, first);
    for (std::int64_t host = first; host <= last; ++host) add(host, host, where);
  }

  void add_line(std::string_view line, const std::string& where) {
    while (true) {
      const std::size_t begin = line.find_first_not_of(kBlanks);
      if (begin == std::string_view::npos) return;
      line.remove_prefix(begin);
      const std::size_t length = end_of_item(line);
      add(line.substr(0, length), where);
      line.remove_prefix(length);
    }
  }

  std::vector<std::int32_t> take(const std::string& where) && {
    require(!hosts_.empty(), "{} names no host (expected host numbers such as 1-40,52)", where);
    return std::move(hosts_);
  }

 private:
  static bool is_list_of_numbers(std::string_view item) {
    return item.find_first_not_of("0123456789-#") == std::string_view::npos;
  }

  // Commas in brackets are of a list of names, blanks and commas in quotes of one name.
  static std::size_t end_of_item(std::string_view line) {
    bool inside = false;
    if (line.front() == '"') {
      std::size_t end = 1;
      while (end < line.size() && line[end] != '"') end += line[end] == '\\' ? 2 : 1;
      return std::min(end + 1, line.size());
    }
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '[' || line[i] == ']') inside = line[i] == '[';
      if (!(inside && line[i] == ',') && kBlanks.find(line[i]) != std::string_view::npos) return i;
    }
    return line.size();
  }

  void add(std::int64_t host, const auto& text, const std::string& where) {
    auto&& seen = seen_[host];
    require(!seen, "{}: host {} is repeated; name each host once", where, text);
    seen = true;
    hosts_.push_back(static_cast<std::int32_t>(host));
  }

  std::int64_t named(const std::string& name, const std::string& where) const {
    const auto found = names_.find(name);
    if (found == names_.end()) {
      std::vector<std::string> known;
      for (const auto& [other, host] : names_) known.push_back(other);
      reject("{}: {}", where, unknown_text({"host", name, fmt::format("of {}", network_)}, known));
    }
    return found->second;
  }

  std::int64_t number(std::string_view digits, std::string_view item,
                      const std::string& where) const {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const auto last = static_cast<std::int64_t>(seen_.size()) - 1;
    require(error != std::errc::invalid_argument && end == digits.data() + digits.size(),
            "{}: invalid host number '{}' (expected numbers and ranges from 0 to {}, such as "
            "1-40,52)",
            where, item, last);
    require(error == std::errc() && value >= 0 && value <= last,
            "{}: host {} does not exist; hosts of {} are 0 to {}", where, digits, network_, last);
    return value;
  }

  std::string network_;
  std::map<std::string, std::int32_t> names_;  // none: only numbers are known
  bool numbers_are_names_ = false;             // see has_number()
  std::vector<bool> seen_;
  std::vector<std::int32_t> hosts_;
};

// Between two commas, or beside one at an end, something is missing.
void require_no_gap(const std::string& text, const std::string& where) {
  bool inside = false, in_quotes = false, gap = true, any = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_quotes && c == '\\') {
      ++i;
      continue;
    }
    if (c == '"') in_quotes = !in_quotes;
    if (!in_quotes && (c == '[' || c == ']')) inside = c == '[';
    if (c == ',' && !inside && !in_quotes) {
      require(!gap, "{}: '{}' has an empty item before a comma; write hosts such as 0,2", where,
              text);
      gap = any = true;
    } else if (c != ' ' && c != '\t') {
      gap = false;
    }
  }
  require(!gap || !any, "{}: '{}' has an empty item after a comma; write hosts such as 0,2", where,
          text);
}

// Numbers and ranges, which mean the same on every network.
bool is_list(const std::string& text) {
  return text.find_first_not_of("#0123456789-, ") == std::string::npos;
}

// Of named hosts: where no such file is, a name is what was meant.
bool is_list(const std::string& text, const Topology& topology) {
  if (is_list(text)) return true;
  return topology.facets().names && text != "-" && !is_there(text);
}

}  // namespace

std::vector<std::int32_t> parse_hosts(const std::string& text, const Topology& topology,
                                      const std::string& where) {
  Hosts hosts(topology);
  if (is_list(text, topology)) {
    const std::string source = where.empty() ? "--hosts" : where;
    hosts.add_line(text, source);
    std::vector<std::int32_t> found = std::move(hosts).take(source);
    require_no_gap(text, source);
    return found;
  }
  const bool is_path = text == "-" || text.find('/') != std::string::npos;
  require(is_path || is_there(text),
          "{}cannot read '{}': the file does not exist, and {} has no host names; give numbers "
          "such as 0,2",
          where.empty() ? "" : where + ": ", text, topology.name());
  std::int64_t number = 0;
  const std::string content = read_file(text);
  for (std::string_view rest = content; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    hosts.add_line(without_comment(rest.substr(0, end)), fmt::format("{}:{}", text, ++number));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return std::move(hosts).take(text);
}

std::string hosts_text(std::span<const std::int32_t> hosts) {
  std::string text;
  for (std::size_t first = 0; first < hosts.size();) {
    std::size_t last = first;
    while (last + 1 < hosts.size() && hosts[last + 1] == hosts[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += last == first ? fmt::format("{}", hosts[first])
                          : fmt::format("{}-{}", hosts[first], hosts[last]);
    first = last + 1;
  }
  return text;
}

std::string hosts_text(const Topology& topology, std::span<const std::int32_t> hosts) {
  if (!has_number(host_names(topology))) return hosts_text(hosts);
  std::string text;
  for (const std::int32_t host : hosts) {
    const auto number = static_cast<std::size_t>(host);
    const std::string& name = name_of(topology, topology.hosts()[number]);
    text += text.empty() ? "" : ",";
    text += name.empty() ? fmt::format("#{}", host) : quoted_name(name);
  }
  return text;
}

std::string hosts_text(const Topology& topology, std::span<const NodeId> nodes) {
  return hosts_text(topology, host_numbers(topology, nodes));
}

std::vector<std::int32_t> host_numbers(const Topology& topology, std::span<const NodeId> nodes) {
  std::vector<std::int32_t> hosts;
  for (const NodeId node : nodes) {
    const auto host = std::ranges::lower_bound(topology.hosts(), node);
    WEFT_ASSERT(host != topology.hosts().end() && *host == node);
    hosts.push_back(static_cast<std::int32_t>(host - topology.hosts().begin()));
  }
  std::ranges::sort(hosts);
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
  return hosts;
}

std::string canonical_hosts(const std::string& text) {
  // With # and leading zeros it depends on the network whether names or numbers are meant.
  const auto names_or_numbers = [&] {
    for (std::size_t i = 0; i + 1 < text.size(); ++i)
      if (text[i] == '0' && text[i + 1] >= '0' && text[i + 1] <= '9' &&
          (i == 0 || text[i - 1] < '0' || text[i - 1] > '9'))
        return true;
    return text.find('#') != std::string::npos;
  };
  if (!is_list(text) || names_or_numbers()) return text;
  constexpr std::size_t kMostHosts = std::size_t{1} << 24;
  Hosts hosts(kMostHosts, "the largest network");
  hosts.add_line(text, "hosts");
  return hosts_text(std::move(hosts).take("hosts"));
}

}  // namespace weft::topology
