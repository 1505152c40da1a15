// What a source on the server's host is, with a script in the place of wall-ingest: one at a time, each within its
// time, and the answer only to the connection that asked.
#include "server/control/source_probe.h"

#include "common/messages/message.h"
#include "tests/support/store_folder.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <thread>

namespace {

using namespace lw;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

class Asker final : public WebPeer {
public:
  void send(std::shared_ptr<const std::string> text, bool) override {
    const auto message = Json::parse(*text);
    REQUIRE(message["method"] == "import.source");
    heard.push_back(read_message<ImportSourceMessage>(message["params"]).value());
  }
  void close(const std::string&) override {}
  [[nodiscard]] const std::string& address() const override { return address_; }
  [[nodiscard]] const Visitor& visitor() const override { return visitor_; }
  [[nodiscard]] std::size_t unread_bytes() const override { return 0; }

  std::vector<ImportSourceMessage> heard;

private:
  const std::string address_ = "192.0.2.1";
  const Visitor visitor_{};
};

// Media whose names say what the script does with them: "film" is read at once, "slow" never.
struct ProbeHost {
  StoreFolder folder;
  std::unique_ptr<ImportJob> job;
  std::unique_ptr<SourceProbe> probe;
  Moment now = Moment::now();

  explicit ProbeHost(const std::string& of_film) {
    fs::create_directories(folder.path / "import");
    for (const auto* name : {"film", "slow", "bad"}) std::ofstream(folder.path / "import" / name) << "media";
    std::ofstream(folder.path / "wall-ingest")
        << "#!/bin/sh\necho x >> " << (folder.path / "runs").string() << "\ncase \"$*\" in\n*slow) exec sleep 1000 ;;\n"
        << "*bad) echo 'wall-ingest: it cannot be read' >&2; exit 1 ;;\nesac\n"
        << of_film << "\n";
    fs::permissions(folder.path / "wall-ingest", fs::perms::owner_all);
    job = std::make_unique<ImportJob>(
        ImportPlace{{folder.path / "import"}, folder.path / "wall-ingest", "wall.toml", {folder.path}}, "a");
    probe = std::make_unique<SourceProbe>(*job);
  }
  [[nodiscard]] std::string file(const std::string& name) const { return folder.path / "import" / name; }
  Result<void> ask(Asker& asker, const std::string& name) { return probe->ask(asker, {file(name), {}}, now); }
  // Virtual time passes, if `each` is not zero.
  void run_until(const std::function<bool()>& done, std::chrono::milliseconds each = 0ms) {
    const auto end = std::chrono::steady_clock::now() + 20s;
    for (; !done(); now.local += each) {
      REQUIRE(std::chrono::steady_clock::now() < end);
      probe->step(now);
      std::this_thread::sleep_for(2ms);
    }
  }
  [[nodiscard]] std::uintmax_t runs() const {
    std::error_code none;
    const auto size = fs::file_size(folder.path / "runs", none);
    return none ? 0 : size / 2;
  }
};

constexpr const char* facts_of_film =
    R"(echo '{"event":"probe","name":"film","width":1920,"height":1080,"frame_rate":"25","frames":250,"input_bytes":)"
    R"(10000000,"bytes":922000000,"sound":true,"sound_channels":2,"hdr":false,"preview":"/9j/4AAQ","reason":"x"}')";

}  // namespace

TEST_CASE("a source's facts go to the connection that asked, and to no other") {
  ProbeHost host(facts_of_film);
  Asker asker, other;
  REQUIRE(host.probe->ask(asker, {host.file("film"), ImportFit::fill, "bc7"}, host.now).has_value());
  host.run_until([&] { return !asker.heard.empty(); });
  const auto& facts = asker.heard.front();
  CHECK(facts == ImportSourceMessage{host.file("film"), ImportFit::fill, "bc7", "", "film", 1920, 1080, "25", 250,
                                     10'000'000, 922'000'000, true, 2, false, 0, "/9j/4AAQ"});
  CHECK(other.heard.empty());
  // It is read again for the next question.
  REQUIRE(host.ask(other, "film").has_value());
  host.run_until([&] { return !other.heard.empty(); });
  CHECK(host.runs() == 2);
}

TEST_CASE("a source that cannot be read has the last words of wall-ingest as its reason") {
  ProbeHost host("exit 3");
  Asker asker;
  for (const auto& [name, reason] :
       {std::pair{"bad", "it cannot be read"}, std::pair{"film", "wall-ingest ended with code 3"}}) {
    REQUIRE(host.ask(asker, name).has_value());
    host.run_until([&] { return !asker.heard.empty(); });
    CHECK(asker.heard.front().reason == reason);
    CHECK(asker.heard.front().input == host.file(name));
    asker.heard.clear();
  }
}

