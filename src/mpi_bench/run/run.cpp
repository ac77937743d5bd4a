#include "run.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>

#include "../sizes.hpp"
#include "../weft_program.hpp"
#include "exchange.hpp"
#include "runner.hpp"
#include "schedule_file.hpp"

namespace weft::mpi_bench {

namespace {

constexpr std::int64_t kElement_B = sizeof(Element);
constexpr const char* kSizes = "1KiB:4MiB";

bool overlap(const UnitRange& a, const UnitRange& b) {
  return a.buffer == b.buffer && a.first < b.first + b.count && b.first < a.first + a.count;
}

bool overlaps(const UnitRange& range, const std::vector<UnitRange>& others) {
  return std::any_of(others.begin(), others.end(),
                     [&](const UnitRange& other) { return overlap(range, other); });
}

// A program with this rank's buffers.
class Bench {
 public:
  Bench(const World& world, const Options& options, const RunProgram& program,
        const std::string& path)
      : world_(world),
        options_(options),
        program_(program),
        path_(path),
        exchange_(world, program),
        memory_(laid_out()),
        runner_(world, program, memory_,
                {.time_limit_s = options.time_limit_s, .doze_s = options.doze_s}) {
    find_inputs();
  }

  void run(TimesTable& table) {
    std::int64_t last = 0;
    const auto sizes_B = options_.sizes_B.empty() ? *sizes_in(kSizes) : options_.sizes_B;
    for (const std::int64_t size_B : sizes_B) {
      const std::int64_t call_B = program_.size * kElement_B;
      const std::int64_t elements = (size_B + call_B - 1) / call_B;
      if (elements == last) continue;  // rounded up to the one before
      last = elements;
      require_counts(elements);
      memory_.resize(elements);
      check(elements, MPI_UINT32_T, "integers");
      check(elements, MPI_FLOAT, "floats");
      table.add(measured(elements * call_B));
    }
  }

 private:
  Memory laid_out() const {
    Memory memory(program_.buffers);
    for (const UnitRange& range : exchange_.given()) memory.touch(range);
    for (const UnitRange& range : exchange_.wanted()) memory.touch(range);
    for (const RunOperation& operation : program_.operations) {
      for (const UnitRange& range : operation.from) memory.touch(range);
      for (const UnitRange& range : operation.to) memory.touch(range);
    }
    memory.lay_out();
    return memory;
  }

  struct Input {
    Span place;
    std::int64_t first = 0;  // unit of the input
    bool copied = false;     // by a call out of place, because it is written or part of the result
  };

  // A call out of place leaves its input as it was. What the program writes there, or what is part
  // of the result, is copied; the rest could be read where the caller has it.
  void find_inputs() {
    std::vector<UnitRange> written = exchange_.wanted();
    for (const RunOperation& operation : program_.operations)
      for (const UnitRange& range : operation.to)
        if (range.buffer == 0 && overlaps(range, exchange_.given())) written.push_back(range);
    std::int64_t first = 0;
    for (const UnitRange& range : exchange_.given())
      for (std::int64_t at = 0; at < range.count; at += exchange_.block()) {
        const UnitRange block{0, range.first + at, exchange_.block()};
        inputs_.push_back({memory_.find(block), first, overlaps(block, written)});
        first += block.count;
      }
  }

  void require_counts(std::int64_t elements) const {
    const bool fits = memory_.units() <= std::numeric_limits<int>::max() / elements;
    refuse_faults(world_, fits
                              ? ""
                              : path_ + ": calls of " +
                                    std::to_string(elements * program_.size * kElement_B) +
                                    " bytes need more memory on a rank than MPI can count (8 GiB); "
                                    "choose smaller --sizes");
  }

  void put_inputs(bool all) {
    for (const Input& input : inputs_)
      if (all || input.copied)
        std::copy_n(exchange_.input().data() + memory_.elements_of(input.first),
                    memory_.elements_of(input.place.count), memory_.at(input.place.first));
  }

