// The commands. Each file registers its command on the program: options in, `run` as the callback.
#pragma once

#include <CLI/App.hpp>
#include <functional>

#include "cli/screen/streams.hpp"

namespace weft::cli {

/// What the chosen command will do; set by its callback, run after parsing.
using Action = std::function<int(Streams&)>;

void add_topology_command(CLI::App& program, Action& action);
void add_schedule_command(CLI::App& program, Action& action);
void add_verify_command(CLI::App& program, Action& action);
void add_cost_command(CLI::App& program, Action& action);
void add_optimum_command(CLI::App& program, Action& action);
void add_throughput_command(CLI::App& program, Action& action);
void add_design_command(CLI::App& program, Action& action);
void add_find_command(CLI::App& program, Action& action);
void add_simulate_command(CLI::App& program, Action& action);
void add_compare_command(CLI::App& program, Action& action);
void add_plan_command(CLI::App& program, Action& action);
void add_profile_command(CLI::App& program, Action& action);
void add_degrade_command(CLI::App& program, Action& action);
void add_train_command(CLI::App& program, Action& action);
void add_economics_command(CLI::App& program, Action& action);
void add_fit_command(CLI::App& program, Action& action);
void add_calibrate_command(CLI::App& program, Action& action);
void add_sweep_command(CLI::App& program, Action& action);
void add_results_command(CLI::App& program, Action& action);
void add_reproduce_command(CLI::App& program, Action& action);
void add_synthesize_command(CLI::App& program, Action& action);
void add_order_command(CLI::App& program, Action& action);
void add_load_curve_command(CLI::App& program, Action& action);
void add_draw_command(CLI::App& program, Action& action);
void add_export_command(CLI::App& program, Action& action);
void add_import_command(CLI::App& program, Action& action);
void add_testbed_command(CLI::App& program, Action& action);
void add_where_command(CLI::App& program, Action& action);
void add_list_command(CLI::App& program, Action& action);

}  // namespace weft::cli
