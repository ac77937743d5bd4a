#include "weft/program/lowered.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "byte_classes.hpp"
#include "rank_order.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/program/block_sizes.hpp"
#include "weft/schedule/action.hpp"

namespace weft::program {

using schedule::Message;
using schedule::Piece;
using schedule::Schedule;

Lowered::Lowered(Verified verified, LowerOptions options)
    : verified_(std::move(verified)), options_(std::move(options)) {
  require(options_.size_B >= 0, "a size of {} bytes is negative", options_.size_B);
  require(options_.element_B >= 1, "an element of {} bytes is too small (needs 1 or more)",
          options_.element_B);
  require(options_.size_B % options_.element_B == 0,
          "a size of {} bytes is not a whole number of elements of {} bytes", options_.size_B,
          options_.element_B);
  fine_units_ = checked_mul(schedule().units(), schedule().segments().count);
  if (options_.blocks) {
    options_.blocks =
        options_.blocks->at(schedule().collective(), options_.size_B, options_.element_B);
    options_.shares = Shares::elements;
    elements_ = options_.blocks->total();
    return;
  }
  elements_ = schedule().collective().total_bytes(options_.size_B) / options_.element_B;
  uniform_ = elements_ % fine_units_ == 0;
  unit_B_ = elements_ / fine_units_ * options_.element_B;
  if (uniform_ || has_equal_shares() || schedule().symmetry().is_trivial()) return;
  ByteClasses classes = byte_classes(schedule(), fine_units_ / std::gcd(fine_units_, elements_));
  if (classes.count > 0) classes_ = std::make_shared<const ByteClasses>(std::move(classes));
}

std::int64_t Lowered::offset_B(std::int64_t fine_unit) const {
  WEFT_ASSERT(!has_equal_shares());
  if (options_.blocks) {
    const std::int64_t of_block = schedule().units_per_block() * schedule().segments().count;
    const std::int64_t block = fine_unit / of_block, rest = fine_unit % of_block;
    const std::int64_t inside =
        rest == 0 ? 0 : mul_div(rest, options_.blocks->size(block), of_block);
    return (options_.blocks->start(block) + inside) * options_.element_B;
  }
  return uniform_ ? fine_unit * unit_B_
                  : mul_div(fine_unit, elements_, fine_units_) * options_.element_B;
}

std::int64_t Lowered::bytes_of_units(std::int64_t units) const {
  WEFT_ASSERT(units >= 0 && fine_units_ >= 1);
  const std::int64_t whole = elements_ / fine_units_, rest = elements_ % fine_units_;
  // ceil(units * rest / X): floor of the share that the other units have, taken from all
  const std::int64_t others = fine_units_ - rest;
  return (checked_mul(units, whole + 1) - mul_div(units, others, fine_units_)) * options_.element_B;
}

std::int64_t Lowered::piece_bytes(Piece piece, std::int64_t segment) const {
  if (uniform_) return piece.count * unit_B_;
  std::int64_t total = 0;
  byte_ranges(piece, segment, [&](std::int64_t, std::int64_t bytes) { total += bytes; });
  return total;
}

std::int64_t Lowered::bytes(std::int64_t message, std::int64_t segment,
                            std::int32_t element) const {
  WEFT_ASSERT(segment >= 0 && segment < schedule().segments().count);
  std::int64_t bytes = 0;
  if (uniform_ || has_equal_shares()) {
    for (const Piece& piece : schedule().pieces(message)) bytes += piece.count;
    return uniform_ ? bytes * unit_B_ : bytes_of_units(bytes);
  }
  for (const Piece& piece : schedule().pieces(message)) {
    if (element == 0)
      bytes += piece_bytes(piece, segment);
    else
      schedule::translate(schedule(), element, piece,
                          [&](Piece image) { bytes += piece_bytes(image, segment); });
  }
  return bytes;
}

void Lowered::step(std::int64_t t, StepProgram& out, Copies copies) const {
  out.clear();
  each_stored_message(
      t, [&](std::int64_t m, std::int64_t segment) { append(m, segment, copies, out); });
}

void Lowered::representatives(std::int64_t t, StepProgram& out) const {
  out.clear();
  each_stored_message(t, [&](std::int64_t m, std::int64_t segment) {
    const Message& message = schedule().message(m);
    const std::int64_t size_B = bytes(m, segment);
    if (size_B == 0) return;
    const Combined combined = combined_of(m);
    append_reduction(message.to, combined, size_B, out);
    out.transfers.push_back({message.from, message.to, message.route, combined.arrival(),
                             static_cast<std::int32_t>(segment), size_B, m, 0});
  });
}

bool Lowered::translates_alike() const {
  if (has_equal_shares()) return true;
  if (options_.blocks) return false;
  const std::int64_t parts =
      checked_mul(schedule().collective().blocks(), schedule().segments().count);
  return checked_mul(offset_B(schedule().units_per_block()), parts) ==
         schedule().collective().total_bytes(size_B());
}

bool Lowered::has_whole_units() const {
  return uniform_;
}

double Lowered::payload_B() const {
  double total_B = 0;
  const std::int32_t order = schedule().symmetry().order(), seen = options_.blocks ? order : 1;
  const std::int32_t unseen = order / seen;  // translates that each seen one represents
  for (std::int64_t m = 0; m < schedule().stored_messages(); ++m)
    for (std::int64_t segment = 0; segment < schedule().segments().count; ++segment)
      for (std::int32_t g = 0; g < seen; ++g) total_B += static_cast<double>(bytes(m, segment, g));
  return total_B * static_cast<double>(unseen);
}

double Lowered::messages_at_once() const {
  std::int64_t largest = 0;
  for (std::int64_t t = 0; t < schedule().stored_steps(); ++t)
    largest = std::max<std::int64_t>(largest, std::ssize(schedule().messages(t)));
  const auto& [count, stride] = schedule().segments();
  const std::int64_t together =
      std::min(count, schedule().stored_steps() / std::max<std::int64_t>(stride, 1) + 1);
  return static_cast<double>(largest * schedule().symmetry().order()) *
         static_cast<double>(together);
}

void Lowered::append(std::int64_t message, std::int64_t segment, Copies copies,
                     StepProgram& out) const {
  constexpr std::int64_t kUnknown = -1;
  const Message& stored = schedule().message(message);
  const schedule::Symmetry& symmetry = schedule().symmetry();
  const Combined combined = combined_of(message);
  const std::int64_t units = combined.units;
  const bool has_one_size = uniform_ || has_equal_shares();
  std::int64_t size_B = uniform_ ? units * unit_B_ : has_one_size ? bytes_of_units(units) : 0;
  std::vector<std::int64_t> sizes_B;  // by class
  if (classes_) sizes_B.assign(classes_->count, kUnknown);
  for (std::int32_t g = 0; g < schedule().symmetry().order(); ++g) {
    if (classes_) {
      std::int64_t& known_B = sizes_B[classes_->of[g]];
      if (known_B == kUnknown) known_B = bytes(message, segment, g);
      size_B = known_B;
    } else if (!has_one_size) {
      size_B = bytes(message, segment, g);
    }
    if (size_B == 0) continue;
    const Agent to = symmetry.apply(g, stored.to);
    append_reduction(to, combined, size_B, out);
    const Transfer& transfer = out.transfers.emplace_back(
        Transfer{symmetry.apply(g, stored.from), to, stored.route, combined.arrival(),
                 static_cast<std::int32_t>(segment), size_B, message, g});
    if (transfer.from != transfer.to && copies == Copies::counted)
      append_copies(transfer, units, out);
  }
}

Lowered::Combined Lowered::combined_of(std::int64_t message) const {
  Combined combined;
  for (const Piece& piece : schedule().pieces(message)) combined.units += piece.count;
  if (schedule().message(message).arrival == Arrival::reduce)
    combined.reduced = combined.units - verified_.facts().kept_units_of(message);
  WEFT_ASSERT(combined.reduced >= 0 && combined.reduced <= combined.units);
  return combined;
}

// The work of the transfer that comes next.
void Lowered::append_reduction(Agent at, const Combined& combined, std::int64_t size_B,
                               StepProgram& out) {
  WEFT_ASSERT(combined.units > 0);
  const std::int64_t reduced_B = combined.reduced == combined.units
                                     ? size_B
                                     : mul_div(combined.reduced, size_B, combined.units);
  if (reduced_B > 0)
    out.work.push_back({at, WorkKind::reduce, WorkPhase::after_receiving,
                        static_cast<std::int32_t>(out.transfers.size()), reduced_B});
}

// In rank order scattered pieces are packed before they are sent and unpacked where they land; a
// reduction works on what arrives, unpacking on the way.
// Of a message that is copied in part its bytes are shared by units, as if blocks were alike.
void Lowered::append_copies(const Transfer& transfer, std::int64_t units, StepProgram& out) const {
  const auto index = static_cast<std::int32_t>(out.transfers.size() - 1);
  const auto add = [&](Agent at, WorkPhase phase, std::int64_t copied) {
    const std::int64_t bytes = mul_div(copied, transfer.bytes, units);
    if (bytes > 0) out.work.push_back({at, WorkKind::copy, phase, index, bytes});
  };
  const std::int64_t message = transfer.message;
  const std::int32_t element = transfer.element;
  const auto unless_run = [&](Agent at) {
    const auto pieces = schedule().pieces(message);
    return is_run_in_rank_order(schedule(), at, pieces, units, element) ? 0 : units;
  };
  const CopyPlan* plan = options_.copies.get();
  add(transfer.from, WorkPhase::before_sending,
      plan != nullptr ? plan->sender_units(message, element) : unless_run(transfer.from));
  if (plan != nullptr)
    add(transfer.to, WorkPhase::after_receiving, plan->receiver_units(message, element));
  else if (transfer.arrival == Arrival::copy)
    add(transfer.to, WorkPhase::after_receiving, unless_run(transfer.to));
}

}  // namespace weft::program
