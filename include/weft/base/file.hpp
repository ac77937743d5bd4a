// Whole files: read at once, written to a temporary name, synced and renamed, so that none is ever
// half there, not after a power cut either.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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

/// Whether something has this name. So it is where the system cannot follow the path, for a loop of
/// links or without a permission: read_file() then names the reason. Never throws, nor do the next
/// two.
bool is_there(const std::string& path);
/// Whether a regular file, or a link that leads to one, has this name.
bool is_regular_file(const std::string& path);
/// The same of a folder.
bool is_folder(const std::string& path);
/// The names in a folder, sorted; none where it cannot be read.
std::vector<std::string> names_in(const std::string& folder);
/// The system's folder for temporary files: that of the variable TMPDIR, if it is set.
std::string temporary_folder();

/// Throws InvalidInput where write_file would fail for the path's sake: its folder is missing or
/// may not be written, or it is a folder itself. For a check before long work.
void require_writable(const std::string& path);

/// CRC-32C of the bytes: the checksum of weft's own files.
std::uint32_t checksum(std::string_view bytes);

}  // namespace weft
