import en from '../words/en.json'
import { speak } from './words.ts'

/** What the client speaks, each with its own name. */
export const languages = { en: 'English', es: 'Español', de: 'Deutsch', ar: 'العربية' } as const
export type Language = keyof typeof languages

const place = 'afterglow.language'
const rightToLeft = new Set<string>(['ar'])
/** English comes with the page; the others when they are spoken. */
const words = {
  en: async () => ({ default: en }),
  es: () => import('../words/es.json'),
  de: () => import('../words/de.json'),
  ar: () => import('../words/ar.json'),
}

const spoken = (tag: string): Language | undefined =>
  (Object.keys(languages) as Language[]).find(language => language === tag.toLowerCase().split('-')[0])

/** What was chosen here, else what the browser prefers, else English. */
export const openLanguage = () => {
  const chosen = spoken(localStorage.getItem(place) ?? '')
  return wear(chosen ?? navigator.languages.map(spoken).find(language => language !== undefined) ?? 'en')
}

const wear = async (language: Language) => {
  try {
    speak(language, (await words[language]()).default)
  } catch {
    // Its words did not arrive: what is spoken stays.
    return
  }
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
}

export const chooseLanguage = async (language: Language) => {
  localStorage.setItem(place, language)
  await wear(language)
}

export const directionOf = (language: string): 'rtl' | 'ltr' => (rightToLeft.has(language) ? 'rtl' : 'ltr')
