import type { Language } from '../../platform/http/language.ts'
import type { Letter } from '../../platform/mail/mailer.ts'
import { type Sentences, type Subject, type Words, wordsOf } from './words.ts'

// Line ends would begin a header, and overrides of direction would let a name rewrite the sentence around it.
const unruly = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu
const nameLengthMax = 100

/** A name that an operator chose, harmless in a line of either direction. */
const tame = (name: string, lengthMax = nameLengthMax) => {
  const line = [...name.replaceAll(unruly, ' ').trim()]
  const short = line.length > lengthMax ? `${line.slice(0, lengthMax - 1).join('')}…` : line.join('')
  return `\u2068${short}\u2069`
}

// Mail programs make links of these by themselves, and a stranger's words must lead nowhere. Full-width dots are dots, too.
const separators = /:\s*\/[/\s]*/g
const joints = /[.。．｡](?=\p{L})|@(?=\S)/gu
/** What fills a name, and says little else. */
const chosenLengthMax = 60
/** A name that somebody may have chosen for whom it reaches. */
const chosen = (name: string) => tame(name.replaceAll(separators, ' ').replaceAll(joints, '$& '), chosenLengthMax)

const markup: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, sign => markup[sign] as string)

const tamed = (subject: Subject): Subject => {
  if (subject.about === 'invitation')
    return { ...subject, inviter: chosen(subject.inviter), event: chosen(subject.event) }
  return subject.about === 'loginOptionAdded' ? { ...subject, provider: tame(subject.provider) } : subject
}

/**
 * One mail in somebody's language, as text and as HTML. `link` is left out where the service does not know its own
 * address: a link made from what a request called us would lead wherever a stranger wishes.
 */
export const letterOf = (subject: Subject, language: Language, to: { name?: string; link?: string }): Letter => {
  const words = wordsOf[language]
  const of = tamed(subject)
  const sentences = (words[of.about] as (of: Subject) => Sentences)(of)
  const code = 'code' in of ? of.code : undefined
  const parts = { ...sentences, greeting: to.name && words.greeting(chosen(to.name)), code, link: to.link }
  return { subject: sentences.subject, text: textOf(words, parts), html: htmlOf(words, language, parts) }
}

type Parts = Sentences & { greeting: string | undefined; code: string | undefined; link: string | undefined }

const textOf = (words: Words, { greeting, paragraphs, action, code, link }: Parts) =>
  [
    greeting,
    ...paragraphs,
    code && `${words.codeLabel}: ${code}`,
    action && link && `${action}:\n${link}`,
    `--\n${words.footer}`,
  ]
    .filter(Boolean)
    .join('\n\n')

const htmlOf = (words: Words, language: Language, { subject, greeting, paragraphs, action, code, link }: Parts) => {
  const lines = [greeting, ...paragraphs].filter(line => line !== undefined && line !== '')
  const button =
    'display:inline-block;padding:12px 20px;border-radius:8px;background:#8a3ffc;color:#fff;text-decoration:none'
  return [
    `<!doctype html><html lang="${language}" dir="${words.direction}"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`,
    '<body style="margin:0;padding:24px;background:#f6f3fa;font:16px/1.5 system-ui,sans-serif;color:#1d1626">',
    '<div style="max-width:520px;margin:auto;padding:24px;background:#fff;border-radius:12px">',
    ...lines.map(line => `<p>${escaped(line as string)}</p>`),
    code && `<p>${escaped(words.codeLabel)}: <strong dir="ltr" style="font-size:20px">${escaped(code)}</strong></p>`,
    action && link && `<p><a href="${escaped(link)}" style="${button}">${escaped(action)}</a></p>`,
    `<p style="font-size:13px;color:#6b6375">${escaped(words.footer)}</p>`,
    '</div></body></html>',
  ]
    .filter(Boolean)
    .join('\n')
}
