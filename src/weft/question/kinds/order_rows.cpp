// Rows that search a rank order.
#include "weft/base/units.hpp"
#include "weft/question/order_study.hpp"
#include "weft/question/row_key.hpp"
#include "weft/question/row_measures.hpp"
#include "weft/question/setup.hpp"

namespace weft::question {

namespace {

Network network_of(const Row& row) {
  Values parameters = row.parameters;
  parameters.erase("ranks");  // the study places them
  parameters["placement"] = std::string("linear");
  const Network network = make_network(parameters);
  contents_of_files(row);
  return switched_network(network, parse_time(text_in(parameters, "switch-delay")),
                          text_in(parameters, "routing"), seed_in(parameters));
}

OrderQuestion question_of(const Values& parameters) {
  return {.collective = schedule::parse_collective(text_in(parameters, "collective")),
          .algorithm = text_in(parameters, "algorithm"),
          .options = make_algorithm_options(parameters),
          .size_B = count_in(parameters, "size", 0),
          .ranks = count_in(parameters, "ranks", 0),
          .start = {.policy = text_in(parameters, "start"),
                    .cores = static_cast<std::int32_t>(count_in(parameters, "cores", 1)),
                    .seed = seed_in(parameters)},
          .simulation = make_simulation_options(parameters)};
}

OrderAnswer answer_of(const OrderStudy& study, const Values& parameters) {
  search::OrderSearchOptions options{
      .method = search::parse_order_method(text_in(parameters, "search")),
      .attempts = count_in(parameters, "attempts", 1),
      .restarts = count_in(parameters, "restarts", 1),
      .seed = seed_in(parameters)};
  if (options.method == search::OrderMethod::two_opt)
    options.moves = search::parse_order_moves(text_in(parameters, "moves"));
  const auto objective = options.method == search::OrderMethod::none
                             ? OrderObjectiveKind::hops
                             : parse_order_objective(text_in(parameters, "objective"));
  return study.search(objective, options);
}

// How much of `before` is saved; nothing where there was nothing.
Value gain(double before, double after) {
  return before > 0 ? Value(1 - after / before) : Value();
}

}  // namespace

Values order_row(const Row& row) {
  const OrderStudy study(network_of(row), question_of(row.parameters));
  const auto [start, found, result] = answer_of(study, row.parameters);
  return {{"time", found.time_s},
          {"makespan", found.makespan_s},
          {"hops", found.hops},
          {"start_time", start.time_s},
          {"start_makespan", start.makespan_s},
          {"start_hops", start.hops},
          {"time_gain", gain(start.time_s, found.time_s)},
          {"makespan_gain", gain(start.makespan_s, found.makespan_s)},
          {"hops_gain", gain(static_cast<double>(start.hops), static_cast<double>(found.hops))},
          {"hops_bound", study.least_hops()},
          {"attempts_made", result.attempts},
          {"accepted", result.accepted}};
}

}  // namespace weft::question
