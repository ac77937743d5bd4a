// SimAI's workload files (the reader: aliyun/SimAI, astra-sim-alibabacloud/astra-sim/workload):
//
//   HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 1 pp: 1 vpp: 1 ga: 1
//       all_gpus: 64 checkpoints: 0 checkpoint_initiates: 0              (in one line)
//   LINES
//   NAME -1 TIME TYPE SIZE   TIME TYPE SIZE   TIME TYPE SIZE   UPDATE    (in one line)
//
// The three triples are the forward pass, gradients of inputs, and gradients of weights; times are
// nanoseconds. Ranks of a tensor group are neighbours. A type alone is of the tensor groups, or in
// gradients of weights of the replicas; _EP is of the replicas that share experts, in groups of
// `ep` neighbours among the replicas, _DP_EP of those that have the same experts.
#include "weft/format/simai_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "../text_lines.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"

namespace weft::format {

namespace {

constexpr std::array<std::string_view, 2> kPolicies = {"HYBRID_TRANSFORMER",
                                                       "HYBRID_TRANSFORMER_FWD_IN_BCKWD"};
constexpr std::int64_t kMostNodes = std::int64_t{1} << 26;  // some GB

enum class Among : std::uint8_t { tensor, replicas, experts, same_experts };

struct Comm {
  CollectiveKind kind = CollectiveKind::allreduce;
  Among among = Among::tensor;
  std::int64_t size_B = 0;
};

struct Pass {
  std::int64_t time_ns = 0;
  std::optional<Comm> comm = {};
};

struct SimaiLayer {
  std::string name;
  Pass forward = {}, inputs = {}, weights = {};
  std::int64_t update_ns = 0;
};

struct Settings {
  std::int32_t ranks = 0, tensor = 1, experts = 1;

  std::int32_t replicas() const { return ranks / tensor; }
};

bool is_policy(std::string_view word) {
  return std::ranges::find(kPolicies, word) != kPolicies.end();
}

class WorkloadReader {
 public:
  WorkloadReader(std::string_view text, const std::string& file) : file_(file) {
    std::int64_t number = 0;
    for (const std::string_view line : lines_of(text)) {
      ++number;
      if (Line words(file_, number, line); words.words() > 0) lines_.push_back(std::move(words));
    }
    require(!lines_.empty() && is_policy(lines_.front().word(0)),
            "'{}' is not a supported workload file of SimAI: its first line must start with {} "
            "or {}",
            file_, kPolicies[0], kPolicies[1]);
    read_settings(lines_.front());
    read_layers();
  }

  const Settings& settings() const { return settings_; }
  const std::vector<SimaiLayer>& layers() const { return layers_; }

 private:
  void read_settings(const Line& line) {
    std::map<std::string_view, std::int64_t> values;
    for (std::size_t at = 1; at + 1 < line.words(); ++at) {
      std::string_view key = line.word(at);
      if (!key.ends_with(':') && key != "pp_comm") continue;
      if (key.ends_with(':')) key.remove_suffix(1);
      values[key] = line.integer(at + 1, 0, INT32_MAX, key);
    }
    const auto value = [&](std::string_view key, std::int64_t otherwise) {
      const auto found = values.find(key);
      return found == values.end() ? otherwise : found->second;
    };
    const auto count = [&](std::string_view key) {
      const std::int64_t found = value(key, 1);
      if (found < 1) line.refuse("{}: is {} (expected 1 or more)", key, found);
      return static_cast<std::int32_t>(found);
    };
    if (!values.contains("all_gpus")) line.refuse("all_gpus: is missing, the number of ranks");
    settings_ = {count("all_gpus"), count("model_parallel_NPU_group"), count("ep")};
    if (count("pp") > 1)
      line.refuse(
          "pp: is {}; pipelines are not supported, because the file does not have their "
          "messages",
          count("pp"));
    for (const char* key : {"checkpoints", "checkpoint_initiates"})
      if (value(key, 0) > 0)
        line.refuse("{}: is {}; layers that are computed again are not supported", key,
                    value(key, 0));
    if (settings_.ranks % settings_.tensor != 0)
      line.refuse("{} ranks are not a multiple of the {} of a tensor group", settings_.ranks,
                  settings_.tensor);
    if (settings_.replicas() % settings_.experts != 0)
      line.refuse("{} replicas are not a multiple of the {} that share experts",
                  settings_.replicas(), settings_.experts);
  }

