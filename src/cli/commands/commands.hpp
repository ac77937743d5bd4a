// The commands. Each file registers its command on the program: options in, `run` as the callback.
#pragma once

#include <functional>

#include "cli/screen/streams.hpp"

namespace weft::cli {

class CommandLine;

/// What the chosen command will do; set by its callback, run after parsing.
using Action = std::function<int(Streams&)>;

void add_topology_command(CommandLine& program, Action& action);
void add_schedule_command(CommandLine& program, Action& action);
void add_verify_command(CommandLine& program, Action& action);
void add_cost_command(CommandLine& program, Action& action);
void add_optimum_command(CommandLine& program, Action& action);
void add_throughput_command(CommandLine& program, Action& action);
void add_design_command(CommandLine& program, Action& action);
void add_find_command(CommandLine& program, Action& action);
void add_simulate_command(CommandLine& program, Action& action);
void add_compare_command(CommandLine& program, Action& action);
void add_plan_command(CommandLine& program, Action& action);
void add_profile_command(CommandLine& program, Action& action);
void add_degrade_command(CommandLine& program, Action& action);
void add_train_command(CommandLine& program, Action& action);
void add_economics_command(CommandLine& program, Action& action);
void add_fit_command(CommandLine& program, Action& action);
void add_calibrate_command(CommandLine& program, Action& action);
void add_sweep_command(CommandLine& program, Action& action);
void add_results_command(CommandLine& program, Action& action);
void add_reproduce_command(CommandLine& program, Action& action);
void add_synthesize_command(CommandLine& program, Action& action);
void add_order_command(CommandLine& program, Action& action);
void add_load_curve_command(CommandLine& program, Action& action);
void add_draw_command(CommandLine& program, Action& action);
void add_export_command(CommandLine& program, Action& action);
void add_import_command(CommandLine& program, Action& action);
void add_testbed_command(CommandLine& program, Action& action);
void add_where_command(CommandLine& program, Action& action);
void add_list_command(CommandLine& program, Action& action);
void add_schema_command(CommandLine& program, Action& action);

}  // namespace weft::cli
