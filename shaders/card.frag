#version 450 core
// An image painted by the CPU (patterns, labels, the reason why no frame is shown), blended over the tile by its alpha. No matrix:
// sRGB, full range, as painted.
layout(binding = 0) uniform sampler2D card;
layout(location = 0) uniform ivec2 size;   // of the tile
layout(location = 1) uniform ivec2 place;  // of the card's top left on the tile, from the top
layout(location = 0) out vec4 color;
void main() {
  ivec2 pixel = ivec2(int(gl_FragCoord.x), size.y - 1 - int(gl_FragCoord.y));
  color = texelFetch(card, pixel - place, 0);
}
