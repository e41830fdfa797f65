import type { Language } from '../../platform/http/language.ts'
import { arabic } from './words-ar.ts'
import { german } from './words-de.ts'
import { english } from './words-en.ts'
import { spanish } from './words-es.ts'

/** What a mail is about, with the names it mentions. */
export type Subject =
  | { about: 'verifyEmail'; code: string }
  | { about: 'resetPassword'; code: string }
  | { about: 'passwordChanged' }
  | { about: 'emailChanged' }
  | { about: 'loginOptionAdded'; provider: string }
  | { about: 'invitation'; inviter: string; event: string; code: string }

/** One mail's sentences. `action` is what its link does; without a link the code alone is shown, under `codeLabel`. */
export type Sentences = { subject: string; paragraphs: string[]; action?: string }

/** One language: every mail, or it does not compile. */
export type Words = {
  direction: 'ltr' | 'rtl'
  greeting(name: string): string
  codeLabel: string
  /** Why this mail came, below all. */
  footer: string
} & { [About in Subject['about']]: (of: Extract<Subject, { about: About }>) => Sentences }

export const wordsOf: Record<Language, Words> = { en: english, es: spanish, de: german, ar: arabic }
