// Schedules as editable text: written, and read back once they are proved.
#pragma once

#include <string>
#include <vector>

#include "cli/options/options.hpp"
#include "weft/answer/part.hpp"

namespace weft::cli {

/// How weft schedule writes text.
struct TextOptions {
  bool text = false;           // text instead of a binary file
  bool trees = false;          // as packed trees
  bool keep_symmetry = false;  // one representative of each orbit, and the group

  bool wanted() const { return text || trees; }
};

/// Returns the text of a schedule. Its symmetry is written out unless `options` or its size, which
/// a note on stderr then says, keep it. `topology` is that of explicit routes. Throws InvalidInput
/// for trees of what is no packing of trees.
std::string text_of(const Schedule& schedule, const Topology* topology, const TextOptions& options,
                    Streams& streams);

/// What weft schedule --from-text does: reads the text (or a binary schedule), proves it, and
/// writes it to `output`, unless that is empty. A wrong schedule is reported with the line of its
/// first fault, and nothing is written. Returns the exit code. Throws InvalidInput for a bad text.
int run_from_text(const std::string& file, const std::string& output, const TextOptions& options,
                  const OutputOptions& common, Streams& streams);
/// The parts of its answer, for weft schema.
std::vector<answer::PartText> text_answer_parts();

}  // namespace weft::cli
