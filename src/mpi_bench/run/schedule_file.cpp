#include "schedule_file.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <map>
#include <sstream>
#include <thread>

#include "../sizes.hpp"

namespace weft::mpi_bench {

namespace {

constexpr const char* kFirstLine = "weft-run 1\n";
constexpr std::int64_t kFloat_B = sizeof(float);

struct Run {
  std::int64_t offset_B = 0, bytes = 0;
};

struct Move {
  enum class Kind : std::uint8_t { send, receive, reduce } kind = Kind::send;
  int peer = 0;
  std::vector<Run> runs;
  std::vector<float> buffer = {};
};

struct Schedule {
  std::string collective, name;
  int ranks = 0;
  std::int64_t bytes = 0, size_B = 0;
  std::map<std::int64_t, std::vector<Move>> steps;  // of this rank
};

bool runs_in(std::istringstream& words, std::int64_t bytes, std::vector<Run>& runs) {
  char between = 0;
  for (Run run; words >> run.offset_B >> between >> run.bytes && between == '+';) {
    if (run.offset_B < 0 || run.bytes < 1 || run.offset_B % kFloat_B != 0 ||
        run.bytes % kFloat_B != 0 || run.offset_B > bytes - run.bytes)
      return false;
    runs.push_back(run);
    if (!(words >> between)) return true;
    if (between != ',') return false;
  }
  return false;
}

// Of another rank, it is read over.
bool read_move(const std::string& kind, std::istringstream& words, bool own, Schedule& schedule) {
  using Kind = Move::Kind;
  if (kind != "send" && kind != "receive" && kind != "reduce") return false;
  Move move{.kind = kind == "send"      ? Kind::send
                    : kind == "receive" ? Kind::receive
                                        : Kind::reduce,
            .peer = 0,
            .runs = {}};
  std::int64_t step = 0, bytes = 0;
  if (!(words >> step >> move.peer) || step < 0 || move.peer < 0 || move.peer >= schedule.ranks ||
      !runs_in(words, schedule.bytes, move.runs))
    return false;
  for (const Run& run : move.runs) bytes += run.bytes;
  if (bytes > kLargest_B) return false;
  if (!own) return true;
  move.buffer.resize(static_cast<std::size_t>(bytes / kFloat_B));
  schedule.steps[step].push_back(std::move(move));
  return true;
}

Schedule read_schedule(const World& world, const std::string& text, const std::string& path) {
  Schedule schedule;
  std::istringstream lines(text);
  int number = 0, rank = -1;
  for (std::string line; std::getline(lines, line);) {
    const std::string at = path + ":" + std::to_string(++number) + ": ";
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (number == 1) {
      continue;  // is_testbed_schedule() knows it
    } else if (word == "collective" || word == "name") {
      words >> (word == "name" ? schedule.name : schedule.collective);
    } else if (word == "ranks" && rank < 0 && words >> schedule.ranks) {
      if (schedule.ranks != world.ranks)
        refuse(world, at + "the schedule has " + std::to_string(schedule.ranks) +
                          " ranks, but there are " + std::to_string(world.ranks));
    } else if (word == "bytes" && rank < 0 && schedule.bytes == 0 && words >> schedule.bytes &&
               schedule.bytes > 0 && schedule.bytes <= kLargest_B &&
               schedule.bytes % kFloat_B == 0) {
      continue;
    } else if (word == "size" && words >> schedule.size_B) {
      continue;
    } else if (word == "rank" && words >> rank) {
      continue;
    } else if (rank < 0 || !read_move(word, words, rank == world.rank, schedule)) {
      refuse(world, at + "'" + line.substr(0, 60) + "' is not a line of a schedule");
    }
  }
  if (schedule.bytes == 0 || rank < 0) refuse(world, path + ": the schedule is truncated");
  return schedule;
}

// A rank's data: whole numbers, so that sums are exact in any order.
float value(int rank, std::int64_t element) {
  return static_cast<float>((rank + 1) * (element % 7 + 1));
}

class StepRunner {
 public:
  StepRunner(const World& world, Schedule schedule, const Options& options)
      : world_(world),
        startup_s_(options.startup_s),
        doze_s_(options.doze_s),
        schedule_(std::move(schedule)),
        data_(static_cast<std::size_t>(schedule_.bytes / kFloat_B)) {}

  void fill() {
    for (std::size_t e = 0; e < data_.size(); ++e) {
      const bool own = schedule_.collective != "allgather" || block_of(e) == world_.rank;
      data_[e] = own ? value(world_.rank, static_cast<std::int64_t>(e)) : 0;
    }
  }

