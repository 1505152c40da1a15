// Y'CbCr 4:2:2, 10 bits, with the matrix of the wall (ycbcr.glsl): the five bytes of a pixel group are Cb Y0 Cr Y1, 10 bits each, most
// significant bit first (RFC 4175 section 4.3, GStreamer's UYVP).
uvec4 group_at(int group, int row) {
  uint bytes = bytes_from(group * 5, row);
  uint last = bytes_from(group * 5 + 4, row) & 255u;
  uvec4 b = uvec4(bytes, bytes >> 8, bytes >> 16, bytes >> 24) & 255u;
  return uvec4(b.x << 2 | b.y >> 6, (b.y & 63u) << 4 | b.z >> 4, (b.z & 15u) << 6 | b.w >> 2, (b.w & 3u) << 8 | last);
}
void main() { color = rgb_of(this_pixel(), 4.0); }
