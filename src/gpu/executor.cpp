#include "executor.hpp"

#include <chrono>
#include <thread>

#include "weft/base/error.hpp"

namespace weft::gpu {

namespace {

constexpr int kGarbage = 0x4B;

void need(DeviceError error) {
  if (error != nullptr) throw SystemError(error);
}

}  // namespace

Executor::Executor(Team& team, const format::msccl::Algorithm& algorithm, const Problem& problem,
                   std::int64_t largest_chunk, const ExecutorOptions& options)
    : team_(team),
      algorithm_(algorithm),
      problem_(problem),
      options_(options),
      layout_(algorithm, problem, largest_chunk, options.layout),
      bases_(static_cast<std::size_t>(algorithm.ranks())) {
  const bool alone = team.processes() == 1;
  first_ = alone ? 0 : team.rank();
  end_ = alone ? algorithm.ranks() : team.rank() + 1;
  int devices = 0;
  need(count_devices(&devices));
  require(devices > (alone ? 0 : team.rank()),
          "rank {} has no GPU: the machine has {}; give --ranks-on-one-gpu to share the first",
          team.rank(), devices);
  need(use_device(alone ? 0 : team.rank()));
  require_resident();
  need(allocate_stop(&stop_, &device_stop_));
  need(allocate(sizeof(DeviceRank) * static_cast<std::size_t>(end_ - first_), &device_ranks_));
  connect();
}

void Executor::require_resident() const {
  int most = 0, blocks = 0;
  need(most_resident(options_.threads, &most));
  for (int rank = first_; rank < end_; ++rank) blocks += layout_.blocks(rank);
  require(blocks <= most,
          "{}: {} thread blocks of {} threads must run at once, but a GPU can run {}; use "
          "fewer --threads, fewer instances or more GPUs",
          algorithm_.file, blocks, options_.threads, most);
}

void Executor::connect() {
  for (int rank = first_; rank < end_; ++rank)
    need(allocate(static_cast<std::size_t>(layout_.bytes(rank)),
                  &bases_[static_cast<std::size_t>(rank)]));
  if (team_.processes() > 1) {
    SharedMemory own{};
    need(share(bases_[static_cast<std::size_t>(first_)], &own));
    const auto all = team_.gather(own);
    for (int rank = 0; rank < algorithm_.ranks(); ++rank)
      if (rank != first_)
        need(open_shared(all[static_cast<std::size_t>(rank)],
                         &bases_[static_cast<std::size_t>(rank)]));
  }
  for (int rank = first_; rank < end_; ++rank) {
    const auto head = layout_.head(rank, bases_);
    need(copy_in(bases_[static_cast<std::size_t>(rank)], head.data(), head.size()));
  }
  team_.meet();
}

void Executor::put_ranks(std::int64_t chunk, bool in_place) {
  std::vector<DeviceRank> ranks;
  for (int rank = first_; rank < end_; ++rank)
    ranks.push_back(layout_.device_rank(rank, bases_[static_cast<std::size_t>(rank)], chunk,
                                        in_place, device_stop_));
  need(copy_in(device_ranks_, ranks.data(), ranks.size() * sizeof(DeviceRank)));
}

// Garbage everywhere, then the input.
void Executor::fill(int rank, std::int64_t chunk, bool in_place, Type type) {
  unsigned char* const base = bases_[static_cast<std::size_t>(rank)];
  const std::int64_t data_B = layout_.data_B(rank);
  need(set_bytes(base + data_B, kGarbage, static_cast<std::size_t>(layout_.bytes(rank) - data_B)));
  const std::vector<Word> input = problem_.input(rank, chunk, type);
  need(copy_in(base + layout_.input_B(rank, chunk, in_place), input.data(),
               input.size() * sizeof(Word)));
}

std::string Executor::output_fault(int rank, std::int64_t chunk, bool in_place, Type type) const {
  std::vector<Word> output(static_cast<std::size_t>(problem_.output_chunks(rank) * chunk));
  need(copy_out(output.data(),
                bases_[static_cast<std::size_t>(rank)] + layout_.output_B(rank, chunk, in_place),
                output.size() * sizeof(Word)));
  return problem_.difference(rank, output, chunk, type);
}

std::string Executor::check(std::int64_t chunk, bool in_place, Type type) {
  put_ranks(chunk, in_place);
  for (int rank = first_; rank < end_; ++rank) fill(rank, chunk, in_place, type);
  float milliseconds = 0;
  if (std::string fault = perform(type, &milliseconds); !fault.empty()) return fault;
  team_.meet();
  for (int rank = first_; rank < end_; ++rank)
    if (std::string fault = output_fault(rank, chunk, in_place, type); !fault.empty()) return fault;
  return "";
}

double Executor::time(std::int64_t chunk, bool in_place) {
  put_ranks(chunk, in_place);
  float milliseconds = 0;
  if (const std::string fault = perform(Type::floats, &milliseconds); !fault.empty())
    throw SystemError(fault);
  return team_.largest(static_cast<double>(milliseconds) * 1e-3);
}

std::string Executor::perform(Type type, float* milliseconds) {
  using Clock = std::chrono::steady_clock;
  int blocks = 0;
  for (int rank = first_; rank < end_; ++rank) {
    blocks += layout_.blocks(rank);
    need(set_bytes(bases_[static_cast<std::size_t>(rank)] + layout_.call_counters_B(rank), 0,
                   static_cast<std::size_t>(layout_.call_counters_bytes(rank))));
  }
  team_.meet();
  need(start(reinterpret_cast<const DeviceRank*>(device_ranks_), blocks, options_.threads,
             type == Type::floats));
  const auto begun = Clock::now();
  for (bool done = false; !done;) {
    need(is_done(&done, milliseconds));
    if (std::chrono::duration<double>(Clock::now() - begun).count() > options_.time_limit_s)
      *stop_ = 1;
    std::this_thread::yield();
  }
  return stuck();
}

std::string Executor::stuck() const {
  if (*stop_ == 0) return "";
  std::string text;
  for (int rank = first_; rank < end_; ++rank) {
    std::vector<Counter> found(static_cast<std::size_t>(layout_.blocks(rank)));
    need(copy_out(found.data(), bases_[static_cast<std::size_t>(rank)] + layout_.stuck_B(rank),
                  found.size() * sizeof(Counter)));
    for (std::size_t b = 0; b < found.size(); ++b)
      if (found[b] != 0)
        text += (text.empty() ? "" : "; ") +
                stuck_text(algorithm_, rank, static_cast<int>(b), found[b]);
  }
  return text.empty() ? text : "the file hangs, these wait: " + text;
}

}  // namespace weft::gpu
