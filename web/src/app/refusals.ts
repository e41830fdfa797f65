import { templateOf } from './refusal-template.ts'
import { speech } from './words.ts'

/* Loaded with the first refusal. A sentence of the contract is its own key. */

const files: Record<string, () => Promise<{ default: Record<string, string> }>> = {
  ar: () => import('../refusals/ar.json'),
  de: () => import('../refusals/de.json'),
  en: () => import('../refusals/en.json'),
  es: () => import('../refusals/es.json'),
}

export type Say = (text: string, field?: string) => string

/** Says in the language that is spoken now what the service refused with; what it does not know stays as it is. */
export const openRefusals = async (): Promise<Say> => {
  const { language, number } = speech.get()
  const known = (await files[language]?.())?.default ?? {}
  const megabytes = new Intl.NumberFormat(language, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 })
  return (text, field) => {
    const { template, values } = templateOf(text, field)
    return (known[template] ?? text)
      .replace(':types', values.types ?? '')
      .replace(':size', megabytes.format(Number(values.kilobytes) / 1024))
      .replace(':number', number.format(Number(values.number)))
  }
}