  // Memory without input holds garbage that differs by rank, so that reading it is noticed.
  void check(std::int64_t elements, MPI_Datatype type, const char* what) {
    exchange_.draw(elements, type);
    std::fill(memory_.data().begin(), memory_.data().end(),
              0x4B000000U + static_cast<Element>(world_.rank));
    put_inputs(true);
    runner_.run(type);
    runner_.meet();
    exchange_.call();
    refuse_faults(world_, difference(what), 1);
  }

  // The first difference of the result; empty where there is none.
  std::string difference(const char* what) {
    const Element* expected = exchange_.result().data();
    for (const UnitRange& range : exchange_.wanted()) {
      const Element* const found = memory_.at(memory_.find(range).first);
      const std::int64_t count = memory_.elements_of(range.count);
      const auto at = std::mismatch(found, found + count, expected).first - found;
      if (at < count)
        return path_ + ": the result of rank " + std::to_string(world_.rank) +
               " is not that of the MPI's " + program_.collective + " (random " + what +
               "; the first difference is in unit " +
               std::to_string(range.first + at / memory_.elements_of(1)) + " of buffer " +
               std::to_string(range.buffer) + ")";
      expected += count;
    }
    return "";
  }

  ComparedRow measured(std::int64_t size_B) {
    const bool in_place = options_.in_place;
    if (options_.check_only)
      return {.schedule = program_.name, .collective = program_.collective, .size_B = size_B};
    return {.schedule = program_.name,
            .collective = program_.collective,
            .size_B = size_B,
            .times = time_calls(world_, options_.repeat,
                                [&] {
                                  if (!in_place) put_inputs(false);
                                  runner_.run(MPI_FLOAT);
                                }),
            .native = time_calls(world_, options_.repeat,
                                 [&] { in_place ? exchange_.call_in_place() : exchange_.call(); })};
  }

  const World& world_;
  const Options& options_;
  const RunProgram& program_;
  const std::string& path_;
  Exchange exchange_;
  Memory memory_;
  Runner runner_;
  std::vector<Input> inputs_;
};

// A folder that is removed again, on the first rank.
class ScratchFolder {
 public:
  explicit ScratchFolder(const World& world) {
    std::error_code failed;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
    std::string name = ((failed ? "/tmp" : folder) / "weft-bench-XXXXXX").string();
    if (world.first() && mkdtemp(name.data()) != nullptr) folder_ = name;
  }
  ~ScratchFolder() {
    std::error_code error;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, error);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string file(const std::string& name) const { return folder_ + "/" + name; }

 private:
  std::string folder_;
};

std::string translated(const World& world, const std::string& path, bool in_place) {
  std::string text;
  int code = 0;
  {
    const ScratchFolder folder(world);
    const std::string file = from_first(world, folder.file("program.run"));
    std::vector<std::string> words = {"export", path, "--to", "weft-run", "--quiet", "-o", file};
    if (in_place) words.emplace_back("--in-place");
    code = ask_weft(world, words).code;
    if (code == 0) text = text_of_file(world, file);
  }
  if (code == 127)
    refuse(world, "the program weft, next to weft-bench or on the path, is needed to translate " +
                      path + "; or write the file with weft export --to weft-run");
  if (code == 1) refuse_faults(world, path + ": the file is wrong (see above) and was not run", 1);
  if (code != 0) refuse(world, path + ": weft export cannot translate the file (see above)");
  return text;
}

}  // namespace

void run_files(const World& world, const Options& options, TimesTable& table) {
  for (const std::string& path : options.files) {
    std::string text = text_of_file(world, path);
    if (is_testbed_schedule(text)) {
      run_schedule(world, text, path, options, table);
      continue;
    }
    if (options.startup_s > 0)
      refuse(world,
             "--startup applies to schedules of weft testbed compare, but " + path + " is not one");
    if (!is_run_program(text)) text = translated(world, path, options.in_place);
    const RunProgram program = read_run_program(world, text, path);
    if (options.in_place && program.result != 0)
      refuse(world, path + " was written out of place; export it with --in-place");
    Bench(world, options, program, path).run(table);
  }
}

}  // namespace weft::mpi_bench
