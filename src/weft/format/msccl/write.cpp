// MSCCL XML as text, for readers that are written by hand: one blank between attributes, no line
// break within a tag, double quotes, no declaration.
#include <fmt/format.h>

#include <algorithm>

#include "weft/base/xml.hpp"
#include "weft/format/msccl.hpp"

namespace weft::format::msccl {

namespace {

// In the profile's spelling.
std::string collective_text(const Algorithm& algorithm, const Profile& profile) {
  if (algorithm.collective != "reduce_scatter" && algorithm.collective != "reducescatter")
    return algorithm.collective;
  return profile.underscore ? "reduce_scatter" : "reducescatter";
}

void write_head(const Algorithm& algorithm, const Profile& profile, std::string& text) {
  const auto out = std::back_inserter(text);
  fmt::format_to(out, R"(<algo name="{}" proto="{}" nchannels="{}" nchunksperloop="{}" ngpus="{}")",
                 escape_xml(algorithm.name), name_of(algorithm.protocol), algorithm.channels,
                 algorithm.chunks, algorithm.ranks());
  fmt::format_to(out, R"( coll="{}" inplace="{}")", escape_xml(collective_text(algorithm, profile)),
                 algorithm.in_place ? 1 : 0);
  const bool all = profile.needs_window;
  if (all || algorithm.out_of_place)
    fmt::format_to(out, R"( outofplace="{}")", algorithm.works_out_of_place() ? 1 : 0);
  if (all || algorithm.min_bytes)
    fmt::format_to(out, R"( minBytes="{}")", algorithm.min_bytes.value_or(0));
  if (all || algorithm.max_bytes)
    fmt::format_to(out, R"( maxBytes="{}")", algorithm.max_bytes.value_or(0));
  text += ">\n";
}

void write_step(std::size_t position, const Step& step, std::string& text) {
  fmt::format_to(
      std::back_inserter(text),
      R"(      <step s="{}" type="{}" srcbuf="{}" srcoff="{}" dstbuf="{}" dstoff="{}" cnt="{}" depid="{}" deps="{}" hasdep="{}"/>)"
      "\n",
      position, name_of(step.type), name_of(step.source.buffer), step.source.offset,
      name_of(step.target.buffer), step.target.offset, step.count, step.depends_on.block,
      step.depends_on.step, step.has_dependent ? 1 : 0);
}

void write_gpu(std::int32_t rank, const Gpu& gpu, std::string& text) {
  fmt::format_to(std::back_inserter(text),
                 R"(  <gpu id="{}" i_chunks="{}" o_chunks="{}" s_chunks="{}">)"
                 "\n",
                 rank, gpu.input_chunks, gpu.output_chunks, gpu.scratch_chunks);
  std::int32_t id = 0;
  for (const ThreadBlock& block : gpu.blocks) {
    fmt::format_to(std::back_inserter(text),
                   R"(    <tb id="{}" send="{}" recv="{}" chan="{}">)"
                   "\n",
                   id++, block.send_peer, block.receive_peer, block.channel);
    std::size_t position = 0;
    for (const Step& step : block.steps) write_step(position++, step, text);
    text += "    </tb>\n";
  }
  text += "  </gpu>\n";
}

}  // namespace

std::string write(const Algorithm& algorithm, const Profile& profile) {
  std::string text;
  text.reserve(static_cast<std::size_t>(algorithm.steps()) * 128 + 4096);
  write_head(algorithm, profile, text);
  std::int32_t rank = 0;
  for (const Gpu& gpu : algorithm.gpus) write_gpu(rank++, gpu, text);
  text += "</algo>\n";
  return text;
}

}  // namespace weft::format::msccl
