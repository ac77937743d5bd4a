// SQLite's own read-only mode makes two files beside a database in WAL mode, or fails where it
// cannot. So a database without a log is read whole and handed to SQLite as memory; the bytes are
// the same before and after, or a writer was at work and they are read again. One with a log (a
// sweep is running, or was killed) has both files already, and is opened as usual.
#include "weft/study/store/database.hpp"

#include <sqlite3.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/files/outputs.hpp"

namespace weft::study {

namespace {

constexpr int kBusy_ms = 60'000;  // commits of others take milliseconds

// SQLite knows names with a meaning (":memory:", "file:...?..."); a path with a slash has none.
std::string plain(const std::string& path) {
  return path.starts_with('/') ? path : "./" + path;
}

struct State {
  bool exists = false;
  std::int64_t size_B = 0;
  std::int64_t changed_ns = 0;
  bool operator==(const State&) const = default;
};

State state_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  require(S_ISREG(status.st_mode), "'{}' is not a results store of weft (not a file)", path);
  return {true, status.st_size, status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec};
}

// SQLite tells of a file that it cannot make that there is none.
void require_folder(const std::string& path) {
  try {
    require_writable(path);
  } catch (const InvalidInput& error) {
    reject("{} with --store", error.what());
  }
}

constexpr std::int64_t kLeast_B = 512;  // of a database: its smallest page

bool has_log(const std::string& path) {
  return state_of(path + "-wal").size_B > 0;
}

const char* reason_of(sqlite3* handle, int code) {
  const int primary = code & 0xff;
  if (primary == SQLITE_FULL) return "the disk is full";
  if (primary == SQLITE_BUSY) return "another process has locked it for too long";
  const int error = handle == nullptr ? 0 : sqlite3_system_errno(handle);
  const bool of_system = primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN;
  return of_system && error != 0 ? std::strerror(error) : sqlite3_errstr(code);
}

}  // namespace

Database::Database(Database&& other) noexcept
    : path_(std::move(other.path_)),
      doing_(other.doing_),
      content_(std::move(other.content_)),
      handle_(std::exchange(other.handle_, nullptr)) {}

Database::~Database() {
  sqlite3_close(handle_);
}

void Database::fail(int code) const {
  const int primary = code & 0xff;
  require(primary != SQLITE_NOTADB, "'{}' is not a results store of weft (not a database)", path_);
  require(primary != SQLITE_CORRUPT, "'{}' is damaged; delete it, or restore a copy", path_);
  reject("cannot {} '{}': {}", doing_, path_, reason_of(handle_, code));
}

void Database::check(int code) const {
  if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE) [[unlikely]]
    fail(code);
}

void Database::connect(int flags) {
  check(sqlite3_open_v2(plain(path_).c_str(), &handle_, flags | SQLITE_OPEN_NOMUTEX, nullptr));
  check(sqlite3_extended_result_codes(handle_, 1));
  check(sqlite3_busy_timeout(handle_, kBusy_ms));
}

