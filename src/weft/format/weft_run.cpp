// The text that weft-bench run reads: a program's operations, which it performs under MPI on host
// memory. Nothing but weft-bench reads it, so that no format is lost if it changes.
//
//   weft-run 2
//   name ring
//   collective allreduce
//   ranks 2
//   size 2                         what one call is given, in units
//   unit_B 4                       bytes of a unit here; weft-bench scales them to other sizes
//   buffers data                   buffer 0, 1, ...; result N names the one that holds the result
//   rank 0
//   send 1 0 0:1+1                 operation 0: to rank 1, as message 0 of this pair of ranks, unit
//   1 receive-reduce 1 0 0:0+1       operation 1: from rank 1; `with 0:3+1` adds another operand
//   copy 0:0+1 to 1:0+1 after 0,1  operation 2: waits for operations 0 and 1 of its rank
//
// Ranges are BUFFER:FIRST+COUNT, joined by commas. The other kinds are receive, reduce (like copy)
// and pass, which only waits. All numbers of units share no divisor, so that sizes stay fine.
#include <fmt/format.h>

#include <map>
#include <numeric>

#include "weft/base/error.hpp"
#include "weft/format/format.hpp"
#include "weft/program/operations.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::format {

using program::Agent;
using program::ByteRange;
using program::Operation;
using program::OperationKind;
using program::Operations;

namespace {

class RunWriter {
 public:
  RunWriter(const Program& program, const program::Claim& claim)
      : program_(program), operations_(*program.operations()), claim_(claim) {
    number_messages();
    find_unit();
  }

  std::string write() && {
    const Collective& collective = claim_.collective;
    add("weft-run 2\nname {}\ncollective {}\n", program_.name(), name_of(collective.kind));
    if (collective.rooted()) add("root {}\n", collective.root.value());
    if (schedule::traits_of(collective.kind).between_two())
      add("peer {}\n", collective.peer.value());
    add("ranks {}\nsize {}\nunit_B {}\n", program_.ranks(), claim_.size_B / unit_B_, unit_B_);
    add("buffers {}\n", fmt::join(operations_.buffers(), " "));
    if (claim_.output != 0) add("result {}\n", claim_.output);
    for (std::int32_t r = 0; r < program_.ranks(); ++r) {
      add("rank {}\n", r);
      std::size_t i = 0;
      for (const Operation& operation : operations_.of(Agent(r)))
        line(operation, numbers_[static_cast<std::size_t>(r)][i++]);
    }
    return std::move(text_);
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }

  // Both ends of a message count it by the same number, whatever its tag was.
  void number_messages() {
    for (std::int32_t r = 0; r < program_.ranks(); ++r)
      numbers_.emplace_back(operations_.of(Agent(r)).size());
    std::map<std::pair<Agent, Agent>, std::int64_t> sent;
    for (const Operations::MessageEnds& ends : operations_.messages()) {
      const std::int64_t number = sent[{ends.from, ends.to}]++;
      numbers_[ends.from.index()][static_cast<std::size_t>(ends.send)] = number;
      numbers_[ends.to.index()][static_cast<std::size_t>(ends.receive)] = number;
    }
  }

  void find_unit() {
    const std::int64_t all_B = claim_.collective.total_bytes(claim_.size_B);
    const std::int64_t blocks = claim_.collective.blocks();
    const bool whole = claim_.collective.whole_buffer();
    require(claim_.size_B > 0 && (whole || all_B % blocks == 0),
            "'{}' cuts {} bytes into {} blocks of unequal length; choose a --size that is a "
            "multiple",
            program_.name(), all_B, blocks);
    unit_B_ = whole ? all_B : all_B / blocks;
    for (std::int32_t r = 0; r < program_.ranks(); ++r)
      for (const Operation& operation : operations_.of(Agent(r)))
        for (const auto& ranges : {operations_.reads(operation), operations_.writes(operation)})
          for (const ByteRange& range : ranges)
            unit_B_ = std::gcd(unit_B_, std::gcd(range.offset_B, range.bytes));
  }

  void line(const Operation& operation, std::int64_t number) {
    const auto reads = operations_.reads(operation), writes = operations_.writes(operation);
    if (reads.empty() && writes.empty()) {
      require(!operation.is_message(),
              "the messages of '{}' do not name their data, which weft-bench needs",
              program_.name());
      text_ += "pass";  // time alone
    } else if (operation.kind == OperationKind::send) {
      add("send {} {} {}", operation.peer.value(), number, text(reads));
    } else if (operation.receives()) {
      add("{} {} {} {}", name_of(operation.kind), operation.peer.value(), number, text(writes));
      if (!reads.empty()) add(" with {}", text(reads));
    } else {
      add("{} {} to {}", name_of(operation.kind), text(reads), text(writes));
    }
    const auto waits = operations_.waits(operation);
    if (!waits.empty()) add(" after {}", fmt::join(waits, ","));
    text_ += '\n';
  }

  std::string text(std::span<const ByteRange> ranges) const {
    std::string text;
    for (const ByteRange& range : ranges)
      fmt::format_to(std::back_inserter(text), "{}{}:{}+{}", text.empty() ? "" : ",", range.buffer,
                     range.offset_B / unit_B_, range.bytes / unit_B_);
    return text;
  }

  const Program& program_;
  const Operations& operations_;
  program::Claim claim_;
  std::vector<std::vector<std::int64_t>> numbers_;  // by rank and operation; of messages
  std::int64_t unit_B_ = 1;
  std::string text_;
};

// What the program performs, by its own word or that of the file it came from.
program::Claim claim_of(const Program& program, const ProgramTarget& target) {
  if (program.collective())
    return {.collective = *program.collective(), .size_B = program.size_B()};
  require(target.claim.has_value(),
          "'{}' does not name its collective; export the original schedule or file",
          program.name());
  return *target.claim;
}

std::vector<File> write(const Program& program, const ProgramTarget& target) {
  require_ranks_only(program, "weft-run");
  const program::Claim claim = claim_of(program, target);
  const Program written = write_out(program);
  return {{target.path, RunWriter(written, claim).write()}};
}

}  // namespace

Format weft_run() {
  return {.name = "weft-run",
          .summary = "operations that weft-bench run performs under MPI (text), for all sizes",
          .loses = "paths of messages, which MPI chooses, and computing",
          .write_program = write,
          .by_unit = true};
}

}  // namespace weft::format