  void read_layers() {
    if (lines_.size() < 2) lines_.front().refuse("the number of layers is missing below this line");
    const std::int64_t count = lines_[1].integer(0, 1, INT32_MAX, "number of layers");
    const std::int64_t found = std::ssize(lines_) - 2;
    if (count != found)
      lines_[1].refuse("{} are announced, but {} follow", counted(count, "layer"), found);
    for (std::size_t i = 2; i < lines_.size(); ++i) read_layer(lines_[i]);
  }

  void read_layer(const Line& line) {
    constexpr std::size_t kWords = 12;
    if (line.words() != kWords)
      line.refuse("a layer has {} words, but this line has {}", kWords, line.words());
    layers_.push_back({.name = std::string(line.word(0)),
                       .forward = pass(line, 2, false),
                       .inputs = pass(line, 5, false),
                       .weights = pass(line, 8, true),
                       .update_ns = time(line, 11)});
  }

  static std::int64_t time(const Line& line, std::size_t at) {
    constexpr std::int64_t kLongest_ns = 9'000'000'000'000'000;
    return line.integer(at, 0, kLongest_ns, "time");
  }

  Pass pass(const Line& line, std::size_t at, bool of_weights) const {
    return {.time_ns = time(line, at), .comm = comm(line, at + 1, of_weights)};
  }

  std::optional<Comm> comm(const Line& line, std::size_t at, bool of_weights) const {
    const std::string_view type = line.word(at);
    const std::int64_t size_B = line.integer(at + 1, 0, INT64_MAX, "size");
    if (type == "NONE" || size_B == 0) return std::nullopt;
    const std::size_t end = type.find('_');
    const std::string_view kind = type.substr(0, end);
    const std::string_view among =
        end == std::string_view::npos ? std::string_view() : type.substr(end + 1);
    Comm comm{.among = of_weights ? Among::replicas : Among::tensor, .size_B = size_B};
    if (kind == "ALLGATHER")
      comm.kind = CollectiveKind::allgather;
    else if (kind == "REDUCESCATTER")
      comm.kind = CollectiveKind::reduce_scatter;
    else if (kind == "ALLTOALL")
      comm.kind = CollectiveKind::alltoall;
    else if (kind != "ALLREDUCE")
      refuse_type(line, type);
    if (among == "EP")
      comm.among = Among::experts;
    else if (among == "DP_EP")
      comm.among = Among::same_experts;
    else if (!among.empty())
      refuse_type(line, type);
    return comm;
  }

  [[noreturn]] static void refuse_type(const Line& line, std::string_view type) {
    line.refuse(
        "unknown collective '{}' (expected ALLREDUCE, ALLGATHER, REDUCESCATTER or ALLTOALL, "
        "also with _EP or _DP_EP, or NONE)",
        type);
  }

  const std::string& file_;
  std::vector<Line> lines_;
  Settings settings_;
  std::vector<SimaiLayer> layers_;
};

// The step, rank by rank.
class TraceMaker {
 public:
  TraceMaker(const Settings& settings, const std::vector<SimaiLayer>& layers)
      : settings_(settings), layers_(layers) {}

  Trace make() {
    trace_.ranks.resize(static_cast<std::size_t>(settings_.ranks));
    for (std::int32_t rank = 0; rank < settings_.ranks; ++rank) {
      rank_ = rank;
      last_.clear();
      for (const SimaiLayer& layer : layers_) run(layer.forward, "forward " + layer.name);
      for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) backward(*layer);
    }
    return std::move(trace_);
  }

 private:
  void backward(const SimaiLayer& layer) {
    run(layer.inputs, "gradients of inputs " + layer.name);
    const std::string name = "gradients of weights " + layer.name;
    compute(layer.weights.time_ns, name, false);
    if (!layer.weights.comm) return;
    const std::vector<std::int32_t> computed = last_;
    constexpr std::int32_t kNothingWaits = 0;
    if (communicate(*layer.weights.comm, kNothingWaits, name) && layer.update_ns > 0)
      compute(layer.update_ns, "update " + layer.name, true);
    last_ = computed;
  }

