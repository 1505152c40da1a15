// Makes MPCDI files, right ones and wrong ones: ZIP archives, warps, maps and their description.
#pragma once

#include <fmt/format.h>
#include <png.h>
#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace lw::test {

class ZipMaker {
public:
  struct Entry {
    std::string name, bytes;
    bool deflated = true;
    std::uint16_t flags = 0;
    int method = -1;                // instead of the right one
    std::int64_t stated_size = -1;  // instead of the right one
  };

  ZipMaker& add(Entry entry) {
    const auto packed = entry.deflated ? deflated(entry.bytes) : entry.bytes;
    const auto method = static_cast<std::uint16_t>(entry.method >= 0 ? entry.method : entry.deflated ? Z_DEFLATED : 0);
    std::string fields;
    put(fields, 20, 2);
    put(fields, entry.flags, 2);
    put(fields, method, 2);
    put(fields, 0, 4);
    put(fields, crc32(0, reinterpret_cast<const Bytef*>(entry.bytes.data()), static_cast<uInt>(entry.bytes.size())), 4);
    put(fields, packed.size(), 4);
    put(fields, entry.stated_size >= 0 ? static_cast<std::uint64_t>(entry.stated_size) : entry.bytes.size(), 4);
    put(fields, entry.name.size(), 2);
    put(fields, 0, 2);
    const auto at = local_.size();
    local_ += "PK\3\4" + fields + entry.name + packed;
    central_ += std::string("PK\1\2\24\0", 6) + fields;
    put(central_, 0, 2 + 2 + 2 + 4);
    put(central_, at, 4);
    central_ += entry.name;
    ++count_;
    return *this;
  }
  [[nodiscard]] std::string bytes() const {
    std::string end("PK\5\6\0\0\0\0", 8);
    put(end, count_, 2);
    put(end, count_, 2);
    put(end, central_.size(), 4);
    put(end, local_.size(), 4);
    put(end, 0, 2);
    return local_ + central_ + end;
  }

private:
  static void put(std::string& to, std::uint64_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i) to += static_cast<char>(i < 8 ? value >> 8 * i : 0);
  }
  static std::string deflated(const std::string& bytes) {
    z_stream stream{};
    deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, bytes.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
  }
  std::string local_, central_;
  std::size_t count_ = 0;
};

// Three floats for each vertex, in the order of the file: MPCDI's begins at the bottom.
inline std::string pfm(unsigned columns, unsigned rows, const std::vector<float>& values) {
  auto bytes = fmt::format("PF\n{} {}\n-1.000000\n", columns, rows);
  const auto header = bytes.size();
  bytes.resize(header + values.size() * sizeof(float));
  std::memcpy(bytes.data() + header, values.data(), values.size() * sizeof(float));
  return bytes;
}

// The warp that shows the region unchanged, as MPCDI has it.
inline std::string plain_pfm(unsigned columns, unsigned rows) {
  std::vector<float> values;
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned column = 0; column < columns; ++column)
      for (const float value : {(static_cast<float>(column) + 0.5F) / static_cast<float>(columns),
                                (static_cast<float>(row) + 0.5F) / static_cast<float>(rows), 0.0F})
        values.push_back(value);
  return pfm(columns, rows, values);
}

// `format`: PNG_FORMAT_GRAY or PNG_FORMAT_RGB.
inline std::string png(unsigned width, unsigned height, const std::vector<std::uint8_t>& values,
                       unsigned format = PNG_FORMAT_GRAY) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = format;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string bytes(size, '\0');
  png_image_write_to_memory(&image, bytes.data(), &size, 0, values.data(), 0, nullptr);
  bytes.resize(size);
  return bytes;
}

// Two projectors beside each other with 20 % overlap, as version 2.0 writes them.
inline const std::string two_projectors = R"(<?xml version="1.0" encoding="utf-8"?>
<MPCDI profile="2d" geometry="1" color="1" date="2026-11-01 10:00:00" version="2.0">
  <display>
    <buffer id="screen" xResolution="1800" yResolution="800">
      <region id="left" x="0" y="0" xsize="0.6" ysize="1" xResolution="1080" yResolution="800"/>
      <region id="right one" x="0.4" y="0" xsize="0.6" ysize="1" xResolution="1080" yResolution="800"/>
    </buffer>
  </display>
  <files>
    <fileset region="left">
      <geometryWarpFile><path>left.pfm</path><interpolation>linear</interpolation></geometryWarpFile>
      <alphaMap><path>left.png</path><componentDepth>1</componentDepth><gammaEmbedded>2.2</gammaEmbedded></alphaMap>
    </fileset>
    <fileset region="right one">
      <geometryWarpFile><path>right.pfm</path><interpolation>linear</interpolation></geometryWarpFile>
      <alphaMap><path>right.png</path><componentDepth>1</componentDepth><gammaEmbedded>1.0</gammaEmbedded></alphaMap>
      <betaMap><path>right-black.png</path><componentDepth>1</componentDepth></betaMap>
    </fileset>
  </files>
</MPCDI>
)";

inline std::map<std::string, std::string> files_of_two_projectors() {
  return {{"mpcdi.xml", two_projectors},           {"left.pfm", plain_pfm(5, 3)},
          {"right.pfm", plain_pfm(4, 4)},          {"left.png", png(3, 1, {0, 128, 255})},
          {"right.png", png(3, 1, {255, 128, 0})}, {"right-black.png", png(1, 1, {10})}};
}

inline std::string zip(const std::map<std::string, std::string>& files) {
  ZipMaker maker;
  for (const auto& [name, bytes] : files) maker.add({.name = name, .bytes = bytes});
  return maker.bytes();
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  return at == std::string::npos ? "" : text.replace(at, from.size(), to);
}

}  // namespace lw::test
