// TACOS's table of a synthesized allgather (versions 1.1.0 and 1.1.1; later ones write MSCCL XML or
// nothing):
//
//   NPUs Count,3
//   Links Count,3
//   Chunks Count,3
//   Chunk Size,1048576,B
//   SrcID,DestID,Latency (ns),Bandwidth (GB/s),Chunks
//   0,1,500,50,0,2
//   1,2,500,50,1,0
//   2,0,500,50,None
//
// A row is a link and the chunks that it carries, in order, or None. Chunk c is the NPU's c mod N
// at first, and is its chunk number c / N. There are no times: a chunk goes once it has come and
// the one before it on the link has left. Source: tacos v1.1.1, src/writer/csv_writer.cpp and
// src/collective/all_gather.cpp.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <set>

#include "../text_lines.hpp"
#include "chunk_moves.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/format/format.hpp"
#include "weft/topology/fabric.hpp"

namespace weft::format {

namespace {

using synthesized::Move;
using synthesized::Moves;

constexpr std::string_view kHeader = "SrcID,DestID,Latency (ns),Bandwidth (GB/s),Chunks";

// A chunk's number in the file. In the row of all blocks chunks are by rank.
std::int64_t number_of(std::int64_t chunk, std::int64_t ranks, std::int64_t per_rank) {
  WEFT_ASSERT(ranks > 0 && per_rank > 0);
  return chunk % per_rank * ranks + chunk / per_rank;
}
std::int64_t chunk_of(std::int64_t number, std::int64_t ranks, std::int64_t per_rank) {
  WEFT_ASSERT(ranks > 0 && per_rank > 0);
  return number % ranks * per_rank + number / ranks;
}

std::vector<File> write(const Program& program, const ProgramTarget& target) {
  const Moves all = synthesized::allgather_of(program, "TACOS").moves;
  const std::int64_t per_rank = std::ssize(all.chunks) / all.ranks;
  std::map<std::pair<std::int32_t, std::int32_t>, std::string> links;
  for (const Move& move : all.moves)
    links[{move.from, move.to}] += fmt::format(",{}", number_of(move.chunk, all.ranks, per_rank));
  std::string text =
      fmt::format("NPUs Count,{}\nLinks Count,{}\nChunks Count,{}\nChunk Size,{},B\n{}\n",
                  all.ranks, links.size(), all.chunks.size(), all.size_B / per_rank, kHeader);
  constexpr topology::LinkSpeed kSpeed;  // a program knows of no links
  for (const auto& [ends, chunks] : links)
    fmt::format_to(std::back_inserter(text), "{},{},{:g},{:g}{}\n", ends.first, ends.second,
                   static_cast<double>(kSpeed.latency_ps) / 1e3,
                   static_cast<double>(kSpeed.bandwidth_Bps) / 1e9, chunks);
  return {{target.path, text}};
}

// Fields between commas.
class Row {
 public:
  Row(const std::string& file, std::int64_t number, std::string_view text)
      : file_(file), number_(number), fields_(split(text, ',')) {}

  std::size_t size() const { return fields_.size(); }
  std::string_view field(std::size_t at) const { return fields_[at]; }
  std::int64_t line() const { return number_; }

  std::int64_t integer(std::size_t at, std::int64_t low, std::int64_t high,
                       std::string_view what) const {
    if (at >= size()) refuse_at(file_, number_, "the {} is missing", what);
    const auto value = number_in<std::int64_t>(fields_[at]);
    if (!value) refuse_at(file_, number_, "'{}' is not a {}", fields_[at], what);
    if (*value < low || *value > high)
      refuse_at(file_, number_, "{} {} is out of range ({} to {})", what, *value, low, high);
    return *value;
  }

  void require_real(std::size_t at, std::string_view what) const {
    const auto value = at < size() ? number_in<double>(fields_[at]) : std::nullopt;
    if (!value || !std::isfinite(*value) || *value < 0)
      refuse_at(file_, number_, "the {} is missing or not a number of 0 or more", what);
  }

 private:
  const std::string& file_;
  std::int64_t number_;
  std::vector<std::string_view> fields_;
};

class Reader {
 public:
  explicit Reader(const std::string& file) { all_.file = file; }

  Moves read(std::string_view text) && {
    most_ = std::ssize(text);
    std::int64_t number = 0;
    for (const std::string_view line : lines_of(text)) {
      ++number;
      if (!trim(line).empty()) read(Row(all_.file, number, trim(line)), line);
    }
    require(head_ == 5, "'{}' ends before the line '{}'; check that it is a table of TACOS",
            all_.file, kHeader);
    require(rows_ == links_, "'{}' has {} of {} links; it may be truncated", all_.file, rows_,
            links_);
    return std::move(all_);
  }

