// The limits of the readers.
//
// Sources: Azure/msccl-executor-nccl src/misc/msccl/msccl_parser.cc, src/include/msccl/*.h;
// microsoft/msccl src/graph/topo.cc; RCCL until 2026.
#include "weft/format/msccl/check/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace weft::format::msccl {

namespace {

constexpr std::int32_t kMostChildren = 1024;  // of an element
constexpr std::int32_t kLastFlag = 127;       // thread blocks that fit into 8 bits

class Limits {
 public:
  Limits(const Flat& flat, const Profile& profile, Findings& findings)
      : flat_(flat), algorithm_(*flat.algorithm), profile_(profile), findings_(findings) {}

  void check() {
    check_window();
    check_collective();
    check_file();
    for (std::int32_t g = 0; g < flat_.gpus(); ++g) check_gpu(g);
    for (std::int32_t b = 0; b < flat_.blocks(); ++b) check_block(b);
    for (StepIndex s = 0; s < flat_.steps(); ++s) check_step(s);
    for (std::int32_t b = 0; b < flat_.blocks(); ++b) check_chain(b);
  }

 private:
  template <class... Args>
  void file(fmt::format_string<Args...> format, Args&&... args) {
    findings_.add(Severity::limit, [&] {
      return Finding{.kind = "limit", .text = text(format, args...), .events = {}};
    });
  }
  template <class... Args>
  void gpu(std::int32_t g, fmt::format_string<Args...> format, Args&&... args) {
    findings_.add(Severity::limit, [&] {
      return Finding{.kind = "limit",
                     .rank = g,
                     .line = algorithm_.gpus[Flat::index(g)].line,
                     .text = text(format, args...),
                     .events = {}};
    });
  }
  template <class... Args>
  void step(StepIndex s, fmt::format_string<Args...> format, Args&&... args) {
    findings_.add(Severity::limit,
                  [&] { return finding_at(flat_, s, "limit", text(format, args...)); });
  }
  template <class... Args>
  std::string text(fmt::string_view format, const Args&... args) {
    return fmt::format("{}: {}", profile_.name,
                       fmt::vformat(format, fmt::make_format_args(args...)));
  }

  void check_window();
  void check_old_window();
  void check_collective();
  void check_file();
  void check_old_chunks(std::int32_t g);
  void check_gpu(std::int32_t g);
  void check_channels(std::int32_t g);
  void check_block(std::int32_t b);
  void check_step(StepIndex s);
  void check_place(StepIndex s, Place place);
  void check_chain(std::int32_t b);
  bool old() const { return !profile_.needs_window; }

