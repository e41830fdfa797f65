import type { Locale } from '@afterglow/contract/languages'
import { aheadMs } from '../events/local-time.ts'
import { say } from '../words/words.ts'
import type { GuestAnswerRow } from './answers-store.ts'

/** Spreadsheets expect a semicolon where the point of a number is a comma, or an Arabic one. */
const separatorOf = (language: Locale) =>
  language.startsWith('ar') || new Intl.NumberFormat(language).format(0.5).includes(',') ? ';' : ','

/** By the venue's clock, in the form that every spreadsheet takes for a time. */
const clockOf = (at: Date, zone: string) =>
  new Date(at.getTime() + aheadMs(zone, at.getTime())).toISOString().slice(0, 16).replace('T', ' ')

/** A table for spreadsheets: with a mark by which they know UTF-8. */
export const answersCsv = (rows: readonly GuestAnswerRow[], language: Locale, zone: string): string => {
  const separator = separatorOf(language)
  const word = (name: string) => say(language, `answers.${name}`)
  const stateOf = (row: GuestAnswerRow) => (row.line != null ? 'line' : (row.answer ?? 'none'))
  const lines = [
    ['name', 'answer', 'plus', 'plusNames', 'note', 'answeredAt'].map(word),
    ...rows.map(row => [
      [row.first_name, row.middle_name, row.last_name].filter(Boolean).join(' '),
      word(stateOf(row)),
      row.answer === 'no' ? '' : (row.plus ?? ''),
      row.plus_names ?? '',
      row.note ?? '',
      row.answered_at ? clockOf(row.answered_at, zone) : '',
    ]),
  ]
  return `\ufeff${lines.map(cells => `${cells.map(cell).join(separator)}\r\n`).join('')}`
}

/** A spreadsheet would run what begins like a formula. */
const formula = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u

const cell = (value: string | number) => {
  const text = String(value)
  const harmless = formula.test(text) ? `'${text}` : text
  return /[",;\r\n\t]/.test(harmless) || harmless !== harmless.trim() ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
