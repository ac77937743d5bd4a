// The table has a row per key. WAL with full synchronisation: a commit is on the disk when it
// returns, and a kill, a full disk or a power cut leaves the last commit whole. Opening looks
// before it writes, so that a file of another program is never touched.
#include "weft/study/store.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "weft/base/error.hpp"
#include "weft/study/store/database.hpp"

namespace weft::study {

namespace {

constexpr std::int64_t kApplicationId = 0x77656674;  // "weft"
constexpr std::int64_t kSchemaVersion = 1;

constexpr const char* kSchema =
    "CREATE TABLE results ("
    "  key TEXT NOT NULL PRIMARY KEY,"
    "  kind TEXT NOT NULL,"
    "  parameters TEXT NOT NULL,"  // JSON
    "  results TEXT NOT NULL,"     // JSON, {} where the row failed
    "  error TEXT NOT NULL,"       // why it failed, or empty
    "  wall_s REAL NOT NULL,"
    "  finished_at TEXT NOT NULL"
    ") STRICT, WITHOUT ROWID;"
    "PRAGMA application_id = 2003134068;"
    "PRAGMA user_version = 1;";
static_assert(kApplicationId == 2003134068);

constexpr const char* kInsert =
    "INSERT INTO results VALUES (?1, ?2, ?3, ?4, ?5, ?6,"
    "  coalesce(nullif(?7, ''), strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))) "
    "ON CONFLICT (key) DO UPDATE SET kind = excluded.kind, parameters = excluded.parameters,"
    "  results = excluded.results, error = excluded.error, wall_s = excluded.wall_s,"
    "  finished_at = excluded.finished_at "
    "WHERE results.error <> ''";

enum class Content : std::uint8_t { empty, store };

// What the file holds; anything but a store of this version, or nothing at all, is refused.
Content inspect(Database& database, const std::string& path) {
  // In this order: the number and the table come in one transaction, perhaps just now.
  const bool bare = database.number("SELECT count(*) FROM sqlite_schema") == 0;
  const std::int64_t id = database.number("PRAGMA application_id");
  if (bare && id == 0) return Content::empty;
  require(id == kApplicationId,
          "'{}' is not a results store of weft (it is the database of another program)", path);
  const std::int64_t version = database.number("PRAGMA user_version");
  require(version == kSchemaVersion,
          "'{}' is a results store of version {}, but this weft supports {}; use a newer weft, "
          "or another store",
          path, version, kSchemaVersion);
  return Content::store;
}

// SQLite stays with another journal where the file system cannot share the log's memory. Of two
// processes that give a new file its log at the same time one is refused at once.
bool keep_log(Database& database) {
  Statement statement(database, "PRAGMA journal_mode = WAL");
  return statement.step_in_turn() && statement.text(0) == "wal";
}

void prepare_to_write(Database& database, const std::string& path) {
  const Content content = inspect(database, path);
  require(keep_log(database),
          "cannot write '{}': its file system does not support the log of SQLite; use a local "
          "disk",
          path);
  // Syncs the log at every commit, so that a committed row survives a power cut; NORMAL, with a
  // log, syncs only when the log is emptied and may lose the last rows. SQLite syncs the folder of
  // a new log, and with it the new store's name.
  database.run("PRAGMA synchronous = FULL");
  if (content == Content::store) return;
  Transaction transaction(database);
  if (inspect(database, path) == Content::store) return;  // another process was faster
  database.run(kSchema);
  transaction.commit();
}

Database opened(const std::string& path, ResultsStore::Mode mode) {
  if (mode == ResultsStore::Mode::write) {
    Database database = Database::open(path);
    prepare_to_write(database, path);
    return database;
  }
  Database database = Database::read(path);
  if (inspect(database, path) == Content::store) return database;
  // A sweep that has just begun made the file and not yet its tables: no rows so far.
  Database none = Database::in_memory(path);
  none.run(kSchema);
  return none;
}

constexpr const char* kColumns =
    "SELECT key, kind, parameters, results, error, wall_s, finished_at FROM results";

}  // namespace

struct ResultsStore::Handle {
  Handle(const std::string& file, Mode asked)
      : path(file), mode(asked), database(opened(file, mode)) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  // SQLite does so for the last of all connections, which may be a reader's and then cannot.
  ~Handle() {
    if (mode == Mode::write) database.empty_log();
  }

  StoredRow row_of(const Statement& statement) const;
  std::string remedy(const std::string& key) const {
    return fmt::format(
        "to have it computed anew: sqlite3 {} \"DELETE FROM results WHERE key='{}'\"", path, key);
  }

  std::string path;
  Mode mode;
  Database database;
  Statement insert{database, kInsert};
  Statement find{database, fmt::format("{} WHERE key = ?1", kColumns).c_str()};
};

StoredRow ResultsStore::Handle::row_of(const Statement& statement) const {
  const std::string key(statement.text(0));
  const RowKind* kind = rows::find_kind(statement.text(1));
  require(kind != nullptr, "'{}' is damaged: row {} is of an unknown kind; {}", path, key,
          remedy(key));
  try {
    return {.key = key,
            .kind = kind,
            .parameters = fields::values_from_json(statement.text(2)),
            .results = fields::values_from_json(statement.text(3)),
            .error = std::string(statement.text(4)),
            .wall_s = statement.real(5),
            .finished_at = std::string(statement.text(6))};
  } catch (const InvalidInput& error) {
    reject("'{}' is damaged: row {}: {}; {}", path, key, error.what(), remedy(key));
  }
}

std::string default_store_path(const std::string& experiment_path) {
  return std::filesystem::path(experiment_path).replace_extension(".sqlite").string();
}

ResultsStore::ResultsStore(const std::string& path, Mode mode)
    : handle_(std::make_unique<Handle>(path, mode)) {}
ResultsStore::~ResultsStore() = default;
ResultsStore::ResultsStore(ResultsStore&&) noexcept = default;
ResultsStore& ResultsStore::operator=(ResultsStore&&) noexcept = default;

ResultsStore::State ResultsStore::state(const std::string& key) const {
  const std::optional<StoredRow> row = find(key);
  if (!row) return State::missing;
  return row->error.empty() ? State::done : State::failed;
}

std::optional<StoredRow> ResultsStore::find(const std::string& key) const {
  Statement& statement = handle_->find;
  const Use use(statement);
  statement.bind(1, key);
  if (!statement.step()) return std::nullopt;
  return handle_->row_of(statement);
}

void ResultsStore::add(const std::vector<StoredRow>& rows) {
  if (rows.empty()) return;
  Transaction transaction(handle_->database);
  Statement& insert = handle_->insert;
  for (const StoredRow& row : rows) {
    const Use use(insert);
    WEFT_ASSERT(row.kind != nullptr && !row.key.empty());
    const std::string parameters = fields::to_json(row.parameters),
                      results = fields::to_json(row.results);
    insert.bind(1, row.key);
    insert.bind(2, row.kind->name);
    insert.bind(3, parameters);
    insert.bind(4, results);
    insert.bind(5, row.error);
    insert.bind(6, row.wall_s);
    insert.bind(7, row.finished_at);
    insert.step();
  }
  transaction.commit();
}

std::vector<StoredRow> ResultsStore::all() const {
  Statement statement(handle_->database, fmt::format("{} ORDER BY key", kColumns).c_str());
  std::vector<StoredRow> rows;
  while (statement.step()) rows.push_back(handle_->row_of(statement));
  return rows;
}

std::int64_t ResultsStore::size() const {
  return handle_->database.number("SELECT count(*) FROM results");
}

}  // namespace weft::study
