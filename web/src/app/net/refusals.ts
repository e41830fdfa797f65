/// <reference types="vite/types/importMeta.d.ts" />

import { speech } from '../words.ts'
import { templateOf } from './refusal-template.ts'

/* Loaded with the first refusal. */

/** By the code of a refusal; by the sentence about a field or a film, which `web/build` puts in place of its name. */
export type Refusals = { codes: Record<string, string>; sentences: Record<string, string> }

const files = import.meta.glob<Refusals>('./*.json', {
  base: '../../words/',
  query: '?refusals',
  import: 'default',
})

/** A refusal's message, with its code or, about a field, its sentence. */
export type RefusalMessage = { text: string; code?: string | undefined; field?: string | undefined }
export type Say = (said: RefusalMessage) => string

/** Translates the service's refusal into the current language; unknown ones stay as they are. */
export const openRefusals = async (): Promise<Say> => {
  const { language, locale, number } = speech.get()
  const { codes, sentences } = (await files[`./${language}.json`]?.()) ?? { codes: {}, sentences: {} }
  const megabytes = new Intl.NumberFormat(locale, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 })
  return ({ text, code, field }) => {
    const { template, values } = templateOf(text, field)
    const words = (code !== undefined && codes[code]) || sentences[template]
    return (words ?? text)
      .replace(':quoted', () => values.quoted ?? '')
      .replace(':size', megabytes.format(Number(values.kilobytes) / 1024))
      .replace(':number', number.format(Number(values.number)))
  }
}
