// A network design as a page to hand round, and its sentences.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/design/network_design.hpp"

namespace weft::report {

/// The speeds that a design used.
struct DesignSpeeds {
  std::string text = {};     // a line
  std::string options = {};  // other commands have the same speeds by these
};

/// What was asked and what is advised: names and sentences, for a terminal and for the page.
std::vector<std::pair<std::string, std::string>> design_facts(const design::DesignQuestion& asked,
                                                              const design::NetworkDesign& found,
                                                              const DesignSpeeds& speeds);

/// Why the advised network is: the rule of NetworkDesign::chosen, as it came out.
std::string design_reason(const design::NetworkDesign& found);

/// What to type where an all-to-all over the paths of a flow was not tried and may be faster;
/// nothing elsewhere.
std::optional<std::string> flow_command(const design::DesignQuestion& asked,
                                        const design::NetworkDesign& found,
                                        const DesignSpeeds& speeds);

/// What an all-to-all over the paths of a flow asks of the network, and what it takes by the
/// network's own routes; empty where no call runs by one.
std::string flow_paths_text(const design::DesignQuestion& asked, const design::DesignRow& chosen);

/// A line each: what is one network under several names, what was left out and why.
std::vector<std::string> design_notes(const design::NetworkDesign& found);

/// "1.02"; nothing where there is nothing to divide by.
std::string ratio_text(double time_s, double least_s);
/// "torus, baseline".
std::string kind_text(const design::DesignRow& row);
/// "1.33 (2 of 40 cut)"; empty where no failure was tried.
std::string fragility_text(const std::optional<design::Fragility>& fragility);

/// Names of what stands beside the page.
struct DesignFiles {
  std::string topology = "topology.json";
  std::string cabling = "cabling.csv";
  std::string circuits = {};                // of panels; empty without
  std::vector<std::string> schedules = {};  // by call
};

/// One self-contained page, as page_of(): what is advised and why, a chart of time and price, the
/// network's picture where it is small, all candidates. Throws InvalidInput where gnuplot is
/// missing.
std::string design_page(const design::DesignQuestion& asked, const design::NetworkDesign& found,
                        const DesignSpeeds& speeds, const DesignFiles& files);

}  // namespace weft::report
