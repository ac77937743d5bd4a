// TE-CCL's schedules, JSON. Of an allgather:
//
//   { "4-Collective_Finish_Time": 2e-06, "5-Algo_Bandwidth": 1.5,
//     "6-Demand_Met": {...},
//     "7-Flows": ["Chunk 0 from 1 traveled over 1->2 in epoch 0 via switches 0", ...],
//     "8-Chunk paths": {"Demand at 2 for chunk 0 from 1 met by epoch 0": [...], ...} }
//
// and of an all-to-all, whose chunks may be split, "Chunk 3 from 1 traveled over 1->2 with volume
// 0.25 in epoch 4": the paths of each chunk say which part goes where,
//
//   "Demand at 2 for chunk 3 from 1 met by epoch 7":
//     [[[0, "1->4 with volume 0.25 in epoch 0"], [1, "4->2 with volume 0.25 in epoch 1"]], ...]
//
// Sources are the ranks, in the order of their numbers; other nodes are switches. What passes a
// switch in two flows (the A* rounds write it so) is one message of the rank that sent it there. A
// chunk that comes to a rank again is left out. Of an allgather the chunks of a rank are its block;
// of an all-to-all those that a rank demands of another. A chunk has as many bytes as bandwidth
// (GB/s) and finish time (s) make, over the ranks; the older keys 6-Flows and 7-chunk paths are
// read, too.
// Source: TE-CCL, teccl/solvers/allgather.py, allgather_astar.py and alltoall.py (2024), and the
// schedules in its examples.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "../text_lines.hpp"
#include "chunk_moves.hpp"
#include "te_ccl_file.hpp"
#include "weft/base/error.hpp"
#include "weft/format/format.hpp"

namespace weft::format {

namespace {

using synthesized::Move;
using synthesized::Moves;
using teccl::Document;
using teccl::Hop;
using teccl::Json;
using teccl::Sentence;

// A chunk, and where it goes.
struct Flow {
  std::int64_t chunk = 0, source = 0;
  Hop hop;
};

class Reader {
 public:
  Reader(const std::string& text, const ProgramSource& source)
      : document_(text, source.path), size_B_(source.size_B) {
    all_.file = source.path;
  }

  struct Result {
    Moves moves;
    schedule::CollectiveKind kind;
  };

