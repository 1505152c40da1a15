#version 450 core
// First part of every frame shader: a tile's rows as the bytes they are in their RFC 4175 pixel groups. A texel is four
// bytes, the first of them in the lowest bits.
layout(binding = 0) uniform usampler2D words;
layout(location = 0) uniform ivec2 size;  // of the tile
layout(location = 0) out vec4 color;

// Rows are counted from the top, fragments from the bottom.
ivec2 this_pixel() { return ivec2(int(gl_FragCoord.x), size.y - 1 - int(gl_FragCoord.y)); }

// Four bytes of a row from any byte on, the first in the lowest bits.
uint bytes_from(int byte, int row) {
  uint first = texelFetch(words, ivec2(byte >> 2, row), 0).r;
  uint second = texelFetch(words, ivec2((byte + 3) >> 2, row), 0).r;
  int shift = (byte & 3) * 8;
  return shift == 0 ? first : (first >> shift) | (second << (32 - shift));
}
