// The verifier against the brute-force executor, on schedules that were damaged at random.
//
// Each case takes a right schedule, changes one to three things in it, and asks both: they must
// agree on whether it is still right, on the step of the first fault, and on what else the verifier
// learns. Some changes are harmless (a message twice, a step earlier than needed), and must be
// accepted.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "support/every_schedule.hpp"
#include "support/judges/executor.hpp"
#include "support/samples.hpp"
#include "weft/base/random.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::schedule {
namespace {

struct DraftMessage {
  Agent from, to;
  Arrival arrival;
  std::vector<Piece> pieces;
};

/// A schedule that can be edited.
struct Draft {
  Collective collective;
  ScheduleOptions options;
  std::vector<std::vector<DraftMessage>> steps;

  std::int64_t agents() const { return collective.ranks + options.helpers; }
  std::int64_t units() const { return collective.blocks() * options.units_per_block; }
};

Draft draft_of(const Schedule& schedule) {
  Draft draft{schedule.collective(),
              {.algorithm = schedule.algorithm(),
               .units_per_block = schedule.units_per_block(),
               .helpers = schedule.helpers(),
               .symmetry = schedule.symmetry(),
               .segments = schedule.segments()},
              {}};
  for (std::int64_t t = 0; t < schedule.stored_steps(); ++t) {
    auto& step = draft.steps.emplace_back();
    for (std::int64_t m = schedule.first_message(t); m < schedule.first_message(t + 1); ++m) {
      const Message& message = schedule.message(m);
      const auto pieces = schedule.pieces(m);
      step.push_back({message.from, message.to, message.arrival, {pieces.begin(), pieces.end()}});
    }
  }
  return draft;
}

Schedule build(const Draft& draft) {
  ScheduleBuilder builder(draft.collective, draft.options);
  for (std::size_t t = 0; t < draft.steps.size(); ++t)
    for (const DraftMessage& message : draft.steps[t])
      builder.at(static_cast<std::int64_t>(t))
          .send(message.from, message.to, message.pieces, message.arrival);
  return std::move(builder).build();
}

/// One random change of a draft; each returns its name, or nothing where it does not apply.
class Mutator {
 public:
  Mutator(Draft& draft, Rng& rng) : draft_(draft), rng_(rng) {}

  std::string mutate() {
    if (!pick_message()) return "nothing";
    switch (rng_.below(14)) {
      case 0:
        return drop();
      case 1:
        return duplicate();
      case 2:
        return redirect();
      case 3:
        return move("move earlier", 0, step_ + 1);
      case 4:
        return move("move later", step_, steps());
      case 5:
        return cut();
      case 6:
        return swap_pieces();
      case 7:
        return flip();
      case 8:
        return reorder();
      case 9:
        return widen();
      case 10:
        return detour();
      case 11:
        return shift_piece();
      case 12:
        return change_collective();
      default:
        return change_sender();
    }
  }

 private:
  std::int64_t steps() const { return static_cast<std::int64_t>(draft_.steps.size()); }
  std::vector<DraftMessage>& at(std::int64_t t) { return draft_.steps[t]; }
  std::size_t any(std::size_t size) {
    return static_cast<std::size_t>(rng_.below(static_cast<std::int64_t>(size)));
  }

  bool pick_message() {
    for (int attempt = 0; attempt < 20 && steps() > 0; ++attempt) {
      step_ = rng_.below(steps());
      if (at(step_).empty()) continue;
      index_ = any(at(step_).size());
      return true;
    }
    return false;
  }
  DraftMessage& message() { return at(step_)[index_]; }
  void erase() { at(step_).erase(at(step_).begin() + static_cast<std::ptrdiff_t>(index_)); }

  std::string drop() {
    erase();
    return "drop";
  }
  std::string duplicate() {
    const DraftMessage copy = message();
    at(rng_.below(2) == 0 ? step_ : rng_.below(steps())).push_back(copy);
    return "duplicate";
  }
  std::string redirect() {
    message().to = Agent(rng_.below(draft_.agents()));
    return "redirect";
  }
  std::string change_sender() {
    if (!draft_.options.symmetry.is_trivial()) return redirect();
    message().from = Agent(rng_.below(draft_.agents()));
    return "change sender";
  }
  std::string move(const char* name, std::int64_t first, std::int64_t end) {
    const DraftMessage copy = message();
    erase();
    at(first + rng_.below(end - first)).push_back(copy);
    return name;
  }
  std::string cut() {
    auto& pieces = message().pieces;
    Piece& piece = pieces[any(pieces.size())];
    const std::int64_t lost = 1 + rng_.below(piece.count);
    if (rng_.below(2) == 0) piece.first += lost;
    piece.count -= lost;
    if (piece.count == 0) pieces.erase(pieces.begin() + (&piece - pieces.data()));
    if (pieces.empty()) erase();
    return "cut";
  }
  std::string swap_pieces() {
    const std::int64_t first_step = step_;
    const std::size_t first_index = index_;
    if (!pick_message()) return "nothing";
    std::swap(at(first_step)[first_index].pieces, message().pieces);
    return "swap pieces";
  }
  std::string flip() {
    Arrival& arrival = message().arrival;
    arrival = arrival == Arrival::copy ? Arrival::reduce : Arrival::copy;
    return "copy for reduce";
  }
  std::string reorder() {
    rng_.shuffle(at(step_));
    return "reorder";
  }
  std::string widen() {
    auto& pieces = message().pieces;
    Piece& piece = pieces[any(pieces.size())];
    if (rng_.below(2) == 0 && piece.end() < draft_.units()) {
      ++piece.count;
    } else if (piece.first > 0) {
      --piece.first;
      ++piece.count;
    }
    return "widen";
  }
  std::string shift_piece() {
    auto& pieces = message().pieces;
    Piece& piece = pieces[any(pieces.size())];
    piece.first = rng_.below(draft_.units() - piece.count + 1);
    return "shift piece";
  }
  std::string detour() {
    if (!draft_.options.symmetry.is_trivial()) return redirect();
    const Agent helper(draft_.agents());
    ++draft_.options.helpers;
    DraftMessage second = message();
    message().to = helper;
    message().arrival = Arrival::copy;
    second.from = helper;
    const std::int64_t after = step_ + rng_.below(3);
    while (steps() <= after) draft_.steps.emplace_back();
    at(after).push_back(second);
    return "detour over a helper";
  }
  std::string change_collective() {
    using Kind = CollectiveKind;
    if (!draft_.options.symmetry.is_trivial() || draft_.collective.kind == Kind::alltoall)
      return reorder();
    constexpr std::array kKinds = {Kind::broadcast, Kind::reduce,         Kind::scatter,
                                   Kind::gather,    Kind::reduce_scatter, Kind::allgather,
                                   Kind::allreduce};
    draft_.collective.kind = kKinds[any(kKinds.size())];
    draft_.collective.root = Rank(rng_.below(draft_.collective.ranks));
    return "change collective";
  }

