#version 450 core
// A picture painted by the CPU (patterns, labels, why there is no picture), blended over what is there by its alpha.
layout(binding = 0) uniform sampler2D card;
layout(location = 0) uniform ivec2 size;
layout(location = 0) out vec4 color;
void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  color = texelFetch(card, ivec2(pixel.x, size.y - 1 - pixel.y), 0);
}
