// A message's time cannot be taken at one end. So the receiver answers with an empty message, and
// what an empty exchange of the same messages takes is known: half of it is the answer's.
//
// Of several messages on a link, all begin behind a barrier; the slowest counts.
#include "links.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "pairs.hpp"
#include "weft_program.hpp"

namespace weft::mpi_bench {

namespace {

constexpr int kMessageTag = 1, kAnswerTag = 2;

/// The ends of a pattern's messages that are this rank's.
class Exchange {
 public:
  Exchange(const World& world, const Pattern& pattern, std::int64_t largest_B) {
    for (const Message& message : pattern.messages) {
      if (message.from == world.rank) to_.push_back(message.to);
      if (message.to == world.rank) from_.push_back(message.from);
    }
    out_.resize(to_.empty() ? 1 : static_cast<std::size_t>(largest_B), 1);
    for (std::size_t i = 0; i < from_.size(); ++i)
      in_.emplace_back(static_cast<std::size_t>(largest_B));
  }

  /// Seconds until all of this rank's messages were answered; 0 where it sends none.
  double operator()(std::int64_t size_B) {
    const double begun = MPI_Wtime();
    const int bytes = static_cast<int>(size_B);
    const std::size_t sends = to_.size(), receives = from_.size();
    // Answers of the same peer follow each other in the order of its messages.
    std::vector<MPI_Request> first(receives), rest(2 * sends + receives);
    for (std::size_t i = 0; i < receives; ++i)
      MPI_Irecv(in_[i].data(), bytes, MPI_BYTE, from_[i], kMessageTag, MPI_COMM_WORLD, &first[i]);
    for (std::size_t i = 0; i < sends; ++i)
      MPI_Irecv(nullptr, 0, MPI_BYTE, to_[i], kAnswerTag, MPI_COMM_WORLD, &rest[i]);
    for (std::size_t i = 0; i < sends; ++i)
      MPI_Isend(out_.data(), bytes, MPI_BYTE, to_[i], kMessageTag, MPI_COMM_WORLD,
                &rest[sends + i]);
    for (std::size_t done = 0; done < receives; ++done) {
      int i = 0;
      MPI_Waitany(static_cast<int>(receives), first.data(), &i, MPI_STATUS_IGNORE);
      MPI_Isend(nullptr, 0, MPI_BYTE, from_[static_cast<std::size_t>(i)], kAnswerTag,
                MPI_COMM_WORLD, &rest[2 * sends + static_cast<std::size_t>(i)]);
    }
    MPI_Waitall(static_cast<int>(rest.size()), rest.data(), MPI_STATUSES_IGNORE);
    return sends == 0 ? 0 : MPI_Wtime() - begun;
  }

 private:
  std::vector<int> to_, from_;
  std::vector<char> out_;
  std::vector<std::vector<char>> in_;
};

std::string text_of(const std::vector<Message>& messages) {
  std::string text;
  for (const Message& each : messages)
    text += (text.empty() ? "" : "+") + std::to_string(each.from) + ">" + std::to_string(each.to);
  return text;
}

void measure(const World& world, const Options& options, const Pattern& pattern,
             TimesTable& table) {
  Exchange exchange(world, pattern,
                    *std::max_element(options.sizes_B.begin(), options.sizes_B.end()));
  const Times empty = time_of(world, options.repeat, [&] { return exchange(0); });
  for (const std::int64_t size_B : options.sizes_B) {
    Times times = time_of(world, options.repeat, [&] { return exchange(size_B); });
    // On a busy machine an empty exchange may look longer than one that carries data.
    times.least_s -= std::min(empty.least_s, times.least_s) / 2;
    times.median_s -= std::min(empty.median_s, times.median_s) / 2;
    times.least_s = std::min(times.least_s, times.median_s);
    table.add({.test = "message",
               .link_class = pattern.link_class,
               .load = pattern.load,
               .messages = text_of(pattern.messages),
               .size_B = size_B,
               .times = times});
  }
}

// All ranks at once, as in a step of a collective: they share a host's memory where they do.
void measure_memory(const World& world, const Options& options, TimesTable& table) {
  for (const std::int64_t asked_B : options.sizes_B) {
    const std::int64_t size_B = asked_B / 8 * 8;  // doubles
    if (size_B == 0) continue;
    std::vector<double> from(static_cast<std::size_t>(size_B / 8), 1), to(from.size(), 1);
    const Times copy = time_calls(world, options.repeat, [&] {
      std::memcpy(to.data(), from.data(), static_cast<std::size_t>(size_B));
    });
    const Times reduce = time_calls(world, options.repeat, [&] {
      MPI_Reduce_local(from.data(), to.data(), static_cast<int>(from.size()), MPI_DOUBLE, MPI_SUM);
    });
    table.add({.test = "copy", .size_B = size_B, .times = copy});
    table.add({.test = "reduction", .size_B = size_B, .times = reduce});
  }
}

}  // namespace

void measure_links(const World& world, const Options& options, TimesTable& table) {
  const bool by_file = !options.pairs.empty();
  const PairList list =
      by_file ? read_pairs(world, text_of_file(world, options.pairs), options.pairs)
              : read_pairs(world, pairs_of_topology(world, options.topology), "weft calibrate");
  if (!list.topology.empty()) table.remark("Topology: " + list.topology);
  for (const Pattern& pattern : list.patterns) measure(world, options, pattern, table);
  measure_memory(world, options, table);
}

}  // namespace weft::mpi_bench
