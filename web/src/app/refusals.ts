/// <reference types="vite/types/importMeta.d.ts" />

import { templateOf } from './refusal-template.ts'
import { speech } from './words.ts'

/* Loaded with the first refusal. A sentence of the contract is its own key. */

const files = import.meta.glob<Record<string, string>>('./*.json', {
  base: '../words/',
  query: '?refusals',
  import: 'default',
})

export type Say = (text: string, field?: string) => string

/** Translates the service's refusal into the current language; unknown ones stay as they are. */
export const openRefusals = async (): Promise<Say> => {
  const { language, number } = speech.get()
  const known = (await files[`./${language}.json`]?.()) ?? {}
  const megabytes = new Intl.NumberFormat(language, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 })
  return (text, field) => {
    const { template, values } = templateOf(text, field)
    return (known[template] ?? text)
      .replace(':types', values.types ?? '')
      .replace(':size', megabytes.format(Number(values.kilobytes) / 1024))
      .replace(':number', number.format(Number(values.number)))
  }
}
