import { speech } from '../app/words.ts'

/* Loaded with the first trace. Words for each code, and for each push service. */

const files: Record<string, () => Promise<{ default: Record<string, string> }>> = {
  ar: () => import('../reasons/ar.json'),
  de: () => import('../reasons/de.json'),
  en: () => import('../reasons/en.json'),
  es: () => import('../reasons/es.json'),
}

type Values = { service: string; status: number; seconds: number; tries: number }
type Reason = { code: string } & { [Name in keyof Values]?: Values[Name] | undefined }
/** Reasons as a trace gives them: in English, and as codes. */
type Given = { reason: string; extra?: { reasons: readonly Reason[] } | undefined }

/** Says in the language that is spoken now why a notification came; with a code that it does not know, all in English. */
export const openReasons = async (): Promise<(given: Given) => string> => {
  const { language, number } = speech.get()
  const known = (await files[language]?.())?.default ?? {}
  const seconds = new Intl.NumberFormat(language, { style: 'unit', unit: 'second', unitDisplay: 'long' })
  const say = ({ code, ...values }: Reason) =>
    known[code]
      ?.replace(':service', known[values.service ?? ''] ?? '')
      .replace(':status', String(values.status))
      .replace(':seconds', seconds.format(values.seconds ?? 0))
      .replace(':tries', number.format(values.tries ?? 0))
  return ({ reason, extra }) => {
    const said = extra?.reasons.map(say)
    return said?.every(words => words !== undefined) ? said.join(' ') : reason
  }
}
