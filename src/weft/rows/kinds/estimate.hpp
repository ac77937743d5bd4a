// What kinds of rows share when their time and memory are guessed.
#pragma once

#include "weft/rows/row.hpp"

namespace weft::rows {

/// Seconds and bytes of any row, and of one with a network to look at.
inline constexpr double kRow_s = 2e-5, kRow_B = 1e6, kReport_s = 1e-3;
/// Seconds and bytes of a message, as measured on 2dfc networks of up to 256 nodes by the fluid
/// model; within a factor of ten on others.
inline constexpr double kMessage_s = 5e-7, kMessage_B = 64;

/// Messages that the row's algorithm sends, about.
double messages_of(const Values& parameters, double ranks);

/// A row that takes next to nothing.
Estimate estimate_little(const Row& row);
/// A schedule that is built, proved, priced and simulated by formula or flows.
Estimate estimate_schedule(const Row& row);
/// A schedule whose messages are routed.
Estimate estimate_routes(const Row& row);
/// So many schedules that are simulated by packets.
Estimate estimate_packets(const Row& row, double schedules);

}  // namespace weft::rows
