// Whose data is used, going backwards, and accesses beyond the callers' buffers.
#include <fmt/format.h>

#include <vector>

#include "weft/format/msccl/check/result/result.hpp"
#include "weft/format/msccl/check/result/semantics.hpp"

namespace weft::format::msccl {

namespace {

class Use {
 public:
  Use(const Flat& flat, const Memory& memory)
      : flat_(flat),
        memory_(memory),
        used_(static_cast<std::size_t>(memory.cells())),
        message_(flat.step.size()) {}

  void want(std::int64_t cell) { used_[static_cast<std::size_t>(cell)] = 1; }
  /// Whether any chunk that the step moves is used later. To be called in reverse order.
  bool visit(StepIndex s);

 private:
  bool visit_chunk(StepIndex s, const Step& step, std::int32_t gpu, std::int32_t k);

  const Flat& flat_;
  const Memory& memory_;
  std::vector<std::uint8_t> used_;  // of each cell, by what comes later
  // Of each step that receives: where the uses of its chunks begin.
  std::vector<std::int64_t> message_;
  std::vector<std::uint8_t> chunks_;
};

bool Use::visit(StepIndex s) {
  const Step& step = *flat_.step[Flat::index(s)];
  const std::int32_t gpu = flat_.gpu_of(s);
  if (flat_.receives(s)) {
    message_[Flat::index(s)] = std::ssize(chunks_);
    chunks_.resize(chunks_.size() + Flat::index(step.count));
  }
  bool used = false;
  for (std::int32_t k = step.count; k-- > 0;)
    if (visit_chunk(s, step, gpu, k)) used = true;
  return used;
}

bool Use::visit_chunk(StepIndex s, const Step& step, std::int32_t gpu, std::int32_t k) {
  bool used = false;
  if (flat_.sends(s)) {
    const auto first = message_[Flat::index(flat_.receiver[Flat::index(s)])];
    used = chunks_[static_cast<std::size_t>(first + k)] != 0;
  }
  if (writes_target(step.type)) {
    std::uint8_t& target = used_[static_cast<std::size_t>(memory_.cell(gpu, step.target) + k)];
    if (target != 0) used = true;
    if (step.type != StepType::reduce) target = 0;
  }
  if (!used) return false;
  if (reads_source(step.type))
    used_[static_cast<std::size_t>(memory_.cell(gpu, step.source) + k)] = 1;
  if (flat_.receives(s)) chunks_[static_cast<std::size_t>(message_[Flat::index(s)] + k)] = 1;
  return true;
}

void want_outputs(const Flat& flat, const Memory& memory,
                  const std::optional<schedule::Collective>& collective, Use& use) {
  if (!collective) {  // scratch alone is surely no result
    for (std::int32_t rank = 0; rank < flat.gpus(); ++rank) {
      const Gpu& gpu = flat.algorithm->gpus[Flat::index(rank)];
      for (const Buffer buffer : {Buffer::input, Buffer::output})
        for (std::int32_t k = 0; k < gpu.chunks(buffer); ++k)
          use.want(memory.cell(rank, {buffer, k}));
    }
    return;
  }
  const Semantics semantics(*flat.algorithm, *collective);
  for (std::int32_t rank = 0; rank < flat.gpus(); ++rank)
    for (std::int32_t k = 0; semantics.has_output(rank) && k < semantics.sizes().output; ++k)
      use.want(memory.cell(rank, {Buffer::output, k}));
}

void check_access(const Flat& flat, StepIndex s, Place place, std::string_view verb,
                  const BufferSizes& sizes, Findings& findings) {
  if (place.buffer == Buffer::scratch) return;
  const bool is_input = place.buffer == Buffer::input;
  const std::int64_t size = is_input ? sizes.input : sizes.output;
  const std::int32_t count = flat.step[Flat::index(s)]->count;
  if (count == 0 || std::int64_t{place.offset} + count <= size) return;
  findings.add(Severity::fault, [&] {
    return finding_at(flat, s, "outside-buffer",
                      fmt::format("{} {} {}, but the {} of this {} has {} chunks", name_of(flat, s),
                                  verb, name_of(place, count), is_input ? "input" : "output",
                                  flat.algorithm->collective, size));
  });
}

}  // namespace

void check_use(const Flat& flat, std::span<const StepIndex> order, const Memory& memory,
               const std::optional<schedule::Collective>& collective, Findings& findings) {
  Use use(flat, memory);
  want_outputs(flat, memory, collective, use);
  for (std::size_t i = order.size(); i-- > 0;) {
    const StepIndex s = order[i];
    const Step& step = *flat.step[Flat::index(s)];
    if (use.visit(s) || step.type == StepType::nop) continue;
    findings.add(Severity::style, [&] {
      return finding_at(flat, s, step.count == 0 ? "empty-step" : "unused-transfer",
                        step.count == 0
                            ? fmt::format("{} has cnt=\"0\" and moves nothing", name_of(flat, s))
                            : fmt::format("{} moves data that nobody uses", name_of(flat, s)));
    });
  }
}

void check_sizes(const Flat& flat, Findings& findings) {
  const Algorithm& algorithm = *flat.algorithm;
  const auto sizes = sizes_of(algorithm);
  if (!sizes) {
    if (!collective_of(algorithm.collective, algorithm.ranks())) return;
    findings.add(Severity::fault, [&] {
      return Finding{
          .kind = "outside-buffer",
          .text = fmt::format("nchunksperloop=\"{}\" is not a multiple of {} ranks, which {} needs",
                              algorithm.chunks, algorithm.ranks(), algorithm.collective),
          .events = {}};
    });
    return;
  }
  for (StepIndex s = 0; s < flat.steps(); ++s) {
    const Step& step = *flat.step[Flat::index(s)];
    if (reads_source(step.type)) check_access(flat, s, step.source, "reads", *sizes, findings);
    if (writes_target(step.type)) check_access(flat, s, step.target, "writes", *sizes, findings);
  }
}

void check_absent_buffers(const Flat& flat, const schedule::Collective& collective, Mode mode,
                          Findings& findings) {
  if (!collective.rooted() || mode == Mode::in_place) return;
  const Semantics semantics(*flat.algorithm, collective);
  const std::int32_t root = collective.root.value();
  for (StepIndex s = 0; s < flat.steps(); ++s) {
    const Step& step = *flat.step[Flat::index(s)];
    const std::int32_t rank = flat.gpu_of(s);
    const auto absent = [&](Place place) {
      return step.count > 0 && ((place.buffer == Buffer::input && !semantics.has_input(rank)) ||
                                (place.buffer == Buffer::output && !semantics.has_output(rank)));
    };
    const bool reads = reads_source(step.type) && absent(step.source);
    if (!reads && !(writes_target(step.type) && absent(step.target))) continue;
    const Place place = reads ? step.source : step.target;
    findings.add(Severity::fault, [&] {
      return finding_at(
          flat, s, "absent-buffer",
          fmt::format("{} {} {}, but of a {} whose root is rank {} other callers may pass no {}",
                      name_of(flat, s), reads ? "reads" : "writes", name_of(place, step.count),
                      flat.algorithm->collective, root,
                      place.buffer == Buffer::input ? "input" : "output"));
    });
  }
}

}  // namespace weft::format::msccl
