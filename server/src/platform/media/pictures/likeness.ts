/** Grey values, one byte per pixel. */
export type Grey = { data: Buffer; width: number; height: number }

/** Not 8: a JPEG's blocks would hide their edges between the windows. */
const side = 7
const [darkest, flattest] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2]

/**
 * How alike two pictures of the same size are to the eye: SSIM (Wang et al. 2004), the mean over square windows; 1 for
 * the same pixels.
 */
export const likenessOf = (one: Grey, other: Grey): number => {
  const { width, height } = one
  const count = side * side
  let sum = 0
  let windows = 0
  for (let top = 0; top + side <= height; top += side) {
    for (let left = 0; left + side <= width; left += side) {
      let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0]
      for (let y = top; y < top + side; y++) {
        for (let at = y * width + left, end = at + side; at < end; at++) {
          const [p, q] = [one.data[at] as number, other.data[at] as number]
          a += p
          b += q
          aa += p * p
          bb += q * q
          ab += p * q
        }
      }
      const [meanA, meanB] = [a / count, b / count]
      const [varianceA, varianceB] = [aa / count - meanA ** 2, bb / count - meanB ** 2]
      const together = ab / count - meanA * meanB
      sum +=
        ((2 * meanA * meanB + darkest) * (2 * together + flattest)) /
        ((meanA ** 2 + meanB ** 2 + darkest) * (varianceA + varianceB + flattest))
      windows += 1
    }
  }
  return windows === 0 ? 1 : sum / windows
}
