// The interpreter of weft-gpu, on processor threads in the place of thread blocks: every
// algorithm's XML file has the result of its collective's definition.
#include "gpu/interpreter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "gpu/layout.hpp"
#include "gpu/problem.hpp"
#include "support/every_schedule.hpp"
#include "support/samples.hpp"
#include "weft/base/error.hpp"
#include "weft/format/msccl_export.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::gpu {
namespace {

namespace msccl = format::msccl;

// A thread block of one thread.
struct ThreadMachine {
  std::int64_t first() const { return 0; }
  std::int64_t stride() const { return 1; }
  bool leads() const { return true; }
  bool agree(bool ok) const { return ok; }
  Counter load(const Counter* counter) const {
    const Counter value =
        std::atomic_ref(*const_cast<Counter*>(counter)).load(std::memory_order_acquire);
    if (value == last) std::this_thread::yield();
    last = value;
    return value;
  }
  void store(Counter* counter, Counter value) const {
    std::atomic_ref(*counter).store(value, std::memory_order_release);
  }
  bool stopped(const DeviceRank& rank) const {
    return __atomic_load_n(rank.stop, __ATOMIC_RELAXED) != 0;
  }

  mutable Counter last = 0;
};

class Emulation {
 public:
  Emulation(const msccl::Algorithm& algorithm, std::int64_t chunk, const LayoutOptions& options)
      : algorithm_(algorithm),
        problem_(algorithm),
        layout_(algorithm, problem_, chunk, options),
        chunk_(chunk) {
    for (int r = 0; r < layout_.ranks(); ++r) {
      memory_.emplace_back(static_cast<std::size_t>(layout_.bytes(r)) / sizeof(Counter) + 1);
      bases_.push_back(reinterpret_cast<unsigned char*>(memory_.back().data()));
    }
    for (int r = 0; r < layout_.ranks(); ++r) {
      const auto head = layout_.head(r, bases_);
      std::ranges::copy(head, bases_[static_cast<std::size_t>(r)]);
    }
  }

  /// Runs, stops after a while, and says where thread blocks were.
  std::string stopped_call() {
    std::vector<DeviceRank> ranks;
    for (int r = 0; r < layout_.ranks(); ++r)
      ranks.push_back(
          layout_.device_rank(r, bases_[static_cast<std::size_t>(r)], chunk_, false, &stop_));
    std::jthread stopper([this] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      __atomic_store_n(&stop_, 1, __ATOMIC_RELAXED);
    });
    run(ranks, Type::integers);
    std::string text;
    for (int r = 0; r < layout_.ranks(); ++r)
      for (int b = 0; b < ranks[static_cast<std::size_t>(r)].block_count; ++b)
        if (const Counter stuck = ranks[static_cast<std::size_t>(r)].stuck[b]; stuck != 0)
          text += stuck_text(algorithm_, r, b, stuck) + '\n';
    return text;
  }

  /// The first rank's fault; connections keep their counters from call to call.
  std::string call(bool in_place, Type type) {
    std::vector<DeviceRank> ranks;
    for (int r = 0; r < layout_.ranks(); ++r) {
      unsigned char* const base = bases_[static_cast<std::size_t>(r)];
      std::fill_n(base + layout_.call_counters_B(r), layout_.call_counters_bytes(r), 0);
      std::fill(base + layout_.data_B(r), base + layout_.bytes(r), 0x4B);
      const auto input = problem_.input(r, chunk_, type);
      std::ranges::copy(input,
                        reinterpret_cast<Word*>(base + layout_.input_B(r, chunk_, in_place)));
      ranks.push_back(layout_.device_rank(r, base, chunk_, in_place, &stop_));
    }
    run(ranks, type);
    for (const DeviceRank& rank : ranks)
      for (int b = 0; b < rank.block_count; ++b)
        if (rank.stuck[b] != 0) return "a thread block did not end";
    for (int r = 0; r < layout_.ranks(); ++r) {
      const auto* output = reinterpret_cast<const Word*>(bases_[static_cast<std::size_t>(r)] +
                                                         layout_.output_B(r, chunk_, in_place));
      const auto words = static_cast<std::size_t>(problem_.output_chunks(r) * chunk_);
      if (const auto fault = problem_.difference(r, {output, words}, chunk_, type); !fault.empty())
        return fault;
    }
    return "";
  }

