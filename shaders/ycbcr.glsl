// Third part of the Y'CbCr shaders. Quantization: ITU-R BT.709-6, item 3.4, video range ("narrow").
// Chroma is sited on the even pixels (4:2:2, co-sited); odd pixels take the mean of their neighbours, the last pixel of a row
// its left neighbour's. The same arithmetic on the CPU: wall-client/display/capture/to_rgb.cpp.
uvec4 group_at(int group, int row);  // Cb Y0 Cr Y1

// scale: 1 for 8 bits, 4 for 10 bits.
vec4 rgb_of(ivec2 pixel, float scale) {
  int group = pixel.x / 2;
  bool odd = (pixel.x & 1) == 1;
  vec4 here = vec4(group_at(group, pixel.y));
  vec2 chroma = here.xz;
  if (odd) chroma = (chroma + vec2(group_at(min(group + 1, size.x / 2 - 1), pixel.y).xz)) * 0.5;
  chroma = (chroma - 128.0 * scale) / (224.0 * scale);
  float luma = ((odd ? here.w : here.y) - 16.0 * scale) / (219.0 * scale);
  vec3 rgb = vec3(luma + matrix.x * chroma.y, luma - matrix.y * chroma.x - matrix.z * chroma.y, luma + matrix.w * chroma.x);
  return vec4(clamp(rgb, 0.0, 1.0), 1.0);
}