TEST_CASE("only facts are taken, and only a JPEG image is a preview") {
  ProbeHost host("echo nothing; echo '[1]'; echo '{\"event\":7}'; echo '{\"event\":\"probe\",\"width\":-1}'\n" +
                 std::string(R"(echo '{"event":"probe","name":"film","preview":"UDYK"}')"));
  Asker asker;
  REQUIRE(host.ask(asker, "film").has_value());
  host.run_until([&] { return !asker.heard.empty(); });
  ImportSourceMessage bare;
  bare.input = host.file("film");
  bare.name = "film";
  CHECK(asker.heard.front() == bare);
  // A preview as large as it may be, and one that is larger.
  for (const auto& [count, kept] : {std::pair{260'000, true}, std::pair{300'000, false}, std::pair{3'000'000, false}}) {
    ProbeHost large("printf '{\"event\":\"probe\",\"name\":\"film\",\"preview\":\"/9j/'\nhead -c " +
                    std::to_string(count) + " /dev/zero | tr '\\0' A\necho '\"}'");
    asker.heard.clear();
    REQUIRE(large.ask(asker, "film").has_value());
    large.run_until([&] { return !asker.heard.empty(); });
    CHECK(asker.heard.front().preview.empty() != kept);
  }
}

TEST_CASE("the same paths are allowed as for imports, and values stay values") {
  ProbeHost host("exit 0");
  Asker asker;
  for (const auto* input : {"/etc/passwd", "lavfi:testsrc2", "http://127.0.0.1/film.mp4", "--help", "film", ""})
    CHECK_FALSE(host.probe->ask(asker, {input, {}}, host.now).has_value());
  const ImportJob off(ImportPlace{}, "a");
  CHECK_THAT(SourceProbe(off).ask(asker, {host.file("film"), {}}, host.now).error().text(),
             Catch::Contains("--import-from"));
  CHECK(host.runs() == 0);
  auto place = host.job->place();
  CHECK(SourceProbe::arguments(place, {"/x", {}}, "/-in put") ==
        std::vector<std::string>{"--probe", "--json", "--wall=wall.toml", "--", "/-in put"});
  place.server = "b";
  CHECK(SourceProbe::arguments(place, {"/x", ImportFit::exact, "bc1"}, "/y") ==
        std::vector<std::string>{"--probe", "--json", "--wall=wall.toml", "--server=b", "--fit=exact", "--format=bc1",
                                 "--", "/y"});
}

TEST_CASE("a source that is not read in time is answered so, and the next one is read") {
  ProbeHost host(facts_of_film);
  Asker slow, next;
  REQUIRE(host.ask(slow, "slow").has_value());
  host.run_until([&] { return host.runs() == 1; });
  host.run_until([&] { return !slow.heard.empty(); }, 500ms);
  CHECK_THAT(slow.heard.front().reason, Catch::Contains("not read within 30 s"));
  REQUIRE(host.ask(next, "film").has_value());
  host.run_until([&] { return !next.heard.empty(); });
  CHECK(next.heard.front().name == "film");
  CHECK(slow.heard.size() == 1);
}

TEST_CASE("a new question of a connection replaces its last one, and a closed connection's is dropped") {
  ProbeHost host(facts_of_film);
  Asker asker, gone;
  REQUIRE(host.ask(gone, "slow").has_value());
  host.run_until([&] { return host.runs() == 1; });
  REQUIRE(host.ask(asker, "bad").has_value());
  REQUIRE(host.ask(asker, "film").has_value());
  host.probe->remove(&gone);
  host.run_until([&] { return !asker.heard.empty(); });
  CHECK(asker.heard.front().name == "film");
  CHECK(host.runs() == 2);  // "bad" was not begun
  CHECK(gone.heard.empty());
}

TEST_CASE("whatever connections ask, each gets the answer to its last question, and waiting is bounded") {
  const auto seed = std::random_device{}();
  INFO("seed " << seed);
  std::minstd_rand random(seed);
  ProbeHost host(facts_of_film);
  std::vector<std::unique_ptr<Asker>> askers;
  std::vector<std::string> last(SourceProbe::waiting_max);
  for (std::size_t i = 0; i < last.size(); ++i) askers.push_back(std::make_unique<Asker>());
  for (int turn = 0; turn < 100; ++turn) {
    const auto who = random() % last.size();
    last[who] = random() % 4 == 0 ? "bad" : "film";
    REQUIRE(host.ask(*askers[who], last[who]).has_value());
    askers[who]->heard.clear();
    if (random() % 8 == 0) host.probe->step(host.now);
  }
  for (std::size_t i = 0; i < last.size(); ++i) {
    if (last[i].empty()) continue;
    host.run_until([&] { return !askers[i]->heard.empty(); });
  }
  for (std::size_t i = 0; i < last.size(); ++i) {
    CHECK(askers[i]->heard.size() == (last[i].empty() ? 0U : 1U));
    if (!last[i].empty()) CHECK(askers[i]->heard.front().input == host.file(last[i]));
  }
  // More than may wait.
  for (auto& asker : askers) REQUIRE(host.ask(*asker, "slow").has_value());
  Asker late;
  CHECK_THAT(host.ask(late, "film").error().text(), Catch::Contains("wait to be read"));
  for (auto& asker : askers) host.probe->remove(asker.get());
  REQUIRE(host.ask(late, "film").has_value());
  host.run_until([&] { return !late.heard.empty(); });
}
