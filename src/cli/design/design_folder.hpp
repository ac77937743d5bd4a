// The folder that weft design hands over.
#pragma once

#include <string>

#include "weft/design/network_design.hpp"
#include "weft/report/design_page.hpp"

namespace weft::cli {

/// Names of its files; of schedules "allreduce-100MiB.weft".
report::DesignFiles files_of(const design::DesignQuestion& asked);

/// For a check before the long work: throws InvalidInput where the folder has files, or cannot be
/// made.
void require_new_folder(const std::string& folder);

/// report.html, cabling.csv (of panels circuits.csv, too), topology.json and the schedules of the
/// network that is advised. All of it or nothing: it is written beside, and renamed. Throws
/// InvalidInput.
void write_design(const design::DesignQuestion& asked, const design::NetworkDesign& found,
                  const report::DesignSpeeds& speeds, const std::string& folder);

}  // namespace weft::cli
