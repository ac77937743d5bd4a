// weft calibrate of tables of forced algorithms: a machine's profile.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/options/options.hpp"
#include "weft/answer/part.hpp"
#include "weft/calibrate/profile/profile_fit.hpp"

namespace weft::cli {

struct ProfileCommand {
  std::vector<std::string> files;
  std::string machine;        // the base profile; empty: the topology's own, else generic
  std::string topology;       // of points whose table does not say; empty: one switch
  std::string output;         // the machine file; "-" is standard output
  std::int32_t ranks = 0;     // of tables that do not say
  std::string library;        // which chose the algorithms of tables that do not say; may be empty
  std::int32_t hold_out = 0;  // every so many points of an algorithm are predicted alone; 0: none
};

/// The profile to start from.
fields::MachineModel base_machine(const ProfileCommand& command);

/// "links.payload (all, terminal)": a value of a profile, and the classes of links that share it.
std::string value_text(const std::string& name, const std::vector<std::string>& link_classes);
/// Says which values of links a fit does not change.
void note_kept_links(const std::string& base, Notes& notes);

answer::Parts<calibrate::ProfileFit> profile_fit_parts();
/// Fits a profile, writes it, and prints its values and how near it comes. Returns the exit code.
int fit_profile(const ProfileCommand& command, const calibrate::ForcedTable& table,
                const OutputOptions& common, Streams& streams);

}  // namespace weft::cli
