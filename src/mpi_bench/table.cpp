#include "table.hpp"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace weft::mpi_bench {

namespace {

constexpr const char* kHeading = "test,class,load,messages,size_B,calls,minimum_s,median_s\n";

constexpr const char* kComparedHeading =
    "schedule,collective,size_B,calls,minimum_s,median_s,native_minimum_s,native_median_s\n";

// A name with commas, such as "ring,segments=4", is one field.
std::string field(const std::string& text) {
  return text.find_first_of(",\"") == std::string::npos ? text : '"' + text + '"';
}

bool write_whole(const std::string& path, const std::string& text) {
  const std::string beside = path + ".part";
  std::ofstream file(beside, std::ios::binary);
  file << text;
  file.close();
  std::error_code error;
  if (file) std::filesystem::rename(beside, path, error);
  if (file && !error) return true;
  std::filesystem::remove(beside, error);
  return false;
}

}  // namespace

TimesTable::TimesTable(const World& world, const std::string& path) : world_(world), path_(path) {
  const std::string who = hosts(world);
  put("# weft-bench 1\n# Library: " + library() + "\n# Ranks: " + std::to_string(world.ranks) +
      "\n# Hosts:" + who + "\n");
  remark("Each call begins behind a barrier and counts by its slowest rank");
}

void TimesTable::remark(const std::string& text) {
  put("# " + text + "\n");
}

void TimesTable::add(const Row& row) {
  head(kHeading);
  std::array<char, 96> numbers{};
  std::snprintf(numbers.data(), numbers.size(), "%lld,%d,%.9g,%.9g\n",
                static_cast<long long>(row.size_B), row.times.calls, row.times.least_s,
                row.times.median_s);
  put(row.test + ',' + row.link_class + ',' + row.load + ',' + row.messages + ',' + numbers.data());
}

void TimesTable::add(const ComparedRow& row) {
  head(kComparedHeading);
  std::array<char, 160> numbers{};
  std::snprintf(numbers.data(), numbers.size(), "%lld,%d,%.9g,%.9g,%.9g,%.9g\n",
                static_cast<long long>(row.size_B), row.times.calls, row.times.least_s,
                row.times.median_s, row.native.least_s, row.native.median_s);
  put(field(row.schedule) + ',' + row.collective + ',' + numbers.data());
}

void TimesTable::head(const char* heading) {
  if (heading_ == heading) return;
  heading_ = heading;
  put(heading);
}

void TimesTable::put(const std::string& text) {
  if (!world_.first()) return;
  text_ += text;
  if (!path_.empty()) return;
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

void TimesTable::finish() {
  int written = path_.empty() || !world_.first() || write_whole(path_, text_) ? 1 : 0;
  MPI_Bcast(&written, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (written == 0)
    refuse(world_, "cannot write '" + path_ + "'; choose a file in a writable folder");
}

}  // namespace weft::mpi_bench
