#include <climits>
#include <limits>

#include "pmpi/collective.hpp"
#include "pmpi/counts.hpp"
#include "pmpi/runtime.hpp"

namespace weft::pmpi {

using plan::Kind;

namespace {

// Arguments that only MPI can say something about.
constexpr const char* kUnusual = "arguments for MPI to judge";

bool reduces(Kind kind) {
  return traits_of(kind).reduces;
}

// Which of the two sides gives the size: the one that counts on this rank. Signatures match, so
// that it is the same on all, but for an alltoallv: there only the range of the plan is.
struct Side {
  std::int64_t count;
  MPI_Datatype type;
};

Side side_of(const Communicator& communicator, const Call& call) {
  const bool at_root = communicator.rank == call.root;
  switch (call.kind) {
    case Kind::gather:
      return at_root ? Side{call.out_count, call.out_type} : Side{call.in_count, call.in_type};
    case Kind::scatter:
      return at_root ? Side{call.in_count, call.in_type} : Side{call.out_count, call.out_type};
    case Kind::broadcast:
    case Kind::reduce:
    case Kind::allgather:
    case Kind::reduce_scatter:
    case Kind::allreduce:
    case Kind::alltoall:
      break;
  }
  return {call.out_count, call.out_type};
}

// Of reductions, what the schedule has to have for the operation.
const char* misfit(const Communicator& communicator, const plan::layout::ScheduleEntry& entry,
                   const OpInfo& op, const plan::MappedPlan& plan) {
  if (!op.commutes && (entry.keeps_order == 0 || !communicator.keeps_ranks))
    return "the operation does not commute";
  if (!op.is_exact && entry.one_association == 0 && !plan.allows_different_bits())
    return "ranks would get different bits";
  return nullptr;
}

// The range that serves a call, and otherwise why none does.
struct Served {
  const plan::layout::RangeEntry* range = nullptr;
  const char* why = "";
};

// `with_counts`: see Question::range.
Served served(const Communicator& communicator, const Call& call, std::int32_t with_counts,
              std::int64_t size_B) {
  const plan::MappedPlan& plan = *runtime()->plan;
  Served served;
  if (with_counts >= 0) {
    served.range = &plan.ranges()[static_cast<std::size_t>(with_counts)];
  } else if (call.counts == nullptr || call.kind != Kind::alltoall) {
    // Blocks of other sizes than in the plan are served by the size of them all.
    const std::int32_t root =
        is_rooted(call.kind) ? communicator.schedule_rank[static_cast<std::size_t>(call.root)] : 0;
    served.range = plan.range(call.kind, root, size_B);
  }
  if (served.range == nullptr)
    served.why = call.counts != nullptr && plan.has_counts(call.kind)
                     ? "its counts are not in the plan"
                     : "not in the plan";
  else if (served.range->schedule < 0)
    served = {nullptr, "the plan says so"};
  return served;
}

Decision decided(const Communicator& communicator, const Call& call, const Side& side,
                 std::int32_t with_counts) {
  Decision decision;
  const auto native = [&](const char* why) {
    decision.why = why;
    return decision;
  };
  if (side.count < 0 || side.type == mpi().type_null) return native(kUnusual);
  if (is_rooted(call.kind) && (call.root < 0 || call.root >= communicator.size))
    return native(kUnusual);
  if (reduces(call.kind) && call.op == mpi().op_null) return native(kUnusual);
  decision.type = type_info(side.type);
  const bool is_whole = reduces(call.kind) || traits_of(call.kind).whole_buffer;
  const bool has_blocks = call.kind == Kind::reduce_scatter && call.counts == nullptr;
  if (decision.type.size < 0) return native(kUnusual);  // MPI_UNDEFINED
  std::int64_t one_B = 0, of_all_B = 0;
  if (__builtin_mul_overflow(decision.type.size, side.count, &one_B) ||
      __builtin_mul_overflow(one_B, communicator.size, &of_all_B) ||
      of_all_B > std::numeric_limits<std::int64_t>::max() / communicator.size)
    return native("more bytes than can be");
  decision.size_B = has_blocks ? of_all_B : one_B;
  decision.row_B = is_whole ? decision.size_B : of_all_B;
  if (call.kind != Kind::reduce_scatter && call.counts != nullptr) {
    decision.row_B = one_B;  // blocks differ: the mean of them counts
    decision.size_B = (one_B + communicator.size - 1) / communicator.size;
  }
  if (with_counts >= 0)
    decision.size_B = runtime()->plan->ranges()[static_cast<std::size_t>(with_counts)].first_B;
  if (reduces(call.kind)) decision.op = op_info(call.op, decision.type);
  if (!communicator.is_usable) return native(communicator.why.c_str());
  // A rank of an alltoallv may have nothing while others have something.
  const bool knows_all = call.counts == nullptr || call.kind != Kind::alltoall;
  if (decision.size_B == 0 && knows_all) return native("nothing to send");
  // MPI reduces and moves no more elements than an int counts, of a type that is one on all ranks.
  if (decision.row_B > INT_MAX && reduces(call.kind) && !decision.type.is_plain)
    return native("more than 2 GiB of a derived type");
  const plan::MappedPlan& plan = *runtime()->plan;
  const auto [range, why_not] = served(communicator, call, with_counts, decision.size_B);
  if (range == nullptr) return native(why_not);
  if (reduces(call.kind)) {
    if (!decision.op.is_valid) return native("an operation or type of its own kind");
    const auto& entry = plan.schedules()[static_cast<std::size_t>(range->schedule)];
    if (const char* why = misfit(communicator, entry, decision.op, plan)) return native(why);
  }
  decision.schedule = range->schedule;
  decision.range = with_counts;
  return decision;
}

// Handles of a program's own types and operations may be those of others later.
bool is_for_ever(const Call& call, const Decision& decision) {
  return decision.type.is_plain && (!reduces(call.kind) || decision.op.is_built_in);
}

}  // namespace

const Decision& decide(Communicator& communicator, const Call& call) {
  const Side side = side_of(communicator, call);
  const std::int32_t with_counts =
      call.counts != nullptr ? range_of_counts(communicator, call) : -1;
  const Question question{.kind = call.kind,
                          .has_counts = call.counts != nullptr,
                          .range = with_counts,
                          .root = is_rooted(call.kind) ? call.root : 0,
                          .count = side.count,
                          .type = side.type,
                          .op = call.op};
  Decisions::Cached& cached = communicator.decisions.place_of(question);
  if (cached.question == question) return cached.decision;
  cached.decision = decided(communicator, call, side, with_counts);
  cached.question = is_for_ever(call, cached.decision) ? question : Question{};
  return cached.decision;
}

}  // namespace weft::pmpi
