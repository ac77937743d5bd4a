#include "weft/topology/allocation.hpp"

#include <algorithm>
#include <charconv>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"

namespace weft::topology {

namespace {

constexpr std::string_view kBlanks = " \t\r,";

// Hosts as they are read, each once.
class Hosts {
 public:
  /// Of a network with that many hosts, by its name.
  Hosts(std::size_t count, std::string network)
      : network_(std::move(network)), seen_(count, false) {}
  explicit Hosts(const Topology& topology) : Hosts(topology.hosts().size(), topology.name()) {}

  // One number or range; `where` names option or file and line.
  void add(std::string_view item, const std::string& where) {
    const std::size_t dash = item.find('-');
    const std::int64_t first = number(item.substr(0, dash), item, where);
    const std::int64_t last =
        dash == std::string_view::npos ? first : number(item.substr(dash + 1), item, where);
    require(first <= last, "{}: the range {} runs downwards; write {}-{}", where, item, last,
            first);
    for (std::int64_t host = first; host <= last; ++host) {
      auto&& seen = seen_[host];
      require(!seen, "{}: host {} stands there twice; name each host once", where, host);
      seen = true;
      hosts_.push_back(static_cast<std::int32_t>(host));
    }
  }

  void add_line(std::string_view line, const std::string& where) {
    line = line.substr(0, line.find('#'));
    while (true) {
      const std::size_t begin = line.find_first_not_of(kBlanks);
      if (begin == std::string_view::npos) return;
      line.remove_prefix(begin);
      const std::size_t length = std::min(line.find_first_of(kBlanks), line.size());
      add(line.substr(0, length), where);
      line.remove_prefix(length);
    }
  }

  std::vector<std::int32_t> take(const std::string& where) && {
    require(!hosts_.empty(), "{} names no host; write host numbers, such as 1-40,52", where);
    return std::move(hosts_);
  }

 private:
  std::int64_t number(std::string_view digits, std::string_view item,
                      const std::string& where) const {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const auto last = static_cast<std::int64_t>(seen_.size()) - 1;
    require(error != std::errc::invalid_argument && end == digits.data() + digits.size(),
            "{}: \"{}\" is no host number; write numbers and ranges of 0 to {}, such as 1-40,52",
            where, item, last);
    require(error == std::errc() && value >= 0 && value <= last,
            "{}: host {} does not exist; hosts of {} are 0 to {}", where, digits, network_, last);
    return value;
  }

  std::string network_;
  std::vector<bool> seen_;
  std::vector<std::int32_t> hosts_;
};

bool is_list(const std::string& text) {
  return text.find_first_not_of("0123456789-, ") == std::string::npos;
}

}  // namespace

std::vector<std::int32_t> parse_hosts(const std::string& text, const Topology& topology) {
  Hosts hosts(topology);
  if (is_list(text)) {
    hosts.add_line(text, "--hosts");
    return std::move(hosts).take("--hosts");
  }
  std::int64_t number = 0;
  const std::string content = read_file(text);
  for (std::string_view rest = content; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    hosts.add_line(rest.substr(0, end), fmt::format("{}:{}", text, ++number));
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

std::string canonical_hosts(const std::string& text) {
  if (!is_list(text)) return text;
  constexpr std::size_t kMostHosts = std::size_t{1} << 24;
  Hosts hosts(kMostHosts, "the largest network");
  hosts.add_line(text, "hosts");
  return hosts_text(std::move(hosts).take("hosts"));
}

}  // namespace weft::topology
