// What nccl-tests writes with -J FILE:
//
//   {"version": 1, "args": ["./all_reduce_perf", ...], "nccl_version": 22703,
//    "config": {"devices": [{"rank": 0, "group": 0, "hostname": "host8", ...}]},
//    "results": [{"size": 1024, "type": "float", "redop": "sum", "root": "    -1",
//                 "out_of_place": {"time": 20.31, "alg_bw": 0.05, "bus_bw": 0.09, "nwrong": 0},
//                 "in_place": {...}}]}
//
// Times are in us, rates in 10^9 bytes a second; "cpu_time" is the processor's.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/calibrate/nccl_run.hpp"

namespace weft::calibrate {

namespace {

using Json = nlohmann::json;

constexpr double kRounding_GBps = 0.5e-6;  // six digits behind the point

class JsonReader {
 public:
  JsonReader(const std::string& path, topology::ImportLog& log) : path_(path), log_(log) {}

  MeasuredTables read(const Json& root) && {
    const Json results = member(root, "results");
    require(results.is_array(),
            "{}: \"results\" is not a list; check that it is the output of nccl-tests -J", path_);
    run_.named = nccl_program_in(path_);
    for (const Json& word : member(root, "args"))
      if (word.is_string())
        if (const auto* program = nccl_program_in(word.get_ref<const std::string&>()))
          run_.named = program;
    add_devices(member(member(root, "config"), "devices"));
    for (std::size_t i = 0; i < results.size(); ++i) add_row(results[i], i);
    MeasuredTables read;
    if (!run_.rows.empty()) read.tables.push_back(table_of(run_, path_));
    return read;
  }

 private:
  static Json member(const Json& object, const char* key) {
    return object.is_object() ? object.value(key, Json()) : Json();
  }

  void add_devices(const Json& devices) {
    for (const Json& device : devices) {
      const Json rank = member(device, "rank"), host = member(device, "hostname");
      if (!rank.is_number_integer() || rank < 0 || rank >= 1 << 20) continue;
      if (!run_.ranks.insert(rank.get<std::int64_t>()).second) run_.repeated = true;
      run_.groups.emplace(rank.get<std::int64_t>(), member(device, "group").dump());
      if (host.is_string()) run_.hosts.push_back(host.get<std::string>());
    }
  }

  double number(const Json& of, const char* key, std::size_t row) const {
    const Json value = member(of, key);
    require(value.is_number() && value.get<double>() >= 0,
            "{}: result {}: {} is {} (expected a number of 0 or more)", path_, row + 1, key,
            value.is_null() ? "missing" : printable(value.dump(-1, ' ', true)));
    return value.get<double>();
  }

  bool is_as_first(const Json& result, std::size_t row) {
    const Json own{member(result, "type"), member(result, "redop"), member(result, "root")};
    if (run_.rows.empty()) first_ = own;
    if (own == first_) return true;
    log_.mend("left out, because the table starts with another type, operation or root",
              fmt::format("result {}", row + 1), 0);
    return false;
  }

  static bool has_root(const Json& result) {
    const Json root = member(result, "root");
    return root.is_string() &&
           number_in<int>(trim(root.get_ref<const std::string&>())).value_or(-1) >= 0;
  }

  void add_row(const Json& result, std::size_t row) {
    const double size = number(result, "size", row);
    if (size == 0 || !is_as_first(result, row)) return;
    require(size <= 1e15 && member(result, "size").is_number_integer(),
            "{}: result {}: its size is not a number of bytes", path_, row + 1);
    Json times = member(result, "out_of_place");
    if (!times.is_object()) {
      times = member(result, "in_place");
      log_.note("the times are those of calls in place for lack of others");
    }
    const Json redop = member(result, "redop");
    NcclRow made{
        .size_B = static_cast<std::int64_t>(size),
        .algbw_GBps = number(times, "alg_bw", row),
        .busbw_GBps = number(times, "bus_bw", row),
        .rounding_GBps = kRounding_GBps,
        .reduces = !redop.is_string() || lower(redop.get_ref<const std::string&>()) != "none",
        .has_root = has_root(result)};
    if (times.contains("time")) {
      made.time_s = number(times, "time", row) * 1e-6;
    } else {
      require(made.algbw_GBps > 0, "{}: result {}: it has neither a time nor a rate", path_,
              row + 1);
      made.time_s = size / made.algbw_GBps * 1e-9;
      log_.note(
          "cpu_time has the times of the processor; the times of the collective are size / "
          "alg_bw");
    }
    run_.rows.push_back(made);
  }

  const std::string& path_;
  topology::ImportLog& log_;
  NcclRun run_;
  Json first_;
};

}  // namespace

bool is_nccl_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' &&
         text.find("\"results\"") != std::string_view::npos &&
         text.find("\"bus_bw\"") != std::string_view::npos;
}

MeasuredTables read_nccl_json(std::string_view text, const std::string& path,
                              topology::ImportLog& log) {
  const Json root = Json::parse(text, nullptr, false);
  require(!root.is_discarded(), "{}: the file is not JSON; it may be truncated", path);
  return JsonReader(path, log).read(root);
}

}  // namespace weft::calibrate
