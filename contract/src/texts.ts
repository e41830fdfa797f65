/** How a text gets its values, for the service and the client alike: `{{name}}` stands for one. */

export type Direction = 'ltr' | 'rtl'

const rightToLeftLanguages = new Set(['ar', 'fa', 'he', 'ur'])
export const directionOf = (language: string): Direction => (rightToLeftLanguages.has(language) ? 'rtl' : 'ltr')

/** Texts at even positions, names of values at odd ones. */
export const piecesOf = (text: string): string[] => text.split(/\{\{(\w+)\}\}/)

// Without the flag v, which some browsers in use do not know.
const rightToLeftLetter =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Samaritan}\p{Script=Mandaic}]/u
const leftToRightLetter = new RegExp(`(?!${rightToLeftLetter.source})\\p{L}`, 'u')
/** Marks, embeddings and isolates: with one of them a name could turn the sentence around it. */
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

export const undirected = (words: string): string => words.replace(turning, '')

/** A value in a sentence of this direction. One that reads the other way is isolated with FSI and PDI. */
export const isolated = (words: string, direction: Direction): string => {
  const plain = undirected(words)
  const turns = direction === 'ltr' ? rightToLeftLetter : leftToRightLetter
  return turns.test(plain) ? `\u2068${plain}\u2069` : plain
}