  void run(const Pass& pass, const std::string& name) {
    constexpr std::int32_t kNextWaits = 1;
    compute(pass.time_ns, name, false);
    if (pass.comm) communicate(*pass.comm, kNextWaits, name);
  }

  void compute(std::int64_t time_ns, const std::string& name, bool on_cpu) {
    constexpr std::int64_t kPicoseconds = 1000;
    if (time_ns == 0) return;
    add({.on_cpu = on_cpu, .duration_ps = time_ns * kPicoseconds}, name);
  }

  // Whether there is anything to do: nothing is in a group of one rank.
  bool communicate(const Comm& comm, std::int32_t priority, const std::string& name) {
    const std::int32_t group = group_of(comm.among);
    const std::int64_t members = std::ssize(trace_.groups[static_cast<std::size_t>(group)].ranks);
    if (members == 1) return false;
    const bool is_result = comm.kind == CollectiveKind::allgather;
    add({.kind = TraceKind::collective,
         .collective = comm.kind,
         .group = group,
         .priority = priority,
         .bytes = is_result ? (comm.size_B + members - 1) / members : comm.size_B},
        fmt::format("{} {}", schedule::name_of(comm.kind), name));
    return true;
  }

  void add(TraceNode node, const std::string& name) {
    RankTrace& of_rank = trace_.ranks[static_cast<std::size_t>(rank_)];
    node.id = of_rank.nodes.size();
    last_ = {of_rank.add(node, name, last_)};
  }

  // That of the rank, added where it is new. Its first rank stands for it.
  std::int32_t group_of(Among among) {
    const std::int32_t tensor_size = settings_.tensor, experts = settings_.experts;
    const std::int32_t tensor = rank_ % tensor_size, data = rank_ / tensor_size;
    // Ranks `first`, `first + stride`, ...: of a tensor group, else `count` of the rank's replicas.
    std::int32_t first = tensor, count = settings_.replicas(), stride = tensor_size;
    if (among == Among::tensor) {
      first = data * tensor_size;
      count = tensor_size;
      stride = 1;
    } else if (among == Among::experts) {
      first += (data - data % experts) * tensor_size;
      count = experts;
    } else if (among == Among::same_experts) {
      first += data % experts * tensor_size;
      count /= experts;
      stride *= experts;
    }
    const auto [found, is_new] =
        groups_.try_emplace({among, first}, static_cast<std::int32_t>(groups_.size()));
    if (is_new) {
      std::vector<std::int32_t> ranks(static_cast<std::size_t>(count));
      for (std::int32_t i = 0; i < count; ++i)
        ranks[static_cast<std::size_t>(i)] = first + i * stride;
      trace_.groups.push_back({std::to_string(found->second), std::move(ranks)});
    }
    return found->second;
  }

  const Settings& settings_;
  const std::vector<SimaiLayer>& layers_;
  Trace trace_;
  std::map<std::pair<Among, std::int32_t>, std::int32_t> groups_;
  std::int32_t rank_ = 0;
  std::vector<std::int32_t> last_;  // the node that the next one waits for
};

}  // namespace

bool is_simai_workload(std::string_view text) {
  const std::string_view first = text.substr(0, text.find('\n'));
  return first.starts_with("HYBRID_") || first.find(" all_gpus:") != std::string_view::npos;
}

Trace read_simai_workload(std::string_view text, const std::string& file) {
  const WorkloadReader reader(text, file);
  constexpr std::int64_t kNodesOfLayer = 7;
  require(std::ssize(reader.layers()) <=
              kMostNodes / kNodesOfLayer / std::max<std::int64_t>(1, reader.settings().ranks),
          "'{}' has {} layers for each of {} ranks, which is too much to run", file,
          reader.layers().size(), reader.settings().ranks);
  Trace trace = TraceMaker(reader.settings(), reader.layers()).make();
  trace.files.assign(trace.ranks.size(), file);
  return trace;
}

}  // namespace weft::format
