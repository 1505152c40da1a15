#version 450 core
// RGB, 8 bits, as it lies in an RFC 4175 pixel group: one RGB8 texel for one pixel, shown unchanged.
layout(binding = 0) uniform sampler2D picture;
layout(location = 0) uniform ivec2 size;
layout(location = 0) out vec4 color;
void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  color = vec4(texelFetch(picture, ivec2(pixel.x, size.y - 1 - pixel.y), 0).rgb, 1.0);
}
