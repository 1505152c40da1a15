#include "ingest/sound_input.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <fstream>
#include <random>

#include "tests/support/store_folder.h"

namespace {

namespace fs = std::filesystem;

// PCM of 16 bits, interleaved.
void write_wav(const fs::path& file, const std::vector<std::int16_t>& samples, unsigned channels, unsigned rate) {
  std::ofstream out(file, std::ios::binary);
  const auto number = [&](std::uint32_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out.put(static_cast<char>(value >> 8U * static_cast<unsigned>(i)));
  };
  const auto bytes = static_cast<std::uint32_t>(samples.size() * 2);
  out << "RIFF";
  number(36 + bytes, 4);
  out << "WAVEfmt ";
  number(16, 4);
  number(1, 2);
  number(channels, 2);
  number(rate, 4);
  number(rate * channels * 2, 4);
  number(channels * 2, 2);
  number(16, 2);
  out << "data";
  number(bytes, 4);
  for (const auto sample : samples) number(static_cast<std::uint16_t>(sample), 2);
}

// Of as many samples as a caller wants.
std::vector<std::int32_t> read_sound(const fs::path& file, double from, std::size_t values) {
  auto input = lw::SoundInput::open(file, nullptr, file, from);
  REQUIRE(input.has_value());
  std::vector<std::int32_t> all;
  for (;;) {
    const auto next = (*input)->next();
    REQUIRE(next.has_value());
    if (next->empty()) break;
    all.insert(all.end(), next->begin(), next->end());
  }
  CHECK((*input)->damaged() == 0);
  all.resize(values);
  return all;
}

}  // namespace

TEST_CASE("a sample of the store is the file's at the same time, or silence") {
  const StoreFolder folder;
  std::mt19937 chance(7);
  for (int round = 0; round < 24; ++round) {
    const unsigned channels = 1 + chance() % 8;
    std::vector<std::int16_t> samples(std::size_t{channels} * (1 + chance() % 90'000));
    for (auto& sample : samples) sample = static_cast<std::int16_t>(chance());
    write_wav(folder.path / "a.wav", samples, channels, 48'000);
    const auto offset = static_cast<std::int64_t>(chance() % 120'000) - 48'000;
    CAPTURE(channels, samples.size(), offset);
    const auto count = 100'000;
    const auto sound =
        read_sound(folder.path / "a.wav", static_cast<double>(offset) / 48'000, std::size_t{channels} * count);
    std::size_t wrong = 0;
    for (std::int64_t i = 0; i < std::int64_t{channels} * count; ++i) {
      const auto at = i + offset * channels;
      const bool inside = at >= 0 && at < static_cast<std::int64_t>(samples.size());
      const auto expected = inside ? samples[static_cast<std::size_t>(at)] * 65'536 : 0;
      if (sound[static_cast<std::size_t>(i)] != expected) ++wrong;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("sound of another rate keeps its time") {
  const StoreFolder folder;
  for (const unsigned rate : {8'000U, 44'100U, 96'000U}) {
    std::vector<std::int16_t> samples(2 * rate);
    samples[rate / 2] = 30'000;  // a click after half a second
    write_wav(folder.path / "a.wav", samples, 1, rate);
    for (const double from : {0.0, 0.25, -0.125}) {
      CAPTURE(rate, from);
      const auto sound = read_sound(folder.path / "a.wav", from, 96'000);
      const auto loudest =
          std::ranges::max_element(sound, {}, [](std::int32_t s) { return std::abs(std::int64_t{s}); });
      const auto expected = std::lround((0.5 - from) * 48'000);
      CHECK(std::abs(loudest - sound.begin() - expected) <= 6);                        // a sample of 8 kHz
      CHECK(std::ranges::all_of(sound, [](std::int32_t s) { return s % 256 == 0; }));  // 24 bits
    }
  }
}

TEST_CASE("what has no sound is refused") {
  const StoreFolder folder;
  std::ofstream(folder.path / "text.wav") << "not a sound";
  CHECK(lw::SoundInput::open(folder.path / "text.wav", nullptr, "text.wav", 0).has_error());
  CHECK(lw::SoundInput::open(folder.path / "none.wav", nullptr, "none.wav", 0).has_error());
}
