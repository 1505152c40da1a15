// The audit log is kept up to a size, and a disk that fails stops nothing.
#include "common/access/audit_log.h"

#include "tests/support/temporary_folder.h"

#include <spdlog/spdlog.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <sstream>

using namespace lw;
using lw::test::TemporaryFolder;

namespace {

void write(AuditLog& log, const Json& params) { log.write({"desk", "operate", "10.0.0.1:5", "load", params, "done"}); }

}  // namespace

TEST_CASE("a line says who did what, from where, and with what success") {
  const TemporaryFolder folder;
  AuditLog log(folder.path / "audit.ndjson");
  write(log, {{"name", "a"}});
  const auto line = Json::parse(folder.read("audit.ndjson"));
  CHECK(line["name"] == "desk");
  CHECK(line["role"] == "operate");
  CHECK(line["address"] == "10.0.0.1:5");
  CHECK(line["method"] == "load");
  CHECK(line["params"] == Json{{"name", "a"}});
  CHECK(line["outcome"] == "done");
  CHECK(line["time"].get<std::string>().ends_with("Z"));
  CHECK(folder.mode("audit.ndjson") == 0600);
}

TEST_CASE("long params are cut, and line feeds in them do not break lines") {
  const TemporaryFolder folder;
  AuditLog log(folder.path / "audit.ndjson");
  write(log, {{"name", std::string(5000, 'x')}});
  write(log, {{"name", "two\nlines"}});
  const auto text = folder.read("audit.ndjson");
  CHECK(std::ranges::count(text, '\n') == 2);
  CHECK(Json::parse(text.substr(0, text.find('\n')))["params"].get<std::string>().size() == 1024);
}

TEST_CASE("the log and the one before keep to their size, and hold complete lines") {
  const TemporaryFolder folder;
  AuditLog log(folder.path / "audit.ndjson", 2000);
  for (int i = 0; i < 100; ++i) write(log, {{"frame", i}});
  for (const char* name : {"audit.ndjson", "audit.ndjson.1"}) {
    CHECK(std::filesystem::file_size(folder.path / name) <= 2000);
    std::istringstream lines(folder.read(name));
    for (std::string line; std::getline(lines, line);) CHECK(Json::accept(line));
  }
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 2);
  const auto text = folder.read("audit.ndjson");
  CHECK_THAT(text, Catch::Contains("\"frame\":99"));
}

TEST_CASE("what cannot be written is skipped") {
  spdlog::set_level(spdlog::level::off);
  const TemporaryFolder folder;
  AuditLog log(folder.path / "later" / "audit.ndjson");
  write(log, {{"name", "lost"}});
  std::filesystem::create_directory(folder.path / "later");
  write(log, {{"name", "kept"}});
  CHECK_THAT(folder.read("later/audit.ndjson"), Catch::Contains("kept") && !Catch::Contains("lost"));
  AuditLog full("/dev/full");
  write(full, {{"name", "lost"}});  // ENOSPC
}