  const Flat& flat_;
  const Algorithm& algorithm_;
  const Profile& profile_;
  Findings& findings_;
};

void Limits::check_window() {
  if (profile_.needs_window) {
    if (!algorithm_.out_of_place) file("the attribute outofplace is missing, which it needs");
    if (!algorithm_.min_bytes) file("the attribute minBytes is missing, which it needs");
    if (!algorithm_.max_bytes) file("the attribute maxBytes is missing, which it needs");
  } else if (algorithm_.out_of_place && *algorithm_.out_of_place == algorithm_.in_place) {
    file("it does not support outofplace, and reads inplace=\"{}\" as excluding the other",
         algorithm_.in_place ? 1 : 0);
  }
  if (old()) check_old_window();
  const std::int64_t most = algorithm_.max_bytes.value_or(0);
  if (most > 0 && algorithm_.min_bytes.value_or(0) > most)
    file("minBytes=\"{}\" is above maxBytes=\"{}\": the file is never used", *algorithm_.min_bytes,
         most);
}

// Sources: microsoft/msccl src/graph/tuning.cc (the size must be below maxBytes), src/init.cc
// (scratch of maxBytes * s_chunks / nchunksperloop).
void Limits::check_old_window() {
  if (algorithm_.max_bytes == std::optional<std::int64_t>(0))
    return file("it reads maxBytes=\"0\" literally, and never uses the file");
  constexpr double kMostScratch_B = 1e12;  // above any GPU's memory
  const double most_B = static_cast<double>(algorithm_.max_bytes.value_or(std::int64_t{1} << 27));
  for (std::int32_t g = 0; g < flat_.gpus(); ++g) {
    const double scratch_B =
        most_B * algorithm_.gpus[Flat::index(g)].scratch_chunks / algorithm_.chunks;
    if (scratch_B <= kMostScratch_B) continue;
    return gpu(g,
               "rank {} needs {:.3g} bytes of scratch at maxBytes=\"{:.0f}\", which it allocates "
               "when it starts",
               g, scratch_B, most_B);
  }
}

void Limits::check_collective() {
  constexpr std::array<std::string_view, 6> kBoth{"allreduce", "allgather", "reduce",
                                                  "broadcast", "alltoall",  ""};
  constexpr std::array<std::string_view, 6> kOld{"reduce_scatter", "custom"};
  constexpr std::array<std::string_view, 6> kNew{"reducescatter", "alltoallv", "gather",
                                                 "scatter",       "send",      "recv"};
  const std::string_view name = algorithm_.collective;
  const auto has = [&](const auto& names) {
    return !name.empty() && std::ranges::find(names, name) != names.end();
  };
  if (has(kBoth) || has(profile_.underscore ? kOld : kNew)) return;
  if (name == "reduce_scatter" || name == "reducescatter")
    file("it calls the collective '{}', not '{}'",
         profile_.underscore ? "reduce_scatter" : "reducescatter", name);
  else
    file("it does not know the collective '{}'", name);
}

void Limits::check_file() {
  if (algorithm_.channels > profile_.channels)
    file("{} channels (nchannels) are more than the {} that it has", algorithm_.channels,
         profile_.channels);
  if (algorithm_.ranks() > kMostChildren)
    file("{} ranks are more than the {} that it reads", algorithm_.ranks(), kMostChildren);
  if (old() && algorithm_.name.size() > 63)
    file("the name has {} characters, of which it keeps 63", algorithm_.name.size());
}

// The old reader refuses files whose buffers do not fit nchunksperloop.
void Limits::check_old_chunks(std::int32_t g) {
  const std::string_view name = algorithm_.collective;
  const Gpu& own = algorithm_.gpus[Flat::index(g)];
  const std::int64_t input =
      std::int64_t{own.input_chunks} * (name == "allgather" ? algorithm_.ranks() : 1);
  const std::int64_t output =
      std::int64_t{own.output_chunks} * (name == "reduce_scatter" ? algorithm_.ranks() : 1);
  const std::int64_t wanted = algorithm_.chunks;
  if ((input > 0 && input != wanted) || (output > 0 && output != wanted))
    gpu(g,
        "rank {} has i_chunks=\"{}\" and o_chunks=\"{}\", which do not match "
        "nchunksperloop=\"{}\"",
        g, own.input_chunks, own.output_chunks, wanted);
}

void Limits::check_gpu(std::int32_t g) {
  const Gpu& own = algorithm_.gpus[Flat::index(g)];
  const auto blocks = std::ssize(own.blocks);
  if (blocks > profile_.blocks)
    gpu(g, "rank {} has {} thread blocks, more than {}", g, blocks, profile_.blocks);
  if (blocks > kMostChildren)
    gpu(g, "rank {} has {} thread blocks, and it reads {}", g, blocks, kMostChildren);
  std::int64_t elements = 1 + std::int64_t{algorithm_.ranks()} + blocks;
  for (const ThreadBlock& block : own.blocks) elements += std::ssize(block.steps);
  if (elements >= profile_.nodes)
    gpu(g, "rank {} needs {} elements (gpu, tb, step) at once, and it keeps fewer than {}", g,
        elements, profile_.nodes);
  if (old()) check_old_chunks(g);
  check_channels(g);
}

void Limits::check_channels(std::int32_t g) {
  std::vector<std::int32_t> sends, receives;
  for (const ThreadBlock& block : algorithm_.gpus[Flat::index(g)].blocks) {
    if (block.send_peer >= 0) sends.push_back(block.channel);
    if (block.receive_peer >= 0) receives.push_back(block.channel);
  }
  for (auto* list : {&sends, &receives}) {
    std::ranges::sort(*list);
    const auto most = Flat::index(profile_.blocks_per_channel);
    for (std::size_t i = most; i < list->size(); ++i) {
      if ((*list)[i] != (*list)[i - most]) continue;
      gpu(g, "rank {} has more than {} thread blocks that {} on channel {}", g, most,
          list == &sends ? "send" : "receive", (*list)[i]);
      break;
    }
  }
}

void Limits::check_block(std::int32_t b) {
  const ThreadBlock& block = flat_.thread_block(b);
  const auto tell = [&](std::string what) {
    findings_.add(Severity::limit, [&] {
      return finding_at_block(
          flat_, b, "limit",
          fmt::format("{}: {} has {}", profile_.name, name_of_block(flat_, b), what));
    });
  };
  const auto steps = std::ssize(block.steps);
  if (steps > profile_.steps) tell(fmt::format("{} steps, more than {}", steps, profile_.steps));
  if (block.channel < 0 || block.channel >= profile_.channels)
    tell(fmt::format("channel {}, and channels are 0 to {}", block.channel, profile_.channels - 1));
  else if (block.channel >= algorithm_.channels)
    tell(fmt::format("channel {}, but nchannels=\"{}\"", block.channel, algorithm_.channels));
}

void Limits::check_place(StepIndex s, Place place) {
  if (place.offset > profile_.offset)
    step(s, "{} has the offset {}, more than {}", name_of(flat_, s), place.offset, profile_.offset);
}

void Limits::check_step(StepIndex s) {
  const Step& own = *flat_.step[Flat::index(s)];
  if (own.count > profile_.count)
    step(s, "{} has {} chunks, more than {}", name_of(flat_, s), own.count, profile_.count);
  if (own.depends_on.block > kLastFlag)
    step(s, "{} waits for thread block {}, and it keeps that number in 8 bits (up to {})",
         name_of(flat_, s), own.depends_on.block, kLastFlag);
  if (reads_source(own.type)) check_place(s, own.source);
  if (writes_target(own.type)) check_place(s, own.target);
}

// Dependencies of nops are kept for the next other step, which must have one too.
void Limits::check_chain(std::int32_t b) {
  bool pending = false;
  StepIndex last = kNone;
  for (StepIndex s = flat_.first_step[Flat::index(b)]; s < flat_.first_step[Flat::index(b) + 1];
       ++s) {
    const Step& own = *flat_.step[Flat::index(s)];
    if (own.type == StepType::nop) {
      pending = pending || own.depends_on.exists();
      last = s;
      continue;
    }
    if (pending && !own.depends_on.exists())
      step(s, "{} follows nops that wait, and must itself have a dependency", name_of(flat_, s));
    pending = false;
  }
  if (pending)
    step(last, "{} ends its thread block, and its dependency is not waited for",
         name_of(flat_, last));
}

}  // namespace

void check_limits(const Flat& flat, const Profile& profile, Findings& findings) {
  Limits(flat, profile, findings).check();
}

}  // namespace weft::format::msccl
