// The headers named "numpy" are those that NumPy 1.24 writes for the array in the test's name.
#include "common/store/npy_header.h"

#include "common/store/stripe_layout.h"

#include <catch2/catch.hpp>

#include <string>
#include <string_view>

namespace {

std::span<const std::byte> bytes(const std::string& text) { return std::as_bytes(std::span(text)); }

// A file that begins with a header of this text.
std::string npy(const std::string& dictionary, char version = 1) {
  const auto length = dictionary.size() + 1;
  std::string file = "\x93NUMPY";
  file += version;
  file += '\0';
  file += static_cast<char>(length & 255U);
  file += static_cast<char>(length >> 8U);
  if (version > 1) file += std::string(2, '\0');
  return file + dictionary + '\n';
}

}  // namespace

TEST_CASE("a header is one page, ends with a line feed and is read back") {
  for (const std::size_t padding : {std::size_t{0}, std::size_t{1476}}) {
    const lw::NpyShape shape{90, 202, 966, padding};
    const auto header = lw::npy_header(shape);
    REQUIRE(header.size() == lw::store_alignment);
    CHECK(header.back() == '\n');
    const auto parsed = lw::parse_npy_header(bytes(header));
    REQUIRE(parsed.has_value());
    CHECK(parsed->shape == shape);
    CHECK(parsed->header_bytes == lw::store_alignment);
  }
}

TEST_CASE("a header has the words that NumPy expects") {
  CHECK(lw::npy_header({5, 2, 6, 0}).substr(10, 70) ==
        "{'descr': '|u1', 'fortran_order': False, 'shape': (5, 2, 6), }        ");
  CHECK(lw::npy_header({5, 2, 6, 4084}).substr(10, 117) ==
        "{'descr': [('frame', '|u1', (2, 6)), ('padding', '|u1', (4084,))], 'fortran_order': False, 'shape': (5,), }"
        "          ");
  CHECK(lw::npy_array_header("<u8", {7}, 64).substr(10, 57) ==
        "{'descr': '<u8', 'fortran_order': False, 'shape': (7,), }");
}

// As NumPy 1.24 writes np.dtype([("band0", [("slots", [("header", "u1", (44,)), ("pixels", "u1", (468,))], (2,)), ...
TEST_CASE("NumPy's own headers are read: packets of two bands") {
  const auto tile = lw::TileSlots::of(lw::PixelFormat::rgb8, 312, 2, 2, 512).value();
  const std::string band =
      "[('slots', [('header', '|u1', (44,)), ('pixels', '|u1', (468,))], (2,)), ('padding', '|u1', (3072,))], (1,)";
  const std::string descr = "[('band0', " + band + "), ('band1', " + band + ")]";
  const auto header = lw::npy_header(tile, 7);
  CHECK(header.size() == lw::store_alignment);
  const auto file = npy("{'descr': " + descr + ", 'fortran_order': False, 'shape': (7,), }      ");
  for (const auto& text : {header, file}) {
    const auto parsed = lw::parse_npy_header(bytes(text), tile);
    REQUIRE(parsed.has_value());
    CHECK(parsed->shape == lw::NpyShape{7, 0, 0, 0});
    CHECK(parsed->header_bytes == text.size());
    CHECK(lw::parse_npy_header(bytes(text)).has_error());
  }
  const auto other = lw::TileSlots::of(lw::PixelFormat::rgb8, 312, 2, 1, 512).value();
  CHECK(lw::parse_npy_header(bytes(header), other).error().text().find("packets") != std::string::npos);
  CHECK(lw::parse_npy_header(bytes(npy("{'descr': [('band0', [, 'shape': (7,), }")), tile).has_error());
}

TEST_CASE("NumPy's own headers are read: uint8 of shape (3, 4, 5, 3)") {
  const auto file = npy("{'descr': '|u1', 'fortran_order': False, 'shape': (3, 4, 5, 3), }             ");
  const auto parsed = lw::parse_npy_header(bytes(file));
  REQUIRE(parsed.has_value());
  CHECK(parsed->shape == lw::NpyShape{3, 4, 15, 0});
  CHECK(parsed->header_bytes == file.size());
}

TEST_CASE("NumPy's own headers are read: a structure, version 2.0") {
  const auto file = npy(
      "{'descr': [('frame', '|u1', (4, 15)), ('padding', '|u1', (4036,))], 'fortran_order': False, 'shape': (3,), }",
      2);
  const auto parsed = lw::parse_npy_header(bytes(file));
  REQUIRE(parsed.has_value());
  CHECK(parsed->shape == lw::NpyShape{3, 4, 15, 4036});
}

TEST_CASE("plain arrays are read and written") {
  const auto header = lw::npy_array_header("<u8", {12, 6}, 64);
  CHECK(header.size() % 64 == 0);
  const auto parsed = lw::parse_npy_array(bytes(header));
  REQUIRE(parsed.has_value());
  CHECK(parsed->descr == "<u8");
  CHECK(parsed->shape == std::vector<std::uint64_t>{12, 6});
  CHECK(parsed->header_bytes == header.size());
}

TEST_CASE("a file that is not an array of frames is refused with a reason") {
  const auto refused = [](const std::string& file, std::string_view reason) {
    const auto parsed = lw::parse_npy_header(bytes(file));
    REQUIRE(parsed.has_error());
    CAPTURE(parsed.error().text());
    CHECK(parsed.error().what.find(reason) != std::string::npos);
    CHECK_FALSE(parsed.error().mend.empty());
  };
  refused("", "not a .npy file");
  refused("\x89PNG\r\n\x1a\n 0123456789", "not a .npy file");
  refused(npy("{'descr': '|u1', 'fortran_order': False, 'shape': (3, 4, 5)"), "cannot be read");
  refused(npy("{'descr': '|u1', 'fortran_order': True, 'shape': (3, 4, 5), }"), "Fortran");
  refused(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4, 5), }"), "unsigned bytes");
  refused(npy("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }"), "unsigned bytes");
  refused(npy("{'descr': '|u1', 'fortran_order': False, 'shape': (3, 4, -5), }"), "cannot be read");
  refused(npy("{'descr': '|u1', 'fortran_order': False, 'shape': (9, 1099511627776, 1099511627776), }"),
          "unsigned bytes");
  refused(npy("{'descr': '|u1', 'fortran_order': False, 'shape': (3, 4, 99999999999999999999), }"), "cannot be read");
  refused(npy("{'descr': '|u1', 'fortran_order': False, 'shape': (9, 0, 1404036, 1404036), }"), "unsigned bytes");
  refused(npy("{'descr': '|u1', 'fortran_order': False, 'shape': (3, 4, 5), }").substr(0, 40), "cannot be read");
}
