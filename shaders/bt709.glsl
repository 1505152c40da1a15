// Second part of the Y'CbCr shaders of most walls. Matrix: ITU-R BT.709-6, item 3.2 (Kr = 0.2126, Kb = 0.0722).
// As in common/pixel/colour.h: Cr of red, Cb and Cr of green, Cb of blue.
const vec4 matrix = vec4(1.5748, 0.187324, 0.468124, 1.8556);
