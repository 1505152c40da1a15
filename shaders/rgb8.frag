// RGB, 8 bits, full range: no matrix, shown unchanged.
void main() {
  ivec2 pixel = this_pixel();
  uint rgb = bytes_from(pixel.x * 3, pixel.y);
  color = vec4(vec3(uvec3(rgb, rgb >> 8, rgb >> 16) & 255u) / 255.0, 1.0);
}
