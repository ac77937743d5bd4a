// Keys that answers of several files have, each with its unit and meaning.
//
// A key of one file is in the table of parts of that file. tools/checks/check_keys.py finds a key
// with the same meaning in two files, which belongs here.
#pragma once

#include "weft/answer/part_text.hpp"

namespace weft::keys {

using answer::Key;
using answer::Unit;

inline constexpr Key kAlgorithm{"algorithm", Unit::none, "name of the algorithm"};
inline constexpr Key kAlgorithmBandwidth{"algorithm_bandwidth", Unit::bytes_per_second,
                                         "size of all calls over their time"};
inline constexpr Key kAllMessages{"messages", Unit::none, "messages of all ranks"};
inline constexpr Key kAnyLeastTime{"any_least_time", Unit::seconds,
                                   "lower bound on the time of all calls on any network"};
inline constexpr Key kBandwidthFactor{"bandwidth_factor", Unit::none, "T_B, in units of M/B"};
inline constexpr Key kBaseProfile{"base", Unit::none, "name of the first profile"};
inline constexpr Key kBaseValue{"base", Unit::none, "its value in the first profile, or none"};
inline constexpr Key kBenchmark{"benchmark", Unit::none, "benchmark that printed it"};
inline constexpr Key kBoundOfSchedules{"bound", Unit::seconds,
                                       "lower bound on the time of any schedules"};
inline constexpr Key kBoundReason{"by", Unit::none, "why it takes that long"};
inline constexpr Key kBusBandwidth{"bus_bandwidth", Unit::bytes_per_second,
                                   "algorithm bandwidth times the bus factor of the collective"};
inline constexpr Key kCables{"cables", Unit::none, "number of cables"};
inline constexpr Key kCalls{"calls", Unit::none, "number of calls"};
inline constexpr Key kClassBytes{"class_bytes", Unit::bytes,
                                 "bytes over links of each class, or null"};
inline constexpr Key kCollective{"collective", Unit::none, "name of the collective"};
inline constexpr Key kCombinedMessages{"combined_messages", Unit::none,
                                       "stored messages of several pieces"};
inline constexpr Key kCompute{"compute", Unit::seconds, "time of computing"};
inline constexpr Key kCounts{"counts", Unit::none, "sizes of the blocks"};
inline constexpr Key kCurve{"curve", Unit::none, "lowest T_B for each number of --steps"};
inline constexpr Key kCutBandwidth{"bandwidth_Bps", Unit::bytes_per_second,
                                   "bandwidth of these links"};
inline constexpr Key kDegree{"degree", Unit::none, "ports of a node"};
inline constexpr Key kDollars{"dollars", Unit::dollars, "price of the network"};
inline constexpr Key kDropped{"dropped", Unit::none, "algorithms that were not built"};
inline constexpr Key kEndTime{"time", Unit::seconds, "time until the last rank is done"};
inline constexpr Key kExperimentFile{"file", Unit::none, "experiment file"};
inline constexpr Key kExpression{"topology", Unit::none, "topology expression"};
inline constexpr Key kFailedRows{"failed", Unit::none, "rows that failed, now or before"};
inline constexpr Key kFaultStep{"step", Unit::none, "stored step, or null if it is not known"};
inline constexpr Key kFaultText{"text", Unit::none, "the fault in words"};
inline constexpr Key kFirstFault{"fault", Unit::none, "the first fault"};
inline constexpr Key kFormat{"format", Unit::none, "format of the file"};
inline constexpr Key kForwardingHosts{"forwarding_hosts", Unit::none,
                                      "hosts without a rank that forward messages"};
inline constexpr Key kGrid{"grid", Unit::none, "grid of the file: standard, quick or full"};
inline constexpr Key kHosts{"hosts", Unit::none, "number of hosts"};
inline constexpr Key kIdle{"idle", Unit::seconds, "idle time"};
inline constexpr Key kInNetwork{"in_network", Unit::none, "whether switches combine messages"};
inline constexpr Key kItsValue{"value", Unit::none, "its value"};
inline constexpr Key kKeepsOrder{"keeps_order", Unit::none,
                                 "whether it serves non-commutative operations"};
inline constexpr Key kLargestError{"max", Unit::none, "largest relative error"};
inline constexpr Key kLargestMeasured{"to", Unit::bytes, "largest measured message"};
inline constexpr Key kLatencySteps{"steps", Unit::none, "steps of the schedule (T_L)"};
inline constexpr Key kLayout{"layout", Unit::none, "where blocks are in the buffers"};
inline constexpr Key kLeastSteps{"least_steps", Unit::none,
                                 "lower bound on the steps of such a schedule"};
inline constexpr Key kLeastTime{"time", Unit::seconds, "lower bound on the time"};
inline constexpr Key kLeastTimeHere{"least_time", Unit::seconds,
                                    "lower bound on the time on this network"};
inline constexpr Key kLinkClasses{"link_classes", Unit::none,
                                  "classes of links that share it, if it is a payload of several"};
inline constexpr Key kLinkCrossings{"link_crossings", Unit::none,
                                    "messages over links of each class"};
inline constexpr Key kLinkLoads{"link_loads", Unit::none, "loads of the links of --links"};
inline constexpr Key kMaxLatency{"max_latency", Unit::seconds, "maximum latency of a packet"};
inline constexpr Key kMaxLinkLoad{"max_link_load", Unit::none,
                                  "load of the busiest link, in units of M"};
inline constexpr Key kMeanError{"mean", Unit::none, "mean of the relative errors"};
inline constexpr Key kMeanLatency{"mean_latency", Unit::seconds, "mean latency of a packet"};
inline constexpr Key kMeasuredRows{"rows", Unit::none, "measured times, by size"};
inline constexpr Key kMeasuredTables{"tables", Unit::none, "the measured tables"};
inline constexpr Key kMeasuredTime{"measured_time", Unit::seconds, "measured time"};
inline constexpr Key kMessageBytes{"message_bytes", Unit::bytes, "bytes of all messages"};
inline constexpr Key kMessageSize{"size", Unit::bytes, "size of a message or call"};
inline constexpr Key kMessages{"messages", Unit::none, "messages sent"};
inline constexpr Key kModel{"model", Unit::none, "model of the simulation"};
inline constexpr Key kNetworkName{"name", Unit::none, "topology expression, or name of its file"};
inline constexpr Key kNodeBandwidthBps{"node_bandwidth_Bps", Unit::bytes_per_second,
                                       "bandwidth out of a node (B)"};
inline constexpr Key kNodes{"nodes", Unit::none, "number of nodes"};
inline constexpr Key kOverBound{"over_bound", Unit::none, "time / bound, or null"};
inline constexpr Key kOverwrites{"overwrites", Unit::none,
                                 "whether messages replace data that a rank held"};
inline constexpr Key kP99Latency{"p99_latency", Unit::seconds, "99th percentile of packet latency"};
inline constexpr Key kPackets{"packets", Unit::none, "packets received"};
inline constexpr Key kPareto{"pareto", Unit::none,
                             "Pareto front of steps and T_B, fewest steps first"};
inline constexpr Key kPaths{"paths", Unit::none, "paths of the message"};
inline constexpr Key kPossible{"possible", Unit::none, "failures that can happen"};
inline constexpr Key kProfileValues{"values", Unit::none, "values of the profile"};
inline constexpr Key kRankTimes{"rank_times", Unit::seconds, "time at which each rank is done"};
inline constexpr Key kRanks{"ranks", Unit::none, "number of ranks"};
inline constexpr Key kRelayedPairs{
    "relayed_pairs", Unit::none,
    "ordered pairs of ranks that only paths through other hosts connect"};
inline constexpr Key kRemarks{"remarks", Unit::none, "omitted data and assumptions"};
inline constexpr Key kResultsStore{"store", Unit::none, "results store"};
inline constexpr Key kRoot{"root", Unit::none, "root of the collective"};
inline constexpr Key kRootOrNull{"root", Unit::none, "root of the collective, or null"};
inline constexpr Key kRouter{"router", Unit::none, "model of the routers"};
inline constexpr Key kRouting{"routing", Unit::none, "routing of the network"};
inline constexpr Key kRoutingJudged{"routing_judged", Unit::none, "whether the routing was judged"};
inline constexpr Key kRoutingName{"routing", Unit::none, "name of the routing"};
inline constexpr Key kRoutingNote{"routing_note", Unit::none, "a routing that is faster, or null"};
inline constexpr Key kRoutingReason{"routing_reason", Unit::none,
                                    "why it is not the usual routing of this network, or null"};
inline constexpr Key kSchedule{"schedule", Unit::none, "algorithm with the options that it chose"};
inline constexpr Key kScheduleFile{"file", Unit::none, "file that the schedule is from, or null"};
inline constexpr Key kSegments{"segments", Unit::none, "segments of the schedule"};
inline constexpr Key kSize{"size", Unit::bytes, "size of a call"};
inline constexpr Key kSmallestMeasured{"from", Unit::bytes, "smallest measured message"};
inline constexpr Key kStepCount{"steps", Unit::none, "number of steps"};
inline constexpr Key kSteps{"steps", Unit::none, "steps of the schedule"};
inline constexpr Key kStepsBound{"steps_bound", Unit::none,
                                 "lower bound on the steps, of one link each"};
inline constexpr Key kSwitchPart{"switch_part", Unit::none,
                                 "quoted switch, or null if the fitted line has its price"};
inline constexpr Key kSwitches{"switches", Unit::none, "number of switches"};
inline constexpr Key kTableFile{"file", Unit::none, "file of the table"};
inline constexpr Key kTopology{"topology", Unit::none, "topology expression, or name of its file"};
inline constexpr Key kTriedFailures{"tried", Unit::none, "failures that were tried"};
inline constexpr Key kUnitsPerBlock{"units_per_block", Unit::none, "units of a block"};
inline constexpr Key kUpperBound{"upper_bound", Unit::none, "proven upper bound of the throughput"};
inline constexpr Key kValueName{"name", Unit::none, "name of the value in a profile"};
inline constexpr Key kVerified{"verified", Unit::none, "whether it is correct"};
inline constexpr Key kWrittenFile{"output", Unit::none, "file that was written"};

}  // namespace weft::keys
