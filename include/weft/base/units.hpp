// Sizes, bandwidths and times as people write them: "64KiB", "100Gbps", "1us".
//
// Inside weft a size is int64 bytes, a bandwidth int64 bytes per second, a latency int64
// picoseconds; the text forms exist only here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Bytes of "4096", "64KiB", "1.5MB", "8B". KB, MB, GB, TB are powers of 1000; KiB, MiB, GiB, TiB
/// of 1024. Throws InvalidInput for another unit, a negative number or a fraction of a byte.
std::int64_t parse_size(std::string_view text);

/// Sizes of a list "1KiB,4KiB,1MiB", a doubling range "1KiB:64MiB", or a mix. Ends of a range are
/// included. Throws InvalidInput, also when a range runs downwards.
std::vector<std::int64_t> parse_sizes(std::string_view text);

/// Bytes per second of "100Gbps" (bits), "12.5GBps", "10GB/s", "50GiB/s"; the unit is required.
/// Throws InvalidInput, also for zero.
std::int64_t parse_bandwidth(std::string_view text);

/// Picoseconds of "1us", "100ns", "0.5ms", "2s", "750ps", "0". Throws InvalidInput.
std::int64_t parse_time(std::string_view text);

/// Seconds of a measured time or a time limit, rounded as a double is: "45.7192us", "1.5min", "1h",
/// or plain seconds "60". Throws InvalidInput for another unit and for a negative or infinite time.
double parse_seconds(std::string_view text);

/// The shortest exact form in powers of 1024: 65536 -> "64KiB", 1000 -> "1000B".
std::string format_size(std::int64_t size_B);
/// Bits per second with the largest unit that keeps it exact: 12500000000 -> "100Gbps".
std::string format_bandwidth(std::int64_t bandwidth_Bps);
/// The largest unit that keeps it exact: 1000000 -> "1us".
std::string format_time(std::int64_t time_ps);
/// Four significant digits for a table: 1.234e-05 -> "12.34us".
std::string format_seconds(double time_s);
/// Four significant digits for a table: 1.234e9 -> "1.234GB/s".
std::string format_rate(double rate_Bps);

inline constexpr double kSecondsPerPicosecond = 1e-12;

}  // namespace weft
