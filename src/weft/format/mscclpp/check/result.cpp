#include "result.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::format::mscclpp::checking {

namespace {

using schedule::Collective;
using schedule::CollectiveKind;
using schedule::Holding;

class ResultChecker {
 public:
  ResultChecker(const Plan& plan, const Memory& memory, const Values& values,
                msccl::Findings& findings)
      : plan_(plan),
        memory_(memory),
        values_(values),
        findings_(findings),
        in_(std::int64_t{plan.gpus.front().input_chunks} * memory.units_per_chunk()),
        out_(std::int64_t{plan.gpus.front().output_chunks} * memory.units_per_chunk()),
        ranks_(plan.ranks()) {}

  ResultCheck run(std::optional<std::int32_t> root) {
    const auto collective = msccl::collective_of(plan_.collective, ranks_);
    if (!collective) return {};
    kind_ = collective->kind;
    if (!has_right_sizes()) {
      findings_.add(Severity::fault, [&] {
        return finding_of(
            "chunks", fmt::format("{} chunks of input and {} of output do not match {} of {} ranks",
                                  plan_.gpus.front().input_chunks, plan_.gpus.front().output_chunks,
                                  plan_.collective, ranks_));
      });
      return {};
    }
    if (!collective->rooted()) {
      report();
      return {.checked = true};
    }
    root_ = root ? *root : fitting_root();
    report();
    return {.checked = true, .root = root_};
  }

 private:
  std::pair<Holding, Holding> holdings() const {
    const schedule::CollectiveTraits& traits = schedule::traits_of(kind_);
    return {traits.at_first, traits.at_end};
  }

  bool has_right_sizes() const {
    const auto [at_first, at_end] = holdings();
    if (at_first == Holding::own) return out_ == in_ * ranks_;
    if (at_end == Holding::own) return in_ == out_ * ranks_;
    return in_ == out_ && (at_first != Holding::sent || in_ % ranks_ == 0);
  }

  using Wanted = std::pair<std::int32_t, std::int64_t>;  // rank (-1: the sum of all) and unit

  Wanted wanted(std::int32_t rank, std::int64_t unit) const {
    const auto [at_first, at_end] = holdings();
    const Collective collective{kind_, ranks_, schedule::Rank(root_)};
    const std::int64_t in_block = at_first == Holding::own    ? in_
                                  : at_end == Holding::own    ? out_
                                  : at_first == Holding::sent ? in_ / ranks_
                                                              : out_;  // the whole buffer
    WEFT_ASSERT(in_block > 0);                                         // it has units
    const std::int64_t block =
        schedule::block_at(collective.wanted(schedule::Rank(rank)), unit / in_block);
    if (collective.reduces()) return {-1, block * in_block + unit % in_block};
    const schedule::Origin from = schedule::origin_of(collective, block);
    return {from.rank.value(), from.position * in_block + unit % in_block};
  }

  std::uint64_t hash_of(const Wanted& one) const {
    if (one.first >= 0) return Values::given(one.first, one.second);
    std::uint64_t sum = 0;
    for (std::int32_t rank = 0; rank < ranks_; ++rank) sum += Values::given(rank, one.second);
    return sum;
  }

  std::int64_t units_at(std::int32_t rank) const {
    return schedule::traits_of(kind_).to_root() && rank != root_ ? 0 : out_;
  }

  bool is_right(std::int32_t rank, std::int64_t unit) const {
    return values_.hash(memory_.plain(rank, Buffer::output, unit).first) ==
           hash_of(wanted(rank, unit));
  }

  std::int32_t fitting_root() {
    for (root_ = 0; root_ < ranks_; ++root_) {
      bool right = true;
      for (std::int32_t rank = 0; rank < ranks_ && right; ++rank)
        for (std::int64_t unit = 0; unit < units_at(rank) && right; ++unit)
          right = is_right(rank, unit);
      if (right) return root_;
    }
    return 0;
  }

  void report() {
    for (std::int32_t rank = 0; rank < ranks_; ++rank)
      for (std::int64_t unit = 0; unit < units_at(rank); ++unit)
        if (!is_right(rank, unit)) {
          add_finding(rank, unit);
          break;  // one of a rank says enough
        }
  }

  void add_finding(std::int32_t rank, std::int64_t unit) {
    const std::int64_t slot = memory_.plain(rank, Buffer::output, unit).first;
    findings_.add(Severity::fault, [&] {
      return finding_of("wrong-result",
                        fmt::format("{}, which ends the call, {}", memory_.name(slot),
                                    difference(slot, wanted(rank, unit))),
                        rank);
    });
  }

  // The first contribution that is missing, too many or strange.
  std::string difference(std::int64_t slot, const Wanted& one) const {
    const auto held = values_.contributions(slot);
    if (!held) return "has another sum than the collective";
    Values::Contributions right;
    for (std::int32_t rank = 0; rank < ranks_; ++rank)
      if (one.first == -1 || one.first == rank) right[{rank, one.second}] = 1;
    const auto input = [&](const std::pair<std::int32_t, std::int64_t>& from) {
      return fmt::format("chunk {} of rank {}'s input", from.second / memory_.units_per_chunk(),
                         from.first);
    };
    for (const auto& [from, count] : *held) {
      if (from.first < 0) return "has data that no step wrote";
      if (!right.contains(from))
        return fmt::format("has {}, which belongs to another place", input(from));
      if (count > 1) return fmt::format("has {} {} times", input(from), count);
    }
    for (const auto& [from, count] : right)
      if (!held->contains(from)) return fmt::format("lacks {}", input(from));
    return "has another sum than the collective";
  }

  const Plan& plan_;
  const Memory& memory_;
  const Values& values_;
  msccl::Findings& findings_;
  std::int64_t in_, out_;  // units
  std::int32_t ranks_;
  CollectiveKind kind_ = CollectiveKind::allreduce;
  std::int32_t root_ = 0;
};

}  // namespace

ResultCheck check_result(const Plan& plan, const Memory& memory, const Values& values,
                         std::optional<std::int32_t> root, msccl::Findings& findings) {
  return ResultChecker(plan, memory, values, findings).run(root);
}

}  // namespace weft::format::mscclpp::checking
