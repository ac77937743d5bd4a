// Each failure is a network of its own, made once for all algorithms. Of what lies between, most is
// shared: a schedule without routes of its own is proved and lowered once, and run on every
// network; where its symmetry takes one failure to another, one run serves both (alike.hpp).
#include "weft/advise/degradation.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "weft/advise/comparison/check_startup.hpp"
#include "weft/advise/degrade/alike.hpp"
#include "weft/advise/degrade/damaged.hpp"
#include "weft/advise/degrade/failures.hpp"
#include "weft/advise/degrade/kinds.hpp"
#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/progress.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/evaluate/candidate.hpp"
#include "weft/evaluate/contest.hpp"
#include "weft/network/routings.hpp"
#include "weft/simulation/shortcuts/shortcuts.hpp"

namespace weft::advise {

namespace {

using algorithm::Algorithm;

/// An algorithm, or a schedule that is given, on the whole network.
struct Entry {
  const Algorithm* algorithm;  // null: it is given
  std::string name;            // of its schedule
  std::unique_ptr<const ScheduleOfWhole> kept;
  double time_s = 0;
  schedule::MessageSizes messages;
  std::string overflow;  // why there is none
  std::unique_ptr<const AlikeCables> alike;
  const GivenSchedule* given = nullptr;
};

/// What was found past the first of several failures that are alike.
struct PastFirst {
  AlikeCables::Ways ways;
  double time_s = 0;
};

/// A failure, and by algorithm what later ones like it need; empty where none is like it.
struct Trial {
  std::vector<DegradedRow> rows = {};
  std::vector<std::optional<PastFirst>> first_of = {};
};

/// Packets choose their links by the network's routing.
simulation::SimulationOptions fitted(simulation::SimulationOptions options,
                                     const Network& network) {
  if (by_packets(options.model))
    options.packet.routing = network::hop_routing(network.routing().name(), network.topology());
  options.progress = nullptr;
  return options;
}

class Degrader {
 public:
  Degrader(const Collective& collective, const Network& network, const DegradeOptions& options)
      : collective_(collective), network_(network), options_(options) {}

  Degradation run() {
    found_.dropped =
        evaluate::too_long(collective_, network_, options_.algorithms, options_.algorithm);
    for (const Algorithm* algorithm : evaluate::chosen_algorithms(
             collective_, network_, options_.algorithms, options_.algorithm))
      entries_.push_back({algorithm, {}, nullptr, 0, {}, {}, nullptr});
    for (const GivenSchedule& given : options_.schedules)
      entries_.push_back({nullptr, {}, nullptr, 0, {}, {}, nullptr, &given});
    parallel_for(std::ssize(entries_), [&](std::int64_t i) {
      isolated([&] { build(entries_[static_cast<std::size_t>(i)]); });
    });
    admit();
    DrawnFailures drawn{options_.given, std::ssize(options_.given)};
    if (drawn.failures.empty()) {
      const std::optional<KindsOfParts> alike = kinds_for_all();
      drawn = draw_failures(network_, options_.failures, failures_in_seconds(), options_.seed,
                            alike ? &*alike : nullptr);
    }
    found_.possible = drawn.possible;
    found_.failures = std::move(drawn.failures);
    run_failures();
    for (std::size_t i = 0; i < entries_.size(); ++i) found_.algorithms.push_back(endurance(i));
    found_.best = best();
    return std::move(found_);
  }

 private:
  std::string name_of(const Entry& entry) const {
    if (entry.given != nullptr) return entry.given->name;
    return algorithm::name_with(*entry.algorithm,
                                algorithm::taken_by(*entry.algorithm, options_.algorithm));
  }

  void build(Entry& entry) const try {
    entry.name = name_of(entry);
    Candidate candidate =
        entry.given != nullptr
            ? evaluate::given_candidate(entry.given->verified, network_)
            : make_candidate(*entry.algorithm, collective_, network_, options_.algorithm);
    evaluate::settle_alone(candidate, {options_.size_B}, network_, options_.simulation);
    const Verified verified = candidate.for_size(options_.size_B);
    entry.kept = std::make_unique<const ScheduleOfWhole>(verified, options_.size_B,
                                                         candidate.copies_of(verified), network_);
    entry.time_s = time_s(entry.kept->program(), network_);
    entry.messages = schedule::message_sizes(verified.schedule(), options_.size_B);
  } catch (const std::overflow_error& error) {
    entry.overflow = error.what();
  }

  void admit() {
    for (const Entry& entry : entries_)
      if (!entry.overflow.empty())
        found_.dropped.push_back(evaluate::overflown(
            entry.given != nullptr ? entry.name : entry.algorithm->name, entry.overflow));
    std::erase_if(entries_, [](const Entry& entry) { return !entry.overflow.empty(); });
    if (entries_.empty()) throw std::overflow_error(found_.dropped.back().reason);
  }