  /// Whether the data is what the collective makes of it.
  bool right() const {
    for (std::size_t e = 0; e < data_.size(); ++e) {
      const auto element = static_cast<std::int64_t>(e);
      float expected = 0;
      if (schedule_.collective == "allgather")
        expected = value(block_of(e), element);
      else if (schedule_.collective == "allreduce" || block_of(e) == world_.rank)
        for (int r = 0; r < world_.ranks; ++r) expected += value(r, element);
      else
        continue;  // of a reduce-scatter, a block of others
      if (data_[e] != expected) return false;
    }
    return true;
  }

  void operator()() {
    for (auto& [step, moves] : schedule_.steps) run(static_cast<int>(step), moves);
  }

 private:
  int block_of(std::size_t element) const {
    const std::size_t blocks = static_cast<std::size_t>(world_.ranks);
    // Block b begins at element floor(b E / N).
    std::size_t block = element * blocks / data_.size();
    while (block + 1 < blocks && (block + 1) * data_.size() / blocks <= element) ++block;
    return static_cast<int>(block);
  }

  void run(int step, std::vector<Move>& moves) {
    std::vector<MPI_Request> requests(moves.size());
    const auto post = [&](bool sends) {
      for (std::size_t i = 0; i < moves.size(); ++i) {
        Move& move = moves[i];
        if ((move.kind == Move::Kind::send) != sends) continue;
        const int count = static_cast<int>(move.buffer.size());
        if (sends) gather(move);
        if (sends)
          MPI_Isend(move.buffer.data(), count, MPI_FLOAT, move.peer, step % kTags, MPI_COMM_WORLD,
                    &requests[i]);
        else
          MPI_Irecv(move.buffer.data(), count, MPI_FLOAT, move.peer, step % kTags, MPI_COMM_WORLD,
                    &requests[i]);
      }
    };
    post(false);
    if (startup_s_ > 0) sleep(startup_s_);
    post(true);
    wait_for(requests);
    for (const Move& move : moves)
      if (move.kind != Move::Kind::send) land(move);
  }

  static void sleep(double seconds) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }

  // Ranks that look without end take the processors from those that have something to do.
  void wait_for(std::vector<MPI_Request>& requests) const {
    const int count = static_cast<int>(requests.size());
    if (doze_s_ == 0) {
      MPI_Waitall(count, requests.data(), MPI_STATUSES_IGNORE);
      return;
    }
    for (int done = 0;;) {
      MPI_Testall(count, requests.data(), &done, MPI_STATUSES_IGNORE);
      if (done != 0) return;
      sleep(doze_s_);
    }
  }

  void gather(Move& move) const {
    float* to = move.buffer.data();
    for (const Run& run : move.runs) {
      std::memcpy(to, &data_[static_cast<std::size_t>(run.offset_B / kFloat_B)],
                  static_cast<std::size_t>(run.bytes));
      to += run.bytes / kFloat_B;
    }
  }

  void land(const Move& move) {
    const float* from = move.buffer.data();
    for (const Run& run : move.runs) {
      float* to = &data_[static_cast<std::size_t>(run.offset_B / kFloat_B)];
      const auto count = static_cast<int>(run.bytes / kFloat_B);
      if (move.kind == Move::Kind::reduce)
        MPI_Reduce_local(from, to, count, MPI_FLOAT, MPI_SUM);
      else
        std::memcpy(to, from, static_cast<std::size_t>(run.bytes));
      from += count;
    }
  }

  static constexpr int kTags = 32768;  // every MPI has as many

  const World& world_;
  double startup_s_, doze_s_;
  Schedule schedule_;
  std::vector<float> data_;
};

}  // namespace

bool is_testbed_schedule(const std::string& text) {
  return text.starts_with(kFirstLine);
}

void run_schedule(const World& world, const std::string& text, const std::string& path,
                  const Options& options, TimesTable& table) {
  if (!options.sizes_B.empty()) refuse(world, path + " has a fixed size; leave out --sizes");
  Schedule schedule = read_schedule(world, text, path);
  const std::string name = schedule.name;
  const std::int64_t size_B = schedule.size_B;
  StepRunner runner(world, std::move(schedule), options);
  runner.fill();
  runner();
  int own = runner.right() ? 1 : 0, all = 0;
  MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (all == 0) refuse(world, path + ": the result is not the result of the collective");
  const Times times = time_calls(world, options.repeat, std::ref(runner));
  table.add({.test = name, .size_B = size_B, .times = times});
}

}  // namespace weft::mpi_bench
