#include "stored.hpp"

#include <limits>

#include "sends.hpp"
#include "weft/algorithm/expansion_catalogue.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"

namespace weft::algorithm {

namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view without_comment(std::string_view line) {
  line = line.substr(0, line.find('#'));
  while (!line.empty() && kBlanks.find(line.back()) != std::string_view::npos)
    line.remove_suffix(1);
  return line;
}

std::string_view next_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(word.size());
  return word;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::map<std::string, Sends, std::less<>> read() {
    for (number_ = 1; !text_.empty(); ++number_) {
      const std::size_t end = text_.find('\n');
      const std::string_view line = without_comment(text_.substr(0, end));
      text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
      if (line.empty()) continue;
      constexpr std::string_view kSchedule = "schedule ";
      if (line.starts_with(kSchedule))
        begin(line.substr(kSchedule.size()));
      else
        add_send(line);
    }
    return std::move(table_);
  }

 private:
  [[noreturn]] void fail(std::string_view problem) const {
    reject("schedule table, line {}: {}", number_, problem);
  }

  // "EXPRESSION units U": the expression may hold blanks.
  void begin(std::string_view line) {
    constexpr std::string_view kUnits = " units ";
    const std::size_t units = line.rfind(kUnits);
    if (units == std::string_view::npos) fail("no units (needs \"schedule EXPRESSION units U\")");
    std::string_view rest = line.substr(units + kUnits.size());
    const auto [place, is_new] = table_.try_emplace(std::string(line.substr(0, units)));
    if (!is_new) fail("a second schedule for the same topology");
    sends_ = &place->second;
    sends_->units = integer(rest, 1, schedule::kMaxUnitsPerBlock);
  }

  void add_send(std::string_view line) {
    if (sends_ == nullptr) fail("a send before any \"schedule EXPRESSION units U\"");
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max() - 1;
    Send send{};
    send.step = integer(line, 0, kMost);
    send.link = integer(line, 0, kMost);
    send.source = integer(line, 0, kMost);
    send.first = integer(line, 0, sends_->units - 1);
    send.count = integer(line, 1, sends_->units - send.first);
    if (!next_word(line).empty()) fail("more fields than step, link, source, first and count");
    sends_->steps = std::max(sends_->steps, send.step + 1);
    sends_->list.push_back(send);
  }

  std::int32_t integer(std::string_view& line, std::int64_t least, std::int64_t most) const {
    const std::string_view word = next_word(line);
    const auto value = number_in<std::int32_t>(word);
    if (!value || *value < least || *value > most)
      fail(fmt::format("'{}' is not an integer from {} to {}", word, least, most));
    return *value;
  }

  std::string_view text_;
  std::int64_t number_ = 1;
  std::map<std::string, Sends, std::less<>> table_;
  Sends* sends_ = nullptr;
};

}  // namespace

struct StoredSchedules::Table {
  std::map<std::string, Sends, std::less<>> sends;
};

StoredSchedules::StoredSchedules(std::string_view table)
    : table_(std::make_unique<Table>(Table{Reader(table).read()})) {}
StoredSchedules::~StoredSchedules() = default;
StoredSchedules::StoredSchedules(StoredSchedules&&) noexcept = default;
StoredSchedules& StoredSchedules::operator=(StoredSchedules&&) noexcept = default;

const StoredSchedules& StoredSchedules::shipped() {
  static const StoredSchedules stored(shipped_allgather_table());
  return stored;
}

std::optional<Schedule> StoredSchedules::find(const Topology& topology) const {
  const auto found = table_->sends.find(topology.name());
  if (found == table_->sends.end()) return std::nullopt;
  for (const Send& send : found->second.list)
    require(send.link < topology.link_count() && send.source < topology.node_count(),
            "the stored schedule of {} names link {} and node {}, but the network has {} links "
            "and {} nodes",
            topology.name(), send.link, send.source, topology.link_count(), topology.node_count());
  std::vector<Rank> ranks;
  std::vector<NodeId> nodes;
  for (const NodeId node : topology.nodes()) {
    ranks.emplace_back(node.value());
    nodes.push_back(node);
  }
  return to_schedule(found->second, {topology, graph::Sense::along}, ranks,
                     {topology.name(), topology.hash(), nodes});
}

std::vector<std::string> StoredSchedules::names() const {
  std::vector<std::string> names;
  for (const auto& [name, sends] : table_->sends) names.push_back(name);
  return names;
}

std::string table_entry(const Schedule& schedule, const Topology& topology) {
  const Sends sends = sends_of(schedule, topology);
  std::string text = fmt::format("schedule {} units {}\n", topology.name(), sends.units);
  const SendsByLink by_link(sends, topology.link_count());
  for (std::int32_t t = 0; t < sends.steps; ++t)
    for (const LinkId link : topology.links())
      for (const Send& send : by_link.of(t, link))
        text +=
            fmt::format("{} {} {} {} {}\n", t, link.value(), send.source, send.first, send.count);
  return text;
}

}  // namespace weft::algorithm
