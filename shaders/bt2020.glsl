// Second part of the Y'CbCr shaders of walls with BT.2020 primaries. Matrix: ITU-R BT.2020-2, table 4, and BT.2100-2,
// table 6 (Kr = 0.2627, Kb = 0.0593), as in bt709.glsl.
const vec4 matrix = vec4(1.4746, 0.164553, 0.571353, 1.8814);