 private:
  void read(const Row& row, std::string_view line) {
    constexpr std::array<std::string_view, 4> kKeys{"NPUs Count", "Links Count", "Chunks Count",
                                                    "Chunk Size"};
    if (head_ == 5) return link(row);
    if (head_ == 4) {
      if (trim(line) != kHeader)
        refuse_at(all_.file, row.line(), "expected the line '{}'", kHeader);
      ++head_;
      return;
    }
    if (row.field(0) != kKeys[head_] || row.size() != (head_ == 3 ? 3U : 2U) ||
        (head_ == 3 && row.field(2) != "B"))
      refuse_at(all_.file, row.line(), "expected \"{},NUMBER{}\"", kKeys[head_],
                head_ == 3 ? ",B" : "");
    count(row);
    ++head_;
  }

  void count(const Row& row) {
    constexpr std::int64_t kMostRanks = 1 << 24, kMostBytes = std::int64_t{1} << 60;
    switch (head_) {
      case 0:
        all_.ranks = static_cast<std::int32_t>(row.integer(1, 1, kMostRanks, "number of NPUs"));
        return;
      case 1:
        links_ = row.integer(1, 0, most_, "number of links");
        return;
      case 2:
        chunks_ = row.integer(1, 1, most_, "number of chunks");
        break;
      default:
        add_chunks(row.integer(1, 1, kMostBytes / chunks_, "size of a chunk"));
        return;
    }
    if (chunks_ % all_.ranks != 0)
      refuse_at(all_.file, row.line(),
                "{} chunks are not a multiple of {} NPUs, but every NPU needs the same number in "
                "TACOS",
                chunks_, all_.ranks);
  }

  void add_chunks(std::int64_t chunk_B) {
    const std::int64_t per_rank = chunks_ / all_.ranks;
    all_.size_B = per_rank * chunk_B;
    for (std::int64_t c = 0; c < chunks_; ++c)
      all_.chunks.push_back({{0, c * chunk_B, chunk_B},
                             static_cast<std::int32_t>(c / per_rank),
                             fmt::format("chunk {}", number_of(c, all_.ranks, per_rank))});
  }

  void link(const Row& row) {
    const auto from = static_cast<std::int32_t>(row.integer(0, 0, all_.ranks - 1, "SrcID"));
    const auto to = static_cast<std::int32_t>(row.integer(1, 0, all_.ranks - 1, "DestID"));
    if (from == to) refuse_at(all_.file, row.line(), "the link leads from NPU {} to itself", from);
    row.require_real(2, "latency");
    row.require_real(3, "bandwidth");
    if (!ends_.emplace(from, to).second)
      refuse_at(all_.file, row.line(), "the link from {} to {} is repeated", from, to);
    if (++rows_ > links_) refuse_at(all_.file, row.line(), "only {} links exist", links_);
    if (row.size() == 5 && row.field(4) == "None") return;
    if (row.size() < 5) refuse_at(all_.file, row.line(), "the chunks are missing; write None");
    for (std::size_t at = 4; at < row.size(); ++at) {
      const std::int64_t number = row.integer(at, 0, chunks_ - 1, "chunk");
      all_.moves.push_back(
          {from, to, chunk_of(number, all_.ranks, chunks_ / all_.ranks), row.line()});
    }
  }

  Moves all_;
  std::size_t head_ = 0;  // lines of the head that are read
  std::int64_t most_ = 0, links_ = 0, chunks_ = 0, rows_ = 0;
  std::set<std::pair<std::int32_t, std::int32_t>> ends_;
};

Moves read_moves(const ProgramSource& source) {
  return Reader(source.path).read(source.read(source.path));
}

Program read(const ProgramSource& source) {
  return synthesized::program_of(read_moves(source));
}

std::optional<program::Claim> read_claim(const ProgramSource& source) {
  const Moves all = read_moves(source);
  return program::Claim{.collective = schedule::allgather(all.ranks), .size_B = all.size_B};
}

bool recognises(std::string_view text) {
  for (const std::string_view line : lines_of(text))
    if (!trim(line).empty()) return trim(line).starts_with("NPUs Count,");
  return false;
}

}  // namespace

Format tacos() {
  return {.name = "tacos",
          .summary = "TACOS's table (CSV) of a synthesized allgather: the chunks of each link",
          .loses =
              "latencies and bandwidths of links; when written, links that carry nothing and which "
              "chunks go in one message",
          .write_program = write,
          .read_program = read,
          .read_claim = read_claim,
          .recognises = recognises};
}

}  // namespace weft::format
