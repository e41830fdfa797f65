import { speech } from '../app/words.ts'
import { sentencesOf, templateOf } from './reason-template.ts'

/* Loaded with the first trace. A sentence of the contract is its own key, and so is a push service's name. */

const files: Record<string, () => Promise<{ default: Record<string, string> }>> = {
  ar: () => import('../reasons/ar.json'),
  de: () => import('../reasons/de.json'),
  en: () => import('../reasons/en.json'),
  es: () => import('../reasons/es.json'),
}

/** Says in the language that is spoken now why a notification came; what it does not know stays as it is. */
export const openReasons = async (): Promise<(text: string) => string> => {
  const { language, number } = speech.get()
  const known = (await files[language]?.())?.default ?? {}
  const services = Object.keys(known).filter(key => !key.endsWith('.'))
  const seconds = new Intl.NumberFormat(language, { style: 'unit', unit: 'second', unitDisplay: 'long' })
  const say = (sentence: string) => {
    const { template, values } = templateOf(sentence, services)
    return known[template]
      ?.replace(':service', known[values.service ?? ''] ?? '')
      .replace(':status', values.status ?? '')
      .replace(':seconds', seconds.format(Number(values.seconds)))
      .replace(':tries', number.format(Number(values.tries)))
  }
  return text =>
    sentencesOf(text)
      .map(sentence => say(sentence) ?? sentence)
      .join(' ')
}