 private:
  void run(const std::vector<DeviceRank>& ranks, Type type) {
    std::vector<std::jthread> threads;
    for (const DeviceRank& rank : ranks)
      for (int b = 0; b < rank.block_count; ++b)
        threads.emplace_back([&rank, b, type] {
          BlockRun<ThreadMachine> run(ThreadMachine{}, rank, b);
          (void)(type == Type::floats ? run.run<float>() : run.run<Word>());
        });
  }

  const msccl::Algorithm& algorithm_;
  Problem problem_;
  Layout layout_;
  std::int64_t chunk_;
  std::vector<std::vector<Counter>> memory_;  // aligned as counters
  std::vector<unsigned char*> bases_;
  volatile int stop_ = 0;
};

// Places hold 200 bytes, so that chunks of 37 elements go in several parts.
void expect_right(const msccl::Algorithm& algorithm, const std::string& label) {
  std::int32_t most = 1;
  for (const auto& gpu : algorithm.gpus)
    for (const auto& block : gpu.blocks)
      for (const auto& step : block.steps) most = std::max(most, step.count);
  Emulation emulation(algorithm, 37, {.slots = 2, .slot_B = 40 * most});
  for (const bool in_place : {false, true}) {
    if (in_place ? !algorithm.in_place : !algorithm.works_out_of_place()) continue;
    for (const Type type : {Type::integers, Type::floats})
      EXPECT_EQ(emulation.call(in_place, type), "") << label << (in_place ? " in place" : "");
  }
}

TEST(GpuInterpreter, has_the_result_of_every_collective) {
  int number = 0;
  for (const algorithm::Algorithm& each : algorithm::algorithms())
    for (const std::int32_t ranks : {2, 4, 5})
      for (const auto& [label, made, options] : test::schedules_of(each, ranks)) {
        const auto kind = made.collective().kind;
        if (made.helpers() > 0 || kind == schedule::CollectiveKind::point_to_point ||
            (made.collective().rooted() && made.collective().root.value() != 0))
          continue;
        if (number++ % (test::share_of_samples() < 1 ? 7 : 1) != 0) continue;
        const auto verified = schedule::verify_own(expand_symmetry(without_routes(made)));
        expect_right(msccl::build(verified, {.profile = msccl::find_profile("msccl-executor")}),
                     label);
      }
  EXPECT_GT(number, 100);
}

// Thread block 0 waits for a step of thread block 1 whose hasdep is missing, so that nothing says
// that it is done.
TEST(GpuInterpreter, says_where_a_file_hangs) {
  msccl::Algorithm algorithm{.name = "stuck", .collective = "allreduce", .chunks = 1, .file = "f"};
  const msccl::Step copy{.type = msccl::StepType::copy,
                         .source = {msccl::Buffer::input, 0},
                         .target = {msccl::Buffer::output, 0},
                         .count = 1};
  msccl::Step waits = copy;
  waits.depends_on = {1, 0};
  waits.line = 5;
  msccl::Step other = copy;
  other.target = {msccl::Buffer::scratch, 0};
  msccl::Gpu gpu{.input_chunks = 1, .output_chunks = 1, .scratch_chunks = 1};
  gpu.blocks = {{.steps = {copy, waits}}, {.steps = {other}}};
  algorithm.gpus = {gpu};
  EXPECT_EQ(Emulation(algorithm, 8, {}).stopped_call(),
            "rank 0, thread block 0, step 1 (cpy, line 5)\n");
  algorithm.gpus[0].blocks[1].steps[0].has_dependent = true;
  EXPECT_EQ(Emulation(algorithm, 8, {}).stopped_call(), "");
}

TEST(GpuInterpreter, refuses_connections_with_one_end) {
  msccl::Algorithm algorithm{.name = "half", .collective = "allgather", .chunks = 2, .file = "f"};
  msccl::Gpu gpu{.input_chunks = 1, .output_chunks = 2};
  algorithm.gpus = {gpu, gpu};
  algorithm.gpus[0].blocks.push_back(
      {.send_peer = 1, .steps = {{.type = msccl::StepType::send, .count = 1}}, .line = 7});
  try {
    const Problem problem(algorithm);
    const Layout layout(algorithm, problem, 1);
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(),
                 "f:7: rank 0 sends 1 messages to rank 1 on channel 0, but the peer receives 0");
  }
}

}  // namespace
}  // namespace weft::gpu