  /// How many failures take a few seconds: a message of a simulation takes about a tenth of a
  /// microsecond, one that is packed a hundred times as long.
  std::int64_t failures_in_seconds() const {
    constexpr std::int64_t kLeast = 32, kMessages = 40'000'000, kPackets = 100;
    std::int64_t messages = 1;
    for (const Entry& entry : entries_) messages += entry.kept->program().message_count();
    if (by_packets(options_.simulation.model)) messages *= kPackets;
    return std::max(kLeast, kMessages / messages);
  }

  /// Of parts past whose failure all algorithms do alike, where that is asked for and known.
  std::optional<KindsOfParts> kinds_for_all() const {
    const auto is_asked = [](const Trials& trials) {
      return trials.tells == Trials::Tells::its_kind;
    };
    std::optional<KindsOfParts> kinds;
    if (!is_asked(options_.failures.cables) && !is_asked(options_.failures.nodes)) return kinds;
    for (const Entry& entry : entries_) {
      const auto own = kinds_under(entry.kept->program(), network_);
      if (!own) return std::nullopt;
      kinds = kinds ? kinds_of_both(*kinds, *own) : *own;
    }
    return kinds;
  }

  double time_s(const Program& program, const Network& network) const {
    return simulation::simulate(program, network, fitted(options_.simulation, network)).time_s;
  }

  void run_failures() {
    const Intact intact(network_, options_.seed);
    const std::unique_ptr<const TableWays> ways =
        network_.routing().name() == "table" ? std::make_unique<TableWays>(network_) : nullptr;
    find_alike();
    const std::int64_t failures = std::ssize(found_.failures);
    std::vector<std::int64_t> first, later;
    for (std::int64_t i = 0; i < failures; ++i) (is_first(i) ? first : later).push_back(i);
    Progress progress("degrade", failures);
    trials_.resize(failures);
    for (const std::vector<std::int64_t>& those : {first, later}) {
      parallel_for(std::ssize(those), [&](std::int64_t i) {
        isolated([&] {
          const auto index = static_cast<std::size_t>(those[static_cast<std::size_t>(i)]);
          run_failure(intact, ways.get(), index);
          progress.advance();
        });
      });
      firsts_known_ = true;
    }
    for (Trial& trial : trials_) std::ranges::move(trial.rows, std::back_inserter(found_.rows));
    trials_.clear();
  }

  /// For schedules that are kept.
  void find_alike() {
    if (options_.failures.schedules != ScheduleRepair::kept) return;
    parallel_for(std::ssize(entries_), [&](std::int64_t i) {
      Entry& entry = entries_[static_cast<std::size_t>(i)];
      const Program& program = entry.kept->program();
      if (covers(simulation::Shortcut::alike_cables, program, network_, options_.simulation))
        entry.alike = AlikeCables::of(program, network_, found_.failures);
    });
  }

  /// Whether others may be like it for some algorithm.
  bool is_first(std::int64_t failure) const {
    const auto index = static_cast<std::size_t>(failure);
    return std::ranges::any_of(entries_, [&](const Entry& entry) {
      return entry.alike && entry.alike->first(index) == index;
    });
  }

  void run_failure(const Intact& intact, const TableWays* ways, std::size_t index) {
    TimeLimit::check();
    Failure& failure = found_.failures[index];
    Trial& trial = trials_[index];
    const Damage damage(network_.topology(), failure);
    find_ranks_left(network_, damage, failure);
    if (ways != nullptr) failure.ways = ways->lost(damage, failure);
    const auto collective = among_those_left(collective_, failure);
    if (!failure.cut_off.empty() || !collective) return;
    const Network left = intact.without(failure, damage);
    failure.routing = left.routing().name();
    trial.first_of.resize(entries_.size());
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      trial.rows.push_back({.algorithm = i, .failure = index});
      if (!run_as_alike(i, left, damage, trial))
        run_one(entries_[i], *collective, left, damage, trial.rows.back());
    }
  }

  /// Whether what was found past the first failure like this one holds here too. Keeps what those
  /// after the first need.
  bool run_as_alike(std::size_t entry, const Network& left, const Damage& damage,
                    Trial& trial) const try {
    const AlikeCables* alike = entries_[entry].alike.get();
    if (alike == nullptr) return false;
    DegradedRow& row = trial.rows.back();
    const std::size_t first = alike->first(row.failure);
    const bool is_its_first = first == row.failure;
    if (!is_its_first && !firsts_known_) return false;
    const std::vector<std::optional<PastFirst>>& known = trials_[first].first_of;
    if (!is_its_first && (known.empty() || !known[entry])) return false;
    AlikeCables::Ways ways = alike->ways(left, damage);
    if (is_its_first) {
      const double seconds = time_s(entries_[entry].kept->program(), left);
      set_time(entries_[entry], FailureOutcome::kept, seconds, row);
      trial.first_of[entry] = {std::move(ways), seconds};
      return true;
    }
    if (!alike->moved(known[entry]->ways, ways, row.failure)) return false;
    set_time(entries_[entry], FailureOutcome::kept, known[entry]->time_s, row);
    return true;
  } catch (const InvalidInput&) {  // run_one() says why
    return false;
  } catch (const std::overflow_error&) {
    return false;
  }

