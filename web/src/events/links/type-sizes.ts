/*
 * Sizes of type on a printed page, in hundredths of its width: as large as the words allow, so that a short name is read
 * from across a room and a long one is not cut.
 */

const count = (text: string) => Array.from(text).length
/** Scripts that break between any two letters. */
const anywhere = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
/** How wide a letter is, of its size. */
const letter = 0.65
const widthOfTitle = 86

export const sizeOfTitle = (title: string): number => {
  const length = count(title)
  const byLength = length <= 12 ? 12 : length <= 24 ? 10 : length <= 44 ? 8 : length <= 70 ? 6.4 : 5.4
  if (anywhere.test(title)) return Math.min(byLength, 8)
  const longest = Math.max(...title.split(/[\s\-–—/]+/).map(count))
  return Math.max(3.4, Math.min(byLength, widthOfTitle / (letter * longest)))
}

/** Of the line that says when, and of a place under it. */
export const sizeOfPlace = (place: string | null): number => {
  const length = count(place ?? '')
  return length <= 90 ? 3.4 : length <= 160 ? 2.8 : 2.4
}

/** Each of an address's two parts on a line, or both on one. */
export const sizeOfAddress = (host: string, code: string, width: number): number => {
  const onOne = width / (letter * count(host + code))
  const onTwo = width / (letter * Math.max(count(host), count(code)))
  return onOne >= 3.4 ? Math.min(5, onOne) : Math.max(2.2, Math.min(4.4, onTwo))
}
