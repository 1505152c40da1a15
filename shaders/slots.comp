#version 450 core
// Rows of a band that lies in packet slots (common/wire/packet_slots.h), without the packets' headers: each invocation writes a texel of the
// texture that the frame shaders read (raw_rows.glsl).
layout(local_size_x = 64) in;
layout(binding = 0, r32ui) writeonly restrict uniform uimage2D words;
layout(binding = 0, std430) readonly restrict buffer Band { uint memory[]; };
layout(location = 0) uniform uint begin;   // of the band in this memory; all numbers are bytes, but those of rows
layout(location = 1) uniform uvec3 slot;   // its size, its header, its pixels
layout(location = 2) uniform uvec2 block;  // its slots, its size
layout(location = 3) uniform uvec2 frame;  // a row, all rows of the band
layout(location = 4) uniform uvec3 rows;   // the first in the band, the first in the texture, texels of a row

uint place_of(uint pixel) {
  uint packet = pixel / slot.z;
  return begin + packet / block.x * block.y + packet % block.x * slot.x + slot.y + pixel % slot.z;
}

uint byte_at(uint pixel) {
  if (pixel >= frame.y) return 0;  // behind the last row
  uint place = place_of(pixel);
  return memory[place >> 2] >> (place & 3u) * 8 & 255u;
}

void main() {
  uvec2 texel = gl_GlobalInvocationID.xy;
  if (texel.x >= rows.z) return;
  uint pixel = (rows.x + texel.y) * frame.x + texel.x * 4;
  uint bytes;
  if (pixel % slot.z + 4 <= slot.z && pixel + 4 <= frame.y) {  // in one packet
    uint place = place_of(pixel);
    uint shift = (place & 3u) * 8;
    bytes = memory[place >> 2] >> shift;
    if (shift != 0) bytes |= memory[(place >> 2) + 1] << (32 - shift);
  } else {
    bytes = byte_at(pixel) | byte_at(pixel + 1) << 8 | byte_at(pixel + 2) << 16 | byte_at(pixel + 3) << 24;
  }
  imageStore(words, ivec2(texel.x, rows.y + texel.y), uvec4(bytes));
}
