/** What is printed: to hang up, to lay out, to hand over, and `cards`: four for tables on one page, to be cut. */
export type Form = 'poster' | 'large' | 'sheet' | 'card' | 'cards'
/** In millimetres, upright. */
export type Paper = { id: string; form: Form; size: string; width: number; height: number }

const paper = (form: Form, size: string, width: number, height: number): Paper => ({
  id: `${form} ${size}`,
  form,
  size,
  width,
  height,
})

const a = [
  paper('poster', 'A4', 210, 297),
  paper('large', 'A3', 297, 420),
  paper('sheet', 'A5', 148, 210),
  paper('card', 'A6', 105, 148),
  paper('cards', 'A4', 210, 297),
]
const american = [
  paper('poster', 'Letter', 215.9, 279.4),
  paper('large', 'Tabloid', 279.4, 431.8),
  paper('sheet', 'Half Letter', 139.7, 215.9),
  paper('card', '4 × 6″', 101.6, 152.4),
  paper('cards', 'Letter', 215.9, 279.4),
]

/** Where Letter lies in the printer. */
const lettered = /^(?:US|CA|MX|PH|CL|CO|CR|GT|NI|PA|PR|SV|VE|DO)$/
const regionHere = () => {
  try {
    return new Intl.Locale(navigator.language).maximize().region ?? ''
  } catch {
    return ''
  }
}

/** Those of the reader's region first. */
export const papersHere = (): readonly Paper[] =>
  lettered.test(regionHere()) ? [...american, ...a] : [...a, ...american]

/** The picture of the event above the words, all over the page behind them, or a strip of it that spares ink. */
export const looks = ['above', 'behind', 'strip'] as const
export type Look = (typeof looks)[number]
