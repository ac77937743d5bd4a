// Whole files: read at once, written to a temporary name, synced and renamed, so that none is ever
// half there, not after a power cut either.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft {

/// The whole file; "-" reads standard input. Throws InvalidInput naming the path and the system's
/// reason.
std::string read_file(const std::string& path);

/// Replaces the file by these bytes, wholly or not at all: once this returns they are on the disk,
/// and a power cut before that leaves the old file or the new one. "-" writes standard output, and
/// a device or pipe (/dev/stdout) is written to directly; behind a symbolic link it is the file
/// that the link leads to. Throws InvalidInput naming the path and the system's reason. Cost: two
/// syncs, milliseconds on a disk.
void write_file(const std::string& path, std::string_view content);

/// Throws InvalidInput where write_file would fail for the path's sake: its folder is missing or
/// may not be written, or it is a folder itself. For a check before long work.
void require_writable(const std::string& path);

/// CRC-32C of the bytes: the checksum of weft's own files.
std::uint32_t checksum(std::string_view bytes);

}  // namespace weft
