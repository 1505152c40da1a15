#version 450 core
// Compressed blocks, which the sampler decodes: RGB, 8 bits, full range. It stands alone: its texture is not of words.
layout(binding = 0) uniform sampler2D blocks;
layout(location = 0) uniform ivec2 size;  // of the tile
layout(location = 0) out vec4 color;

// Rows are counted from the top, fragments from the bottom.
void main() {
  color = vec4(texelFetch(blocks, ivec2(int(gl_FragCoord.x), size.y - 1 - int(gl_FragCoord.y)), 0).rgb, 1.0);
}
