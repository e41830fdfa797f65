import { directionOf } from '@afterglow/contract/texts'
import { ours } from './public-path.ts'
import './storage/storage.ts'
import { speak, type Tree } from './words.ts'

/** The texts of each language. The service lists the likely ones in the page, so they load along with the code. */
export const files = import.meta.glob<string>('./*.json', {
  base: '../words/',
  query: '?url',
  import: 'default',
  eager: true,
})
const fileOf = (language: string | undefined) => files[`./${language}.json`]

const place = `${ours}.language`
const againAfterMs = 1000

/** The language chosen here, else the browser's preference, else English. */
export const openLanguage = async () => {
  const wanted = [localStorage.getItem(place), ...navigator.languages].map(tag => tag?.split('-')[0])
  // Nothing is rendered without texts.
  while (!(await wear(wanted.find(fileOf) ?? 'en'))) await new Promise(resolve => setTimeout(resolve, againAfterMs))
}

/** True if its texts arrived; otherwise the current language stays. */
const wear = async (lang: string) => {
  const words: Tree | false | undefined = await fetch(fileOf(lang) as string)
    .then(reply => reply.ok && reply.json())
    .catch(() => {})
  if (words) {
    speak(lang, words)
    document.documentElement.lang = lang
    document.dir = directionOf(lang)
  }
  return words
}

export const chooseLanguage = (language: string) => {
  localStorage.setItem(place, language)
  return wear(language)
}
