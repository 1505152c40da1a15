#version 450 core
// The stream's frame while the wall fades: its code values times the brightness. The same on the CPU:
// wall-client/display/headless_display.cpp.
layout(binding = 0) uniform sampler2D picture;
layout(location = 0) uniform float brightness;
layout(location = 0) out vec4 color;
void main() { color = vec4(texelFetch(picture, ivec2(gl_FragCoord.xy), 0).rgb * brightness, 1.0); }