  Draft& draft_;
  Rng& rng_;
  std::int64_t step_ = 0;
  std::size_t index_ = 0;
};

struct Tally {
  std::int64_t accepted = 0, rejected = 0;
  std::map<std::string, std::int64_t> mutations;
};

/// A fault names a message of its step, or none at the end, and a unit that exists.
void expect_well_formed(const Schedule& schedule, const Fault& fault, const std::string& label) {
  EXPECT_TRUE(fault.unit >= 0 && fault.unit < schedule.units()) << label;
  EXPECT_FALSE(fault.text.empty() || fault.text.find('\n') != std::string::npos) << label;
  if (fault.step == schedule.stored_steps()) return;
  ASSERT_TRUE(fault.message.has_value()) << label << ": " << fault.text;
  EXPECT_GE(*fault.message, schedule.first_message(fault.step)) << label;
  EXPECT_LT(*fault.message, schedule.first_message(fault.step + 1)) << label;
}

void compare(const Schedule& schedule, const std::string& label, Tally& tally) {
  const test::Execution judged = test::execute(schedule);
  const VerifyResult verified = verify(schedule);
  ++(judged.ok ? tally.accepted : tally.rejected);
  ASSERT_EQ(static_cast<bool>(verified), judged.ok)
      << label << "\n executor: " << judged.violation
      << "\n verifier: " << (verified ? "" : verified.fault().text);
  if (!verified) {
    EXPECT_EQ(verified.fault().step, judged.step)
        << label << "\n executor: " << judged.violation << "\n verifier: " << verified.fault().text;
    expect_well_formed(schedule, verified.fault(), label);
    return;
  }
  EXPECT_EQ(verified->facts().overwrites, judged.overwrites) << label;
  if (schedule.symmetry().is_trivial()) {
    EXPECT_EQ(verified->facts().keeps_order, judged.keeps_order) << label;
  } else {
    EXPECT_TRUE(!verified->facts().keeps_order || judged.keeps_order) << label;
  }
}

void mutate_and_compare(const Schedule& schedule, const std::string& label, Rng rng, int cases,
                        Tally& tally) {
  const Draft original = draft_of(schedule);
  ASSERT_EQ(build(original), schedule) << label;
  for (int i = 0; i < cases && !testing::Test::HasFatalFailure(); ++i) {
    Rng stream = rng.split(static_cast<std::uint64_t>(i));
    Draft draft = original;
    std::string done;
    for (std::int64_t left = 1 + stream.below(3) / 2 + stream.below(3) / 2; left > 0; --left) {
      const std::string name = Mutator(draft, stream).mutate();
      ++tally.mutations[name];
      done += (done.empty() ? "" : ", ") + name;
    }
    compare(build(draft), fmt::format("{}, case {}: {}", label, i, done), tally);
  }
}

TEST(Mutation, verifier_and_executor_agree_on_every_damaged_schedule) {
  const Rng rng(20240229);
  std::uint64_t item = 0;
  Tally plain, symmetric;
  for (const auto& algorithm : algorithm::algorithms())
    for (std::int32_t ranks = 2; ranks <= 9; ++ranks)
      for (const auto& [label, schedule, options] : test::schedules_of(algorithm, ranks)) {
        mutate_and_compare(expand_symmetry(schedule), label, rng.split(++item), test::samples(40),
                           plain);
        if (!schedule.symmetry().is_trivial())
          mutate_and_compare(schedule, label + ", symmetric", rng.split(++item), test::samples(80),
                             symmetric);
        if (HasFatalFailure()) return;
      }
  for (const auto& [tally, name] : {std::pair(plain, "plain"), std::pair(symmetric, "symmetric")}) {
    RecordProperty(std::string(name) + "_accepted", static_cast<int>(tally.accepted));
    RecordProperty(std::string(name) + "_rejected", static_cast<int>(tally.rejected));
    fmt::print("{}: {} damaged schedules accepted, {} rejected\n", name, tally.accepted,
               tally.rejected);
    for (const auto& [mutation, count] : tally.mutations) fmt::print("  {} {}\n", mutation, count);
    EXPECT_GE(tally.rejected + tally.accepted, test::samples(5'000));
    EXPECT_GE(tally.accepted, test::samples(500));
  }
  EXPECT_GE(plain.accepted + plain.rejected + symmetric.accepted + symmetric.rejected,
            test::samples(10'000));
}

}  // namespace
}  // namespace weft::schedule
