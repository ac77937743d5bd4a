#include "trace_reader.hpp"

#include <algorithm>
#include <array>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"

namespace weft::format::simgrid {

using program::Agent;
using program::OperationSpec;

namespace {

constexpr std::int32_t kCollectiveTag = INT32_MAX;  // all ranks call collectives in one order

constexpr std::array<std::string_view, 15> kCollectives{
    "barrier",   "bcast",      "reduce",        "allreduce", "alltoall",
    "alltoallv", "gather",     "gatherv",       "scatter",   "scatterv",
    "allgather", "allgatherv", "reducescatter", "scan",      "exscan"};
// What takes no time, or is waited for elsewhere.
constexpr std::array<std::string_view, 7> kNothing{
    "finalize", "comm_size", "comm_split", "comm_dup", "location", "test", "testall"};
constexpr std::array<std::string_view, 10> kOthers{
    "init", "send", "isend", "recv", "irecv", "wait", "waitall", "compute", "sleep", "sendrecv"};

template <class Names>
bool has(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

bool is_action(std::string_view name) {
  const std::string lower = weft::lower(std::string(name));
  return has(kCollectives, lower) || has(kNothing, lower) || has(kOthers, lower);
}

void TraceReader::read(const Line& line) {
  act(line);
  lines_.resize(static_cast<std::size_t>(operations_), line.number());
}

void TraceReader::act(const Line& line) {
  const std::string action = weft::lower(std::string(line.word(1)));
  if (action == "init") {
    unit_B_ = line.words() > 2 ? 8 : 1;
    return;
  }
  if (has(kNothing, action)) return;
  if (action == "send" || action == "isend" || action == "recv" || action == "irecv")
    return message(line, action);
  if (action == "sendrecv") return send_receive(line);
  if (has(kCollectives, action)) return collective(line, action);
  if (action == "compute") return compute(line, 2);
  if (action == "sleep") return work(line.seconds(2), line);
  if (action == "wait") return wait(line);
  if (action == "waitall") return wait_all();
  std::vector<std::string> known(kOthers.begin(), kOthers.end());
  known.insert(known.end(), kCollectives.begin(), kCollectives.end());
  line.refuse("{}", unknown_text({"action", action, "of SMPI traces"}, known));
}

// Of an element, by the number of its type; where the action names none, by init.
std::int64_t TraceReader::unit_B(const Line& line, std::size_t word) const {
  if (word >= line.words()) return unit_B_;
  const std::int64_t bytes = bytes_of_type(line.integer(word, 0, INT32_MAX, "type"));
  if (bytes == 0) line.refuse("type {} is not supported", line.word(word));
  return bytes;
}

std::int64_t TraceReader::size_B(const Line& line, std::size_t word, std::int64_t unit_B) const {
  return line.integer(word, 0, INT64_MAX / unit_B, "size") * unit_B;
}

std::vector<std::int64_t> TraceReader::sizes_B(const Line& line, std::size_t word,
                                               std::int64_t unit_B) const {
  if (line.words() < word + static_cast<std::size_t>(ranks_))
    line.refuse("expected a size for each of the {} ranks", ranks_);
  std::vector<std::int64_t> sizes;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(ranks_); ++i) {
    sizes.push_back(size_B(line, word + i, unit_B));
    if (sizes.back() > INT64_MAX - sum) line.refuse("the sum of the sizes is too large");
    sum += sizes.back();
  }
  return sizes;
}

std::int32_t TraceReader::root(const Line& line, std::size_t word) const {
  return word < line.words() ? static_cast<std::int32_t>(line.integer(word, 0, ranks_ - 1, "root"))
                             : 0;
}

void TraceReader::message(const Line& line, const std::string& action) {
  const bool sends = action.ends_with("send"), blocks = !action.starts_with('i');
  const auto peer = static_cast<std::int32_t>(line.integer(2, 0, ranks_ - 1, "rank"));
  const auto tag = static_cast<std::int32_t>(line.integer(3, 0, kCollectiveTag - 1, "tag"));
  const std::int64_t bytes = size_B(line, 4, unit_B(line, 5));
  const std::int32_t operation = add_message(sends, peer, tag, bytes, line);
  if (blocks)
    last_ = {operation};
  else
    requests_[{sends ? rank_.value() : peer, sends ? peer : rank_.value(), tag}].push_back(
        operation);
}

std::int32_t TraceReader::add_message(bool is_send, std::int32_t peer, std::int32_t tag,
                                      std::int64_t bytes, const Line& line) {
  OperationSpec spec;
  spec.kind = is_send ? program::OperationKind::send : program::OperationKind::receive;
  spec.peer = Agent(peer);
  spec.tag = tag;
  spec.bytes = std::max<std::int64_t>(bytes, 1);
  return add(std::move(spec), line);
}

void TraceReader::send_receive(const Line& line) {
  const auto to = static_cast<std::int32_t>(line.integer(3, 0, ranks_ - 1, "rank"));
  const auto from = static_cast<std::int32_t>(line.integer(5, 0, ranks_ - 1, "rank"));
  const std::int64_t sent = size_B(line, 2, unit_B(line, 6));
  const std::int64_t received = size_B(line, 4, unit_B(line, 7));
  const std::int32_t receive = add_message(false, from, 0, received, line);
  last_ = {receive, add_message(true, to, 0, sent, line)};
  join();
}

// Sizes of gathers and the like by rank, from the words where each has them.
void TraceReader::by_rank(const Line& line, std::string_view action, CollectiveCall& call) const {
  const auto n = static_cast<std::size_t>(ranks_);
  if (action == "alltoallv") {
    call.sends = sizes_B(line, 3, unit_B(line, 4 + 2 * n));
    call.receives = sizes_B(line, 4 + n, unit_B(line, 5 + 2 * n));
  } else if (action == "gatherv" || action == "allgatherv") {
    const std::size_t type = action == "gatherv" ? 4 + n : 3 + n;
    const bool has_places = line.words() > 5 + n + (action == "gatherv" ? 1 : 0);
    const std::size_t sent = has_places && line.words() == 3 + 2 * n ? line.words() : type;
    call.sends = {size_B(line, 2, unit_B(line, sent))};
    call.receives = sizes_B(line, 3, unit_B(line, sent + 1));
    if (action == "gatherv") call.root = root(line, 3 + n);
  } else if (action == "scatterv") {
    call.sends = sizes_B(line, 2, unit_B(line, 4 + n));
    call.receives = {size_B(line, 2 + n, unit_B(line, 5 + n))};
    call.root = root(line, 3 + n);
  } else {
    call.sends = sizes_B(line, 2, unit_B(line, 3 + n));
    call.receives = {call.sends[rank_.index()]};
  }
}

CollectiveCall TraceReader::call_of(const Line& line, std::string_view action) const {
  CollectiveCall call{.kind = action, .rank = rank_.value(), .ranks = ranks_};
  const auto one_size = [&](std::size_t type) {
    call.sends = {size_B(line, 2, unit_B(line, type))};
    call.receives = call.sends;
  };
  const auto two_sizes = [&](std::size_t types) {
    call.sends = {size_B(line, 2, unit_B(line, types))};
    call.receives = {size_B(line, 3, unit_B(line, types + 1))};
  };
  if (action == "barrier") {
    call.sends = call.receives = {1};
  } else if (action == "bcast") {
    one_size(4);
    call.root = root(line, 3);
  } else if (action == "reduce") {
    one_size(5);
    call.root = root(line, 4);
  } else if (action == "allreduce" || action == "scan" || action == "exscan") {
    one_size(4);
  } else if (action == "alltoall" || action == "allgather") {
    two_sizes(4);
  } else if (action == "gather" || action == "scatter") {
    two_sizes(5);
    call.root = root(line, 4);
  } else {
    by_rank(line, action, call);
  }
  return call;
}

void TraceReader::collective(const Line& line, const std::string& action) {
  for (const CollectiveRound& round : rounds_of(call_of(line, action))) {
    if (round.empty()) continue;
    std::vector<std::int32_t> begun;
    for (const CollectiveMessage& each : round)
      begun.push_back(add_message(each.is_send, each.peer, kCollectiveTag, each.bytes, line));
    last_ = std::move(begun);
    join();
  }
  // What a reduction computes.
  if (action == "reduce" || action == "allreduce" || action == "scan" || action == "exscan")
    compute(line, 3);
  if (action == "reducescatter") compute(line, 2 + static_cast<std::size_t>(ranks_));
}

void TraceReader::compute(const Line& line, std::size_t word) {
  const double operations = line.seconds(word);
  if (operations == 0) return;
  if (flops_per_s_ == 0)
    line.refuse("{} counts operations; give the operations per second of a rank with --flops",
                line.word(1));
  work(operations / flops_per_s_, line);
}

void TraceReader::work(double seconds, const Line& line) {
  OperationSpec spec;
  spec.kind = program::OperationKind::compute;
  spec.stream = program::Stream::compute;
  spec.seconds = seconds;
  last_ = {add(std::move(spec), line)};
}

void TraceReader::wait(const Line& line) {
  const std::int64_t from = line.integer(2, 0, ranks_ - 1, "rank");
  const std::int64_t to = line.integer(3, 0, ranks_ - 1, "rank");
  const std::int64_t tag = line.integer(4, 0, INT32_MAX, "tag");
  const auto found = requests_.find({from, to, tag});
  if (found == requests_.end()) line.refuse("no message to wait for from {} to {}", from, to);
  last_.push_back(found->second.front());
  found->second.pop_front();
  if (found->second.empty()) requests_.erase(found);
  join();
}

void TraceReader::wait_all() {
  const auto begun = std::ssize(last_);
  for (const auto& [message, operations] : requests_)
    last_.insert(last_.end(), operations.begin(), operations.end());
  std::sort(last_.begin() + begun, last_.end());  // in the order in which they began
  requests_.clear();
  join();
}

// One operation that waits for all, so that what follows need not do so each.
void TraceReader::join() {
  if (last_.size() <= 1) return;
  OperationSpec spec;
  spec.kind = program::OperationKind::compute;
  spec.waits = std::move(last_);
  last_ = {builder_.add(rank_, std::move(spec))};
  ++operations_;
}

std::int32_t TraceReader::add(OperationSpec spec, const Line& line) {
  spec.waits = last_;
  ++operations_;
  try {
    return builder_.add(rank_, std::move(spec));
  } catch (const InvalidInput& error) {
    line.refuse("{}", error.what());
  }
}

}  // namespace weft::format::simgrid
