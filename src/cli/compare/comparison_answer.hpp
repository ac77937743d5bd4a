// What weft compare is asked, and what it answers: JSON, rows, a chart, tables and a sentence.
#pragma once

#include <string>
#include <vector>

#include "cli/options/counts_option.hpp"
#include "cli/options/options.hpp"
#include "weft/advise/comparison.hpp"
#include "weft/answer/part.hpp"
#include "weft/design/step_curve.hpp"
#include "weft/report/chart.hpp"

namespace weft::cli {

/// What weft compare is asked.
struct ComparisonQuestion {
  GivenFields said;
  std::string algorithms;
  std::vector<advise::NamedVariant> variants;  // algorithms with parameters, if there are several
  std::vector<std::string> schedule_files;
  std::string sizes = "1KiB:64MiB";
  CountsOption counts;
  std::string chart;
  std::string csv;
  bool winners = false, all = false;
  bool timings = false;
  std::string steps, steps_chart;  // empty: no curve
  std::string time_limit;          // empty: none
  std::string effort = "auto";
  std::string library;  // whose choices are timed as well; empty: none
  OutputOptions common;
};

/// What it answers.
struct ComparisonReport {
  const ComparisonQuestion& asked;
  const Network& network;
  const Collective& collective;
  const advise::Comparison& comparison;
  const std::vector<design::StepPoint>& curve;  // of --steps
};
/// The names of --algorithms, without those of variants; as algorithms_beside().
std::vector<std::string> names_in(const ComparisonQuestion& asked, CollectiveKind kind);
answer::Parts<ComparisonReport> comparison_parts();
answer::Parts<evaluate::Dropped> dropped_parts();
/// A line for each algorithm and size.
std::string csv_of(const advise::Comparison& comparison);
/// Time over size, an algorithm a line, with the marks of what bounds it.
report::Chart chart_of(const ComparisonQuestion& options, const Network& network,
                       const Collective& collective, const advise::Comparison& comparison);

/// What the rows send that the answer shows: those of winners, of the best that fit the screen, or
/// all.
std::vector<fields::SentAt> sent_by_shown(const ComparisonQuestion& options,
                                          const advise::Comparison& comparison, Streams& streams);

/// Prices and times of the best, as many as the screen has room for.
void print_tables(const ComparisonQuestion& options, const advise::Comparison& comparison,
                  const Collective& collective, const Network& network, Streams& streams);
/// Who is fastest from where to where, and what that teaches.
void print_winners(const ComparisonQuestion& options, const advise::Comparison& comparison,
                   const Collective& collective, const Network& network, Streams& streams);
/// What to do where not every winner is known: a note, or nothing.
std::string completeness_note(const advise::Comparison& comparison);
/// What a library would run, and how much faster the best is: a line, or nothing.
std::string library_note(const advise::Comparison& comparison);
/// Where the program's own time went: threads added up, other seconds in each run.
Table timings_of(const ComparisonReport& report);

}  // namespace weft::cli
