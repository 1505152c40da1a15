#include "common/store/sound_file.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <fstream>
#include <random>
#include <vector>

#include "common/store/npy_header.h"
#include "tests/support/store_folder.h"

namespace {

lw::Result<lw::SoundFile> open_in(const StoreFolder& folder, unsigned channels) {
  const auto open = lw::open_folder(folder.path, "");
  return lw::open_sound({open->get(), folder.path, ""}, {"a.npy", channels});
}

}  // namespace

TEST_CASE("samples of frames follow each other without gap or overlap") {
  std::mt19937 chance(3);
  for (int round = 0; round < 1000; ++round) {
    const lw::FrameRate rate{static_cast<std::int32_t>(1 + chance() % 240'000),
                             static_cast<std::int32_t>(1 + chance() % 1001)};
    const auto frame = static_cast<std::int64_t>(chance() % (1U << 31U));
    const auto first = lw::sample_of_frame(frame, rate);
    const auto exact = static_cast<long double>(frame) * 48'000 * rate.denominator / rate.numerator;
    CHECK(static_cast<long double>(first) <= exact + 1e-3L);
    CHECK(static_cast<long double>(first) > exact - 1 - 1e-3L);
    CHECK(lw::sample_of_frame(frame + 1, rate) >= first);
  }
  CHECK(lw::sample_of_frame(1001, {30'000, 1001}) == 1'603'201);
}

TEST_CASE("a file of sound is opened as written; others are refused") {
  const StoreFolder folder;
  const auto file = folder.path / "a.npy";
  CHECK(open_in(folder, 2).has_error());
  const auto write = [&](const std::string& header, std::size_t bytes) {
    std::ofstream(file, std::ios::binary) << header << std::string(bytes, '\1');
  };
  write(lw::sound_header(2, 1000), 8000);
  const auto sound = open_in(folder, 2);
  REQUIRE(sound.has_value());
  CHECK(sound->channels == 2);
  CHECK(sound->samples == 1000);
  CHECK(sound->header_bytes == 4096);
  CHECK_THAT(open_in(folder, 1).error().what, Catch::Contains("(samples, 1)"));
  write(lw::sound_header(2, 1000), 7999);
  CHECK_THAT(open_in(folder, 2).error().what, Catch::Contains("ends after"));
  for (const auto* descr : {"<i2", "<f4", ">i4"}) {
    write(lw::npy_array_header(descr, {1000, 2}, 64), 8000);
    CHECK_THAT(open_in(folder, 2).error().what, Catch::Contains("32-bit"));
  }
  write(lw::npy_array_header("<i4", {2000}, 64), 8000);
  CHECK(open_in(folder, 1).has_error());
  write("not an array", 100);
  CHECK(open_in(folder, 1).has_error());
}