  static void set_time(const Entry& entry, FailureOutcome fate, double seconds, DegradedRow& row) {
    row.fate = fate;
    row.time_s = seconds;
    row.slowdown = entry.time_s > 0 ? seconds / entry.time_s : 1;
  }

  void run_one(const Entry& entry, const Collective& collective, const Network& left,
               const Damage& damage, DegradedRow& row) const try {
    std::optional<Program> program;
    if (options_.failures.schedules == ScheduleRepair::kept &&
        collective.ranks == collective_.ranks)
      program = entry.kept->on(left, damage);
    if (program)
      set_time(entry, FailureOutcome::kept, time_s(*program, left), row);
    else
      set_time(entry, FailureOutcome::rebuilt, rebuilt_time_s(entry, collective, left), row);
  } catch (const InvalidInput& error) {
    row.fate = FailureOutcome::impossible;
    row.reason = error.what();
  } catch (const std::overflow_error& error) {
    row.fate = FailureOutcome::impossible;
    row.reason = error.what();
  }

  double rebuilt_time_s(const Entry& entry, const Collective& collective,
                        const Network& left) const {
    require(entry.given == nullptr, "a schedule from a file cannot be built again");
    const auto reason = algorithm::misfit(
        *entry.algorithm,
        {collective, &left, algorithm::taken_by(*entry.algorithm, options_.algorithm)});
    require(!reason, "{}", reason.value_or(""));
    Candidate candidate = make_candidate(*entry.algorithm, collective, left, options_.algorithm);
    evaluate::settle_alone(candidate, {options_.size_B}, left, fitted(options_.simulation, left));
    const Verified verified = candidate.for_size(options_.size_B);
    return time_s(
        lower(verified, {.size_B = options_.size_B, .copies = candidate.copies_of(verified)}),
        left);
  }

  Endurance endurance(std::size_t algorithm) const {
    const GivenSchedule* given = entries_[algorithm].given;
    Endurance result{.algorithm = entries_[algorithm].name,
                     .file = given == nullptr ? "" : given->file,
                     .time_s = entries_[algorithm].time_s,
                     .messages = entries_[algorithm].messages};
    std::vector<const DegradedRow*> timed;
    for (const DegradedRow& row : found_.rows) {
      if (row.algorithm != algorithm) continue;
      ++(row.fate == FailureOutcome::kept      ? result.kept
         : row.fate == FailureOutcome::rebuilt ? result.rebuilt
                                               : result.impossible);
      if (row.fate != FailureOutcome::impossible) timed.push_back(&row);
    }
    summarise(timed, result);
    return result;
  }

  void summarise(std::span<const DegradedRow* const> timed, Endurance& result) const {
    if (timed.empty()) return;
    double all = 0;
    for (const DegradedRow* row : timed) {
      const double share = found_.failures[row->failure].stands_for;
      all += share;
      result.mean_slowdown += share * row->slowdown;
      result.worst_slowdown = std::max(result.worst_slowdown, row->slowdown);
    }
    result.mean_slowdown /= all;
    for (const DegradedRow* row : timed)
      if (evaluate::ties(result.worst_slowdown, row->slowdown))
        result.worst.push_back(row->failure);
  }

  // The least times, whichever algorithm has them: none is named, so that ties need no winner.
  Endurance best() const {
    Endurance result;
    result.time_s = std::ranges::min_element(entries_, {}, &Entry::time_s)->time_s;
    std::vector<DegradedRow> fastest;  // of each failure
    for (const DegradedRow& row : found_.rows) {
      if (fastest.empty() || fastest.back().failure != row.failure)
        fastest.push_back(row);
      else if (row.fate != FailureOutcome::impossible &&
               (fastest.back().fate == FailureOutcome::impossible ||
                row.time_s < fastest.back().time_s))
        fastest.back() = row;
    }
    std::vector<const DegradedRow*> timed;
    for (DegradedRow& row : fastest) {
      ++(row.fate == FailureOutcome::kept      ? result.kept
         : row.fate == FailureOutcome::rebuilt ? result.rebuilt
                                               : result.impossible);
      row.slowdown = result.time_s > 0 ? row.time_s / result.time_s : 1;
      if (row.fate != FailureOutcome::impossible) timed.push_back(&row);
    }
    summarise(timed, result);
    return result;
  }

  Collective collective_;
  const Network& network_;
  const DegradeOptions& options_;
  std::vector<Entry> entries_;
  Degradation found_;
  std::vector<Trial> trials_;  // by failure
  bool firsts_known_ = false;  // those of failures that others are like
};

}  // namespace

Degradation degrade(const Collective& collective, const Network& network,
                    const DegradeOptions& options) {
  require(collective.ranks > 1, "a single rank does not exchange data; place at least two ranks");
  return Degrader(collective, network, options).run();
}

}  // namespace weft::advise
