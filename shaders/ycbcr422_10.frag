#version 450 core
// Y'CbCr 4:2:2, 10 bits: five R8UI texels are the pixel group Cb Y0 Cr Y1, 10 bits each, most significant bit first
// (RFC 4175 section 4.3, GStreamer's UYVP). Matrix and siting as in ycbcr422_8.frag, from ITU-R BT.709-6.
layout(binding = 0) uniform usampler2D bytes;
layout(location = 0) uniform ivec2 size;
layout(location = 0) out vec4 color;

uvec4 group_at(int group, int row) {
  uint b0 = texelFetch(bytes, ivec2(group * 5, row), 0).r;
  uint b1 = texelFetch(bytes, ivec2(group * 5 + 1, row), 0).r;
  uint b2 = texelFetch(bytes, ivec2(group * 5 + 2, row), 0).r;
  uint b3 = texelFetch(bytes, ivec2(group * 5 + 3, row), 0).r;
  uint b4 = texelFetch(bytes, ivec2(group * 5 + 4, row), 0).r;
  return uvec4(b0 << 2 | b1 >> 6, (b1 & 63u) << 4 | b2 >> 4, (b2 & 15u) << 6 | b3 >> 2, (b3 & 3u) << 8 | b4);
}

void main() {
  ivec2 pixel = ivec2(int(gl_FragCoord.x), size.y - 1 - int(gl_FragCoord.y));
  int group = pixel.x / 2;
  uvec4 here = group_at(group, pixel.y);
  bool odd = (pixel.x & 1) == 1;
  float luma = (float(odd ? here.w : here.y) - 64.0) / 876.0;
  vec2 chroma = vec2(here.xz);
  if (odd) chroma = (chroma + vec2(group_at(min(group + 1, size.x / 2 - 1), pixel.y).xz)) * 0.5;
  chroma = (chroma - 512.0) / 896.0;
  vec3 rgb = vec3(luma + 1.5748 * chroma.y, luma - 0.187324 * chroma.x - 0.468124 * chroma.y, luma + 1.8556 * chroma.x);
  color = vec4(clamp(rgb, 0.0, 1.0), 1.0);
}
