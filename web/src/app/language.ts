import ar from '../words/ar.json?url'
import de from '../words/de.json?url'
import en from '../words/en.json?url'
import es from '../words/es.json?url'
import { speak, type Tree } from './words.ts'

/** What the client speaks, each with its own name. */
export const languages = { en: 'English', es: 'Español', de: 'Deutsch', ar: 'العربية' } as const
export type Language = keyof typeof languages

const place = 'afterglow.language'
const rightToLeft = new Set<string>(['ar'])
/** Where the words of each lie. The service names the likely ones in the page, so they come beside the code. */
const words = { en, es, de, ar }
const againAfterMs = 1000

const spoken = (tag: string): Language | undefined =>
  (Object.keys(languages) as Language[]).find(language => language === tag.toLowerCase().split('-')[0])

/** What was chosen here, else what the browser prefers, else English. */
export const openLanguage = async () => {
  const chosen = spoken(localStorage.getItem(place) ?? '')
  const language = chosen ?? navigator.languages.map(spoken).find(language => language !== undefined) ?? 'en'
  // Nothing is drawn without words.
  while (!(await wear(language))) await new Promise(resolve => setTimeout(resolve, againAfterMs))
}

/** Whether its words arrived; if not, what is spoken stays. */
const wear = async (language: Language): Promise<boolean> => {
  try {
    const reply = await fetch(words[language])
    if (!reply.ok) return false
    speak(language, (await reply.json()) as Tree)
  } catch {
    return false
  }
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
  return true
}

export const chooseLanguage = async (language: Language) => {
  localStorage.setItem(place, language)
  await wear(language)
}

export const directionOf = (language: string): 'rtl' | 'ltr' => (rightToLeft.has(language) ? 'rtl' : 'ltr')
