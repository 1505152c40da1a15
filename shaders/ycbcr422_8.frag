// Y'CbCr 4:2:2, 8 bits, with the matrix of the wall (ycbcr.glsl): the four bytes of a pixel group are Cb Y0 Cr Y1 (RFC 4175 section 4.3).
uvec4 group_at(int group, int row) {
  uint bytes = texelFetch(words, ivec2(group, row), 0).r;
  return uvec4(bytes, bytes >> 8, bytes >> 16, bytes >> 24) & 255u;
}
void main() { color = rgb_of(this_pixel(), 1.0); }
