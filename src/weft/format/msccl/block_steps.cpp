#include "block_steps.hpp"

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::format::msccl {

namespace {

class StepWriter {
 public:
  StepWriter(const GpuTransfers& gpu, bool fuse, std::vector<std::int32_t> block_of,
             std::vector<ThreadBlock>& blocks)
      : gpu_(gpu), fuse_(fuse), block_of_(std::move(block_of)), blocks_(blocks) {
    const std::size_t count = gpu.all().size();
    WEFT_ASSERT(block_of_.size() == count);
    position_.resize(count);
    readers_.resize(count);
    for (std::size_t t = 0; t < count; ++t)
      for (const Before& before : gpu.before(t)) {
        if (before.is_source) ++readers_[static_cast<std::size_t>(before.transfer)];
      }
    place_copies();
    last_.assign(blocks.size(), -1);
    sent_.resize(blocks.size());
    // One clock for each transfer: by block, the last step that is complete once it is.
    width_ = blocks.size();
    clock_.assign(count * width_, -1);
  }

  void run() {
    for (std::size_t t = 0; t < gpu_.all().size(); ++t) add(t);
  }

 private:
  void place_copies() {
    for (std::size_t t = 0; t < gpu_.all().size(); ++t) {
      if (block_of_[t] >= 0) continue;
      std::int32_t last = -1;
      for (const Before& before : gpu_.before(t)) last = std::max(last, before.transfer);
      block_of_[t] = last >= 0 ? block_of_[static_cast<std::size_t>(last)] : a_block();
    }
  }
  // A copy that waits for nothing may go into any block.
  std::int32_t a_block() {
    if (blocks_.empty()) blocks_.emplace_back();
    return 0;
  }

  std::int32_t* clock(std::size_t transfer) { return &clock_[transfer * width_]; }
  ThreadBlock& block(std::size_t transfer) {
    return blocks_[static_cast<std::size_t>(block_of_[transfer])];
  }

  void merge(std::size_t into, std::size_t from) {
    std::int32_t* const a = clock(into);
    const std::int32_t* const b = clock(from);
    for (std::size_t i = 0; i < width_; ++i) a[i] = std::max(a[i], b[i]);
  }

  void add(std::size_t t) {
    const auto own = static_cast<std::size_t>(block_of_[t]);
    WEFT_ASSERT(block_of_[t] >= 0 && own < blocks_.size());  // copies have one by now
    if (last_[own] >= 0) merge(t, static_cast<std::size_t>(last_[own]));
    const std::vector<StepId> waits = find_waits(t);
    if (waits.empty() && last_[own] >= 0 && can_fuse(static_cast<std::size_t>(last_[own]), t))
      return fuse_into(static_cast<std::size_t>(last_[own]), t);
    std::vector<Step>& steps = block(t).steps;
    for (std::size_t i = 0; i + 1 < waits.size(); ++i)
      steps.push_back({.type = StepType::nop,
                       .source = {Buffer::input, -1},
                       .target = {Buffer::output, -1},
                       .depends_on = waits[i]});
    steps.push_back(step_of(gpu_.all()[t]));
    if (!waits.empty()) steps.back().depends_on = waits.back();
    finish(t);
  }

  // Both ends of a message are named, as writers of such files do; the other end's is not read.
  static Step step_of(const Transfer& transfer) {
    Step step{.type = transfer.type,
              .source = transfer.source,
              .target = transfer.target,
              .count = transfer.count};
    if (!reads_source(transfer.type)) step.source = transfer.target;
    if (!writes_target(transfer.type)) step.target = transfer.source;
    return step;
  }

  void finish(std::size_t t) {
    position_[t] = static_cast<std::int32_t>(block(t).steps.size()) - 1;
    clock(t)[static_cast<std::size_t>(block_of_[t])] = position_[t];
    last_[static_cast<std::size_t>(block_of_[t])] = static_cast<std::int32_t>(t);
    if (gpu_.all()[t].type == StepType::send)
      sent_[static_cast<std::size_t>(block_of_[t])].push_back(static_cast<std::int32_t>(t));
  }

  // The steps of other blocks to wait for: the latest first, which may know of the others.
  std::vector<StepId> find_waits(std::size_t t) {
    std::vector<StepId> waits;
    const auto before = gpu_.before(t);
    for (auto one = before.rbegin(); one != before.rend(); ++one) {
      const auto b = static_cast<std::size_t>(one->transfer);
      WEFT_ASSERT(b < t);  // it comes before
      const auto of = static_cast<std::size_t>(block_of_[b]);
      if (of == static_cast<std::size_t>(block_of_[t]) || clock(t)[of] >= position_[b]) continue;
      waits.push_back({block_of_[b], position_[b]});
      blocks_[of].steps[static_cast<std::size_t>(position_[b])].has_dependent = true;
      merge(t, b);
    }
    return waits;
  }

  // A fused step takes a chunk once it can send it on. It must not wait for room in the connection,
  // which may come only when others take what this one holds up: what is sent on it from the step
  // of the reception on has to fit.
  bool can_fuse(std::size_t reception, std::size_t send) const {
    const Transfer& in = gpu_.all()[reception];
    const Transfer& out = gpu_.all()[send];
    return fuse_ && receives(in.type) && out.type == StepType::send && in.target == out.source &&
           in.count == out.count && reads_all_of(send, reception) &&
           sent_since(in.step, block_of_[send]) + out.count <= kAlwaysFit;
  }
  // Chunks that a block has sent in this step and later ones.
  std::int64_t sent_since(std::int64_t step, std::int32_t block) const {
    std::int64_t chunks = 0;
    const std::vector<std::int32_t>& sent = sent_[static_cast<std::size_t>(block)];
    for (auto t = sent.rbegin(); t != sent.rend(); ++t) {
      const Transfer& one = gpu_.all()[static_cast<std::size_t>(*t)];
      if (one.step < step) break;
      chunks += one.count;
    }
    return chunks;
  }
  // That the version which was received is the one that is sent.
  bool reads_all_of(std::size_t send, std::size_t reception) const {
    const auto before = gpu_.before(send);
    return std::ranges::any_of(before, [&](const Before& one) {
      return one.is_source && static_cast<std::size_t>(one.transfer) == reception;
    });
  }

  void fuse_into(std::size_t reception, std::size_t send) {
    WEFT_ASSERT(block_of_[reception] == block_of_[send]);
    Step& step = block(reception).steps[static_cast<std::size_t>(position_[reception])];
    const bool is_reduction = reduces(step.type);
    const bool is_kept = gpu_.all()[reception].is_wanted || readers_[reception] > 1;
    step.type = !is_reduction ? StepType::receive_copy_send
                : is_kept     ? StepType::receive_reduce_copy_send
                              : StepType::receive_reduce_send;
    finish(send);
  }

  const GpuTransfers& gpu_;
  bool fuse_;
  std::vector<std::int32_t> block_of_;
  std::vector<ThreadBlock>& blocks_;
  std::vector<std::int32_t> position_;           // by transfer: in its block
  std::vector<std::int32_t> readers_;            // by transfer: how many
  std::vector<std::int32_t> last_;               // by block: its last transfer
  std::vector<std::vector<std::int32_t>> sent_;  // by block: its sends
  std::size_t width_ = 0;
  std::vector<std::int32_t> clock_;
};

}  // namespace

void write_steps(const GpuTransfers& gpu, bool fuse, std::vector<std::int32_t> block_of,
                 std::vector<ThreadBlock>& blocks) {
  StepWriter(gpu, fuse, std::move(block_of), blocks).run();
}

}  // namespace weft::format::msccl
