#version 450 core
// Y'CbCr 4:2:2, 8 bits: an RGBA8UI texel is the pixel group Cb Y0 Cr Y1 of two pixels (RFC 4175 section 4.3).
// Matrix: ITU-R BT.709-6, item 3.2 (Kr = 0.2126, Kb = 0.0722); quantization: item 3.4, video range.
// Chroma is sited on the even pixels (item 3.3); odd pixels take the mean of their neighbours.
// The same arithmetic on the CPU: wall-client/present/to_rgb.cpp.
layout(binding = 0) uniform usampler2D groups;
layout(location = 0) uniform ivec2 size;
layout(location = 0) out vec4 color;
void main() {
  ivec2 pixel = ivec2(int(gl_FragCoord.x), size.y - 1 - int(gl_FragCoord.y));
  int group = pixel.x / 2;
  uvec4 here = texelFetch(groups, ivec2(group, pixel.y), 0);
  bool odd = (pixel.x & 1) == 1;
  uvec4 next = texelFetch(groups, ivec2(min(group + 1, size.x / 2 - 1), pixel.y), 0);
  float luma = (float(odd ? here.w : here.y) - 16.0) / 219.0;
  vec2 chroma = vec2(here.xz);
  if (odd) chroma = (chroma + vec2(next.xz)) * 0.5;
  chroma = (chroma - 128.0) / 224.0;
  vec3 rgb = vec3(luma + 1.5748 * chroma.y, luma - 0.187324 * chroma.x - 0.468124 * chroma.y, luma + 1.8556 * chroma.x);
  color = vec4(clamp(rgb, 0.0, 1.0), 1.0);
}
