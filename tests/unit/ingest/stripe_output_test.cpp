#include "ingest/stripe_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <random>

#include "tests/support/store_folder.h"

namespace {

std::vector<std::byte> noise(std::size_t bytes, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::byte> pixels(bytes);
  for (auto& value : pixels) value = static_cast<std::byte>(random());
  return pixels;
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string_view text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// For frames of `bytes`, in the temporary folder or on a RAM disk.
void writes_and_reads(const std::filesystem::path& folder, std::size_t bytes) {
  CAPTURE(folder, bytes);
  const auto padded = (bytes + 4095) / 4096 * 4096;
  lw::StripeOutput output(nullptr, padded);
  const std::array names{folder / "a", folder / "b"};
  for (const auto& name : names) output.add(open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  for (unsigned frame = 0; frame < 3; ++frame)
    for (unsigned file = 0; file < 2; ++file)
      REQUIRE(output.write(file, noise(bytes, frame * 2 + file), 4096 + frame * padded) == 0);
  REQUIRE(output.write(1, noise(100, 99), 0) == 0);  // a header, later
  for (unsigned frame = 0; frame < 3; ++frame)
    for (unsigned file = 0; file < 2; ++file) {
      std::vector<std::byte> pixels(bytes);
      REQUIRE(output.read(file, pixels, 4096 + frame * padded) == 0);
      CHECK(pixels == noise(bytes, frame * 2 + file));
      const auto there = text_of(names[file]);
      CHECK(there.size() == 4096 + 3 * padded);
      CHECK(there.compare(4096 + frame * padded, bytes, text_of(noise(bytes, frame * 2 + file))) == 0);
      CHECK(there.find_first_not_of('\0', 4096 + frame * padded + bytes) >= 4096 + (frame + 1) * padded);
    }
  CHECK(text_of(names[1]).substr(0, 100) == text_of(noise(100, 99)));
  std::vector<std::byte> beyond(bytes);
  CHECK(output.read(0, beyond, 4096 + 3 * padded) != 0);
}

}  // namespace

TEST_CASE("written data is in the files, padded, for frames of any size") {
  for (const std::size_t bytes :
       {std::size_t{90}, std::size_t{8192}, std::size_t{65536}, std::size_t{120'000}, std::size_t{3'000'001}}) {
    const StoreFolder folder;
    writes_and_reads(folder.path, bytes);
  }
  if (std::filesystem::is_directory("/dev/shm")) {
    const std::filesystem::path folder = "/dev/shm/lw-stripe-output-test";
    std::filesystem::create_directory(folder);
    writes_and_reads(folder, 120'000);
    std::filesystem::remove_all(folder);
  }
}

TEST_CASE("large frames bypass the page cache, small ones do not wait for the disk one by one") {
  const StoreFolder folder;
  const auto direct = [&](std::size_t bytes) {
    lw::StripeOutput output(nullptr, bytes);
    output.add(open((folder.path / "a").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    return output.direct(0);
  };
  const int probe = open((folder.path / "probe").c_str(), O_RDWR | O_CREAT | O_DIRECT | O_CLOEXEC, 0644);
  CHECK(direct(1 << 20) == (probe >= 0));
  CHECK_FALSE(direct(4096));
  if (probe >= 0) close(probe);
}

TEST_CASE("a filesystem that refuses direct writes is written through the page cache") {
  const StoreFolder folder;
  lw::StripeOutput output(nullptr, 1 << 20);
  output.add(open((folder.path / "a").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!output.direct(0)) return;
  // Not a multiple of the disk's blocks, which the disk refuses.
  REQUIRE(output.write(0, noise(5000, 1), 100) == 0);
  CHECK_FALSE(output.direct(0));
  CHECK(text_of(folder.path / "a").compare(100, 5000, text_of(noise(5000, 1))) == 0);
}
