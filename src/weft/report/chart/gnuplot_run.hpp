// Running gnuplot, and what all its scripts share.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "weft/report/chart/child.hpp"

namespace weft::report {

inline constexpr std::size_t kColourCount = 12;
/// The colour of series i, "#0072B2"; they begin anew behind the last.
const char* colour_of(std::size_t i);

/// The picture's kind, "svg" or "png", and its size in SVG pixels.
std::string terminal_command(const std::string& terminal, double width, double height);

/// By the path's extension, "svg" or "png". Throws InvalidInput for another one.
std::string terminal_of(const std::string& path);

/// Runs the script in the folder; `name` is for messages. Throws InvalidInput where gnuplot is
/// missing or fails.
void run_gnuplot(const TemporaryFolder& folder, const std::string& script, const std::string& name);

/// The picture's text. Throws InvalidInput where gnuplot could not write all of it.
std::string whole_svg(const std::string& path, const std::string& name);

/// The picture with a title of its own, for browsers and screen readers.
std::string titled(std::string svg, const std::string& title);

struct PictureOf {
  std::string terminal = "svg", title = {};
  std::string name = {};  // for messages
};

/// The bytes of the picture that the script for an output file draws.
std::string picture_by(const std::function<std::string(const std::string& output)>& script,
                       const PictureOf& of);

}  // namespace weft::report
