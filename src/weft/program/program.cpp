#include "weft/program/program.hpp"

#include <algorithm>
#include <limits>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/action.hpp"

namespace weft::program {

using schedule::Message;
using schedule::Piece;
using schedule::Schedule;

Program lower(const Verified& verified, const LowerOptions& options) {
  return {verified, options};
}

Program::Program(Verified verified, LowerOptions options)
    : verified_(std::move(verified)), options_(options) {
  require(options_.size_B >= 0, "a size of {} bytes is negative", options_.size_B);
  require(options_.element_B >= 1, "an element of {} bytes is too small (needs 1 or more)",
          options_.element_B);
  require(options_.size_B % options_.element_B == 0,
          "a size of {} bytes is no whole number of elements of {} bytes", options_.size_B,
          options_.element_B);
  fine_units_ = checked_mul(schedule().units(), schedule().segments().count);
  elements_ = schedule().collective().total_bytes(options_.size_B) / options_.element_B;
  uniform_ = elements_ % fine_units_ == 0;
  unit_B_ = elements_ / fine_units_ * options_.element_B;
}

std::int64_t Program::offset_B(std::int64_t fine_unit) const {
  return uniform_ ? fine_unit * unit_B_
                  : mul_div(fine_unit, elements_, fine_units_) * options_.element_B;
}

std::int64_t Program::piece_bytes(Piece piece, std::int64_t segment) const {
  if (uniform_) return piece.count * unit_B_;
  std::int64_t total = 0;
  byte_ranges(piece, segment, [&](std::int64_t, std::int64_t bytes) { total += bytes; });
  return total;
}

std::int64_t Program::bytes(std::int64_t message, std::int64_t segment,
                            std::int32_t element) const {
  std::int64_t bytes = 0;
  for (const Piece& piece : schedule().pieces(message)) {
    if (uniform_ || element == 0)
      bytes += piece_bytes(piece, segment);
    else
      schedule::translate(schedule(), element, piece,
                          [&](Piece image) { bytes += piece_bytes(image, segment); });
  }
  return bytes;
}

void Program::step(std::int64_t t, StepProgram& out) const {
  out.transfers.clear();
  out.work.clear();
  each_stored_message(t, [&](std::int64_t m, std::int64_t segment) { append(m, segment, out); });
}

void Program::append(std::int64_t message_index, std::int64_t segment, StepProgram& out) const {
  const Message& message = schedule().message(message_index);
  const schedule::Symmetry& symmetry = schedule().symmetry();
  const bool packed = schedule().pieces(message_index).size() > 1;
  std::int64_t size_B = uniform_ ? bytes(message_index, segment) : 0;
  for (std::int32_t g = 0; g < symmetry.order(); ++g) {
    if (!uniform_) size_B = bytes(message_index, segment, g);
    if (size_B == 0) continue;
    const Transfer transfer{symmetry.apply(g, message.from),
                            symmetry.apply(g, message.to),
                            message.route,
                            message.arrival,
                            packed,
                            static_cast<std::int32_t>(segment),
                            size_B,
                            message_index,
                            g};
    append_work(transfer, static_cast<std::int32_t>(out.transfers.size()), out);
    out.transfers.push_back(transfer);
  }
}

// Scattered pieces are packed before they are sent and unpacked where they land; a reduction works
// on what arrives, unpacking on the way.
void Program::append_work(const Transfer& transfer, std::int32_t index, StepProgram& out) const {
  const auto add = [&](Agent at, WorkKind kind, WorkPhase phase) {
    out.work.push_back({at, kind, phase, index, transfer.bytes});
  };
  const bool to_oneself = transfer.from == transfer.to;
  if (transfer.packed && !to_oneself) add(transfer.from, WorkKind::copy, WorkPhase::before_sending);
  if (transfer.arrival == Arrival::reduce)
    add(transfer.to, WorkKind::reduce, WorkPhase::after_receiving);
  else if (transfer.packed && !to_oneself)
    add(transfer.to, WorkKind::copy, WorkPhase::after_receiving);
}

}  // namespace weft::program