  Result read() && {
    read_flows();
    number_ranks();
    const bool split = flows_.front().hop.volume.has_value();
    if (split)
      read_paths();
    else
      read_allgather();
    std::ranges::stable_sort(moves_, {}, [](const auto& move) { return move.first; });
    for (const auto& [epoch, move] : moves_) all_.moves.push_back(move);
    return {std::move(all_),
            split ? schedule::CollectiveKind::alltoall : schedule::CollectiveKind::allgather};
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse(std::int64_t line, fmt::format_string<Args...> format,
                           Args&&... args) const {
    refuse_at(document_.file(), line, format, std::forward<Args>(args)...);
  }

  const std::string& text(const Json& value) const {
    require(value.is_string(),
            "{}: {} is not a sentence such as \"Chunk 0 from 1 traveled over 1->2 in epoch 0\"",
            document_.file(), value.type_name());
    return value.get_ref<const std::string&>();
  }

  void read_flows() {
    const Json* flows = document_.find("-flows");
    require(flows != nullptr && flows->is_array() && !flows->empty(),
            "{}: \"7-Flows\" is missing or not a list; check that it is a schedule of TE-CCL",
            document_.file());
    for (const Json& each : *flows) {
      const std::string& written = text(each);
      Sentence sentence(written, document_.file(), document_.line_of(written));
      Flow flow;
      sentence.expect("Chunk");
      flow.chunk = sentence.integer("chunk");
      sentence.expect("from");
      flow.source = sentence.integer("source");
      sentence.expect("traveled over");
      flow.hop = sentence.hop();
      if (!flows_.empty() && flows_.front().hop.volume.has_value() != flow.hop.volume.has_value())
        refuse(flow.hop.line, "some flows have a volume, but others have none");
      flows_.push_back(flow);
    }
  }

  void number_ranks() {
    for (const Flow& flow : flows_) ranks_.try_emplace(flow.source, 0);
    for (auto& [node, rank] : ranks_) {
      rank = all_.ranks++;
      all_.rank_names.push_back(fmt::format("GPU {}", node));
    }
  }

  std::optional<std::int32_t> rank_of(std::int64_t node) const {
    const auto found = ranks_.find(node);
    return found == ranks_.end() ? std::nullopt : std::optional(found->second);
  }

  // Whole bytes; 2^20 where the file does not say.
  std::int64_t chunk_B() const {
    const Json* bandwidth = document_.find("-algo_bandwidth");
    const Json* time = document_.find("-collective_finish_time");
    if (bandwidth == nullptr || time == nullptr || !bandwidth->is_number() || !time->is_number())
      return 1 << 20;
    const double bytes =
        bandwidth->get<double>() * 1e9 * time->get<double>() / static_cast<double>(all_.ranks);
    return std::isfinite(bytes) && bytes >= 1 && bytes < 1e15
               ? static_cast<std::int64_t>(std::round(bytes))
               : 1 << 20;
  }

  void set_size(std::int64_t chunks_per_block) {
    chunk_B_ = size_B_ > 0 ? size_B_ / chunks_per_block : chunk_B();
    require(size_B_ == 0 || chunk_B_ * chunks_per_block == size_B_,
            "{}: {} bytes are not a multiple of the {} chunks of a block", document_.file(),
            size_B_, chunks_per_block);
    constexpr std::int64_t kMost = std::int64_t{1} << 60;
    const std::int64_t blocks = std::int64_t{all_.ranks} * all_.ranks;
    require(chunks_per_block <= kMost / chunk_B_ / blocks,
            "{}: {} chunks of {} bytes for each of {} ranks are too large", document_.file(),
            chunks_per_block, chunk_B_, all_.ranks);
    all_.size_B = chunks_per_block * chunk_B_;
  }

  void add(const Hop& hop, std::int32_t from, std::int32_t to, std::int64_t chunk) {
    moves_.push_back({hop.epoch, Move{from, to, chunk, hop.line}});
  }

  void read_allgather() {
    std::int64_t per_rank = 0;
    for (const Flow& flow : flows_) per_rank = std::max(per_rank, flow.chunk + 1);
    require(per_rank <= std::ssize(flows_), "{}: chunk {} exists, but only {} flows",
            document_.file(), per_rank - 1, flows_.size());
    set_size(per_rank);
    for (std::int32_t r = 0; r < all_.ranks; ++r)
      for (std::int64_t c = 0; c < per_rank; ++c)
        all_.chunks.push_back(
            {{0, r * all_.size_B + c * chunk_B_, chunk_B_},
             r,
             fmt::format("chunk {} of {}", c, all_.rank_names[static_cast<std::size_t>(r)])});
    std::ranges::stable_sort(flows_, {}, [](const Flow& flow) { return flow.hop.epoch; });
    for (const Flow& flow : flows_) pass(flow, ranks_.at(flow.source) * per_rank + flow.chunk);
  }

  // Switches hand on what the last rank sent them.
  void pass(const Flow& flow, std::int64_t chunk) {
    std::int32_t from = 0;
    if (const auto rank = rank_of(flow.hop.from)) {
      from = *rank;
    } else {
      const auto known = at_switches_.find({flow.hop.from, chunk});
      if (known == at_switches_.end())
        refuse(flow.hop.line, "switch {} sends chunk {} of GPU {}, which it never received",
               flow.hop.from, flow.chunk, flow.source);
      from = known->second;
    }
    const auto to = rank_of(flow.hop.to);
    if (!to) {
      at_switches_.try_emplace({flow.hop.to, chunk}, from);
      return;
    }
    if (*to == ranks_.at(flow.source) || !arrived_.emplace(chunk, *to).second) return;
    add(flow.hop, from, *to, chunk);
  }

  using Path = std::vector<Hop>;

  // "Demand at 2 for chunk 3 from 1 met by epoch 7".
  struct Demand {
    std::int32_t at = 0, from = 0;
    std::int64_t chunk = 0, line = 0;
    std::vector<Path> paths = {};
  };

  std::int32_t rank(Sentence& sentence, std::int64_t line) const {
    const std::int64_t node = sentence.integer("GPU");
    const auto found = rank_of(node);
    if (!found)
      refuse(line, "{} does not send a chunk of its own, so it is read as a switch", node);
    return *found;
  }

  std::vector<Demand> demands() {
    const Json* paths = document_.find("-chunk paths");
    require(paths != nullptr && paths->is_object(),
            "{}: \"8-Chunk paths\" with the destinations of the chunk parts is missing",
            document_.file());
    std::vector<Demand> demands;
    for (const auto& [key, value] : paths->items()) {
      Demand demand{.line = document_.line_of(key)};
      Sentence sentence(key, document_.file(), demand.line);
      sentence.expect("Demand at");
      demand.at = rank(sentence, demand.line);
      sentence.expect("for chunk");
      demand.chunk = sentence.integer("chunk");
      sentence.expect("from");
      demand.from = rank(sentence, demand.line);
      sentence.expect("met by epoch");
      sentence.integer("epoch");
      if (!value.is_array()) refuse(demand.line, "the paths of the chunk are not a list");
      for (const Json& path : value) demand.paths.push_back(hops_of(path, demand));
      demands.push_back(std::move(demand));
    }
    std::ranges::sort(demands, {},
                      [](const Demand& d) { return std::tuple(d.from, d.at, d.chunk); });
    return demands;
  }

  void read_paths() {
    const std::vector<Demand> all = demands();
    std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> counts;  // chunks of a pair
    std::int64_t per_pair = 0;
    for (const Demand& demand : all)
      per_pair = std::max(per_pair, ++counts[{demand.from, demand.at}]);
    require(per_pair > 0, "{}: \"8-Chunk paths\" is empty", document_.file());
    set_size(per_pair);
    counts.clear();
    for (const Demand& demand : all) {
      const std::int64_t place = counts[{demand.from, demand.at}]++;
      const std::int64_t block = std::int64_t{demand.from} * all_.ranks + demand.at;
      read(demand, block * all_.size_B + place * chunk_B_);
    }
  }

  // Each path carries a part of the chunk, cut to whole bytes.
  void read(const Demand& demand, std::int64_t offset_B) {
    double reached = 0;
    std::int64_t cut_B = 0;
    for (const Path& path : demand.paths) {
      reached += *path.front().volume;
      const auto next_B = static_cast<std::int64_t>(
          std::round(std::min(reached, 1.0) * static_cast<double>(chunk_B_)));
      const bool is_last = &path == &demand.paths.back() && std::abs(reached - 1) < kSlack;
      add_part(demand, path, offset_B + cut_B, (is_last ? chunk_B_ : next_B) - cut_B);
      cut_B = is_last ? chunk_B_ : next_B;
    }
    if (std::abs(reached - 1) >= kSlack)
      refuse(demand.line, "the paths carry {:g} of the chunk; their volumes must sum to 1",
             reached);
  }

  void add_part(const Demand& demand, const Path& hops, std::int64_t offset_B, std::int64_t bytes) {
    if (bytes == 0) return;
    all_.chunks.push_back({{0, offset_B, bytes},
                           demand.from,
                           fmt::format("a part of chunk {} of {}", demand.chunk,
                                       all_.rank_names[static_cast<std::size_t>(demand.from)])});
    for (const Hop& hop : hops)
      add(hop, ranks_.at(hop.from), ranks_.at(hop.to), std::ssize(all_.chunks) - 1);
  }

  // From the source to where it is demanded, hop by hop.
  Path hops_of(const Json& path, const Demand& demand) {
    if (!path.is_array() || path.empty())
      refuse(demand.line, "a path of the chunk is not a list of hops");
    Path hops;
    std::int32_t at = demand.from;
    for (const Json& each : path) {
      if (!each.is_array() || each.size() != 2)
        refuse(demand.line, "a hop is not a pair of an epoch and a sentence");
      const std::string& written = text(each[1]);
      hops.push_back(Sentence(written, document_.file(), document_.line_of(written)).hop());
      const Hop& hop = hops.back();
      if (!hop.volume) refuse(hop.line, "the hop has no volume");
      const auto from = rank_of(hop.from), to = rank_of(hop.to);
      if (!from || *from != at || !to)
        refuse(hop.line, "the hop {}->{} does not continue from {}", hop.from, hop.to,
               all_.rank_names[static_cast<std::size_t>(at)]);
      at = *to;
    }
    if (at != demand.at)
      refuse(demand.line, "a path of the chunk ends at {}",
             all_.rank_names[static_cast<std::size_t>(at)]);
    return hops;
  }

  static constexpr double kSlack = 1e-3;  // volumes are rounded to six digits

  Document document_;
  Moves all_;
  std::vector<Flow> flows_;
  std::vector<std::pair<std::int64_t, Move>> moves_;                           // with their epochs
  std::map<std::int64_t, std::int32_t> ranks_;                                 // by node
  std::map<std::pair<std::int64_t, std::int64_t>, std::int32_t> at_switches_;  // by switch, chunk
  std::set<std::pair<std::int64_t, std::int32_t>> arrived_;                    // chunk, rank
  std::int64_t size_B_ = 0, chunk_B_ = 0;
};

Reader::Result read_all(const ProgramSource& source) {
  const std::string text = source.read(source.path);
  return Reader(text, source).read();
}

Program read(const ProgramSource& source) {
  return synthesized::program_of(read_all(source).moves);
}

std::optional<program::Claim> read_claim(const ProgramSource& source) {
  const Reader::Result all = read_all(source);
  return program::Claim{.collective = all.kind == schedule::CollectiveKind::alltoall
                                          ? schedule::alltoall(all.moves.ranks)
                                          : schedule::allgather(all.moves.ranks),
                        .size_B = all.moves.size_B};
}

bool recognises(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' &&
         text.find("\"1-Epoch_Duration\"") != std::string_view::npos;
}

}  // namespace

Format te_ccl() {
  return {.name = "te-ccl",
          .summary = "TE-CCL's schedules (JSON) of an allgather or an all-to-all",
          .loses = "times of epochs, switches on the way, deliveries of what is there already",
          .read_program = read,
          .read_claim = read_claim,
          .recognises = recognises};
}

}  // namespace weft::format
