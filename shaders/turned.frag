#version 450 core
// A tile on a panel that hangs turned. The arithmetic is that of common/wall/turn.h; only here are rows counted from the
// bottom.
layout(binding = 0) uniform sampler2D tile;
layout(location = 0) uniform ivec2 heights;  // of the panel, and of the tile
layout(location = 1) uniform ivec2 from;     // the tile's pixel that the panel's first one shows, from the top
layout(location = 2) uniform ivec2 right;    // one pixel to the panel's right
layout(location = 3) uniform ivec2 down;     // one row of the panel down
layout(location = 0) out vec4 color;
void main() {
  ivec2 pixel = ivec2(int(gl_FragCoord.x), heights.x - 1 - int(gl_FragCoord.y));
  ivec2 shown = from + right * pixel.x + down * pixel.y;
  color = texelFetch(tile, ivec2(shown.x, heights.y - 1 - shown.y), 0);
}