Database Database::open(const std::string& path) {
  // SQLite would take a few bytes for the beginning of a database, and overwrite them.
  const State state = state_of(path);
  if (!state_of(path + "-wal").exists) require_folder(path);
  const std::int64_t size_B = state.size_B;
  require(size_B == 0 || size_B >= kLeast_B || state_of(path + "-journal").exists,
          "'{}' is not a results store of weft (not a database)", path);
  Database database(path, "write");
  database.connect(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  // SQLite opens what it may not write for reading.
  require(sqlite3_db_readonly(database.handle_, "main") == 0,
          "cannot write '{}': it is read-only; name another store with --store", path);
  return database;
}

Database Database::read(const std::string& path) {
  if (!has_log(path)) return snapshot(path);
  note_read(path);
  Database database(path, "read");
  database.connect(SQLITE_OPEN_READONLY);
  return database;
}

Database Database::in_memory(const std::string& path) {
  Database database(path, "read");
  database.check(sqlite3_open_v2(":memory:", &database.handle_,
                                 SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr));
  return database;
}

Database Database::snapshot(const std::string& path) {
  Database database(path, "read");
  for (State before = state_of(path), after;; before = after) {
    require(before.exists, "cannot read '{}': {}", path, std::strerror(errno));
    *database.content_ = read_file(plain(path));
    after = state_of(path);
    if (has_log(path)) return read(path);
    if (before == after) break;
  }
  std::string& bytes = *database.content_;
  if (bytes.empty()) return in_memory(path);  // another process is about to fill it
  // Bytes 18 and 19 say that there is a log (2); memory has none (1).
  if (bytes.size() > 19 && bytes[18] == 2 && bytes[19] == 2) bytes[18] = bytes[19] = 1;
  database.check(sqlite3_open_v2(":memory:", &database.handle_,
                                 SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr));
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  database.check(sqlite3_deserialize(database.handle_, "main",
                                     reinterpret_cast<unsigned char*>(bytes.data()), size, size,
                                     SQLITE_DESERIALIZE_READONLY));
  return database;
}

void Database::empty_log() noexcept {
  WEFT_ASSERT(handle_ != nullptr);
  sqlite3_busy_timeout(handle_, 0);
  sqlite3_wal_checkpoint_v2(handle_, nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  sqlite3_busy_timeout(handle_, kBusy_ms);
}

void Database::run(const char* sql) {
  WEFT_ASSERT(handle_ != nullptr);
  check(sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr));
}

std::int64_t Database::number(const char* sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

Statement::Statement(const Database& database, const char* sql) : database_(database) {
  database.check(
      sqlite3_prepare_v3(database.get(), sql, -1, SQLITE_PREPARE_PERSISTENT, &handle_, nullptr));
}

Statement::~Statement() {
  sqlite3_finalize(handle_);
}

void Statement::bind(int index, std::string_view text) {
  WEFT_ASSERT(index >= 1 && index <= sqlite3_bind_parameter_count(handle_));
  database_.check(sqlite3_bind_text64(handle_, index, text.data() == nullptr ? "" : text.data(),
                                      text.size(), SQLITE_STATIC, SQLITE_UTF8));
}

void Statement::bind(int index, double value) {
  WEFT_ASSERT(index >= 1 && index <= sqlite3_bind_parameter_count(handle_));
  database_.check(sqlite3_bind_double(handle_, index, value));
}

bool Statement::step() {
  const int code = sqlite3_step(handle_);
  database_.check(code);
  return code == SQLITE_ROW;
}

bool Statement::step_in_turn() {
  const auto is_busy = [](int code) { return (code & 0xff) == SQLITE_BUSY; };
  constexpr int kPause_ms = 2;
  int code = sqlite3_step(handle_);
  for (int waited_ms = 0; is_busy(code) && waited_ms < kBusy_ms; waited_ms += kPause_ms) {
    sqlite3_reset(handle_);
    sqlite3_sleep(kPause_ms);
    code = sqlite3_step(handle_);
  }
  database_.check(code);
  return code == SQLITE_ROW;
}

void Statement::reset() {
  sqlite3_reset(handle_);
}

std::string_view Statement::text(int column) const {
  WEFT_ASSERT(column >= 0 && column < sqlite3_column_count(handle_));
  const unsigned char* text = sqlite3_column_text(handle_, column);
  const int size = sqlite3_column_bytes(handle_, column);
  return text == nullptr ? std::string_view()
                         : std::string_view(reinterpret_cast<const char*>(text),
                                            static_cast<std::size_t>(size));
}

double Statement::real(int column) const {
  WEFT_ASSERT(column >= 0 && column < sqlite3_column_count(handle_));
  return sqlite3_column_double(handle_, column);
}

std::int64_t Statement::integer(int column) const {
  WEFT_ASSERT(column >= 0 && column < sqlite3_column_count(handle_));
  return sqlite3_column_int64(handle_, column);
}

Transaction::Transaction(Database& database) : database_(database) {
  database_.run("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  // Some failures have rolled back already.
  if (sqlite3_get_autocommit(database_.get()) == 0)
    sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  WEFT_ASSERT(sqlite3_get_autocommit(database_.get()) == 0);
  database_.run("COMMIT");
}

}  // namespace weft::study
