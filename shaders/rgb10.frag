// RGB, 10 bits, full range: no matrix. The 15 bytes of a pixel group are R G B of four pixels, 10 bits each, most
// significant bit first (RFC 4175 section 4.3): a pixel's 30 bits begin within a byte.
void main() {
  ivec2 pixel = this_pixel();
  int bit = (pixel.x & 3) * 30;
  int byte = pixel.x / 4 * 15 + bit / 8;
  uint bytes = bytes_from(byte, pixel.y);
  uvec4 b = uvec4(bytes, bytes >> 8, bytes >> 16, bytes >> 24) & 255u;
  uint skipped = uint(bit & 7);
  uint bits = (b.x << 24 | b.y << 16 | b.z << 8 | b.w) << skipped;
  if (skipped > 2u) bits |= (bytes_from(byte + 4, pixel.y) & 255u) >> (8u - skipped);
  color = vec4(vec3(uvec3(bits >> 22, bits >> 12, bits >> 2) & 1023u) / 1023.0, 1.0);
}
