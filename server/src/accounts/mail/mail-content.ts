import type { Locale } from '@afterglow/contract/languages'
import type { Letter } from '../../platform/mail/letter.ts'
import { directionOf, isSaid, say, type Values } from '../../words/words.ts'

/** The subject of a mail, with the names it mentions. */
export type Subject =
  | { about: 'verifyEmail'; code: string }
  | { about: 'resetPassword'; code: string }
  | { about: 'passwordChanged' }
  /** With the code that undoes it. */
  | { about: 'emailChanged'; code: string }
  | { about: 'loginOptionAdded'; provider: string }
  | { about: 'invitation'; inviter: string; event: string; code: string; card: Card }
  /** The newest of this many items, as they are listed elsewhere. */
  | { about: 'digest'; count: number; items: readonly Item[] }

/** When and where an event takes place, and the path of its picture. */
export type EventCard = { when: string; place: string | null; cover: string }
/** Its picture only if the service knows its own address. */
type Card = Omit<EventCard, 'cover'> & { cover?: string }

type Item = { title: string; body: string }

/** The sentences of a mail. `action` describes its link; without a link, only the code is shown. */
type Sentences = { subject: string; paragraphs: string[]; action?: string | undefined }

// Line breaks would begin a header, and direction overrides would let a name rewrite the sentence around it.
const unruly = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu
const nameLengthMax = 100

/** A name chosen by the operator, harmless in a line of either direction. */
const tame = (name: string, lengthMax = nameLengthMax) => {
  const line = [...name.replaceAll(unruly, ' ').trim()]
  const short = line.length > lengthMax ? `${line.slice(0, lengthMax - 1).join('')}…` : line.join('')
  return `\u2068${short}\u2069`
}

// Mail programs turn these into links automatically, and text from strangers must lead nowhere. Full-width dots are
// dots, too.
const separators = /:\s*\/[/\s]*/g
const joints = /[.。．｡](?=\p{L})|@(?=\S)/gu
/** Characters that pad a name without saying much. */
const chosenLengthMax = 60
/** A name possibly chosen by someone other than the mail's recipient. */
const chosen = (name: string) => tame(name.replaceAll(separators, ' ').replaceAll(joints, '$& '), chosenLengthMax)

const markup: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, sign => markup[sign] as string)

const itemLengthMax = 200
/** A sentence of ours containing people's words, which are already isolated from its direction. */
const tameSentence = (text: string) => {
  const line = [
    ...text
      .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
      .replaceAll(separators, ' ')
      .replaceAll(joints, '$& '),
  ]
  return line.length > itemLengthMax ? `${line.slice(0, itemLengthMax - 1).join('')}…` : line.join('')
}

const tamed = (subject: Subject): Subject => {
  if (subject.about === 'digest') {
    const items = subject.items.map(({ title, body }) => ({ title: tameSentence(title), body: tameSentence(body) }))
    return { ...subject, items }
  }
  if (subject.about === 'invitation') {
    const { place, ...card } = subject.card
    const known = { ...card, place: place && chosen(place) }
    return { ...subject, inviter: chosen(subject.inviter), event: chosen(subject.event), card: known }
  }
  return subject.about === 'loginOptionAdded' ? { ...subject, provider: tame(subject.provider) } : subject
}

/**
 * A mail in the recipient's language, as text and HTML. `unsubscribe` is the address where a POST ends such mails (RFC
 * 8058); a browser is asked to confirm first. `link` is omitted if the service does not know its own address: a link
 * made from a request's Host header would lead wherever an attacker wishes.
 */
export const mailFor = (subject: Subject, language: Locale, to: To): Letter => {
  const { about, ...all } = tamed(subject)
  const { items, card, ...of } = { items: [], card: undefined, ...all }
  const left = 'count' in all ? all.count - items.length : 0
  // Names are already isolated, whichever way they read.
  const saying = (path: string, values: Values = {}) => say(language, `mail.${path}`, values, name => name)
  const sayIf = (path: string) => (isSaid(language, `mail.${path}`) ? saying(path, of) : undefined)
  const parts: Parts = {
    subject: saying(`${about}.subject`, of),
    paragraphs: [`${about}.paragraph1`, `${about}.paragraph2`].map(sayIf).filter(said => said !== undefined),
    action: sayIf(`${about}.action`),
    greeting: to.name && saying('greeting', { name: chosen(to.name) }),
    items,
    card: card && 'event' in all ? { ...card, name: all.event } : undefined,
    more: left > 0 && saying('digest.more', { count: left }),
    code: 'code' in all ? all.code : undefined,
    codeLabel: saying('codeLabel'),
    footer: sayIf(`${about}.footer`) ?? saying('footer'),
    link: to.link,
    unsubscribe: to.unsubscribe && { link: to.unsubscribe, label: saying('unsubscribe.act') },
  }
  const letter = { subject: parts.subject, text: textOf(parts), html: htmlOf(language, parts) }
  return to.unsubscribe ? { ...letter, unsubscribe: to.unsubscribe } : letter
}

type To = { name?: string; link?: string; unsubscribe?: string }

type Parts = Sentences & {
  greeting: string | undefined
  code: string | undefined
  codeLabel: string
  footer: string
  items: readonly Item[]
  card: (Card & { name: string }) | undefined
  /** Says that there are more items. */
  more: string | false
  link: string | undefined
  unsubscribe: { link: string; label: string } | '' | undefined
}

const textOf = ({
  greeting,
  paragraphs,
  items,
  card,
  more,
  action,
  code,
  codeLabel,
  footer,
  link,
  unsubscribe,
}: Parts) =>
  [
    greeting,
    card && [card.name, card.when, card.place].filter(Boolean).join('\n'),
    ...paragraphs,
    ...items.map(({ title, body }) => [`• ${title}`, body && `  ${body}`].filter(Boolean).join('\n')),
    more,
    code && `${codeLabel}: ${code}`,
    action && link && `${action}:\n${link}`,
    [`--\n${footer}`, unsubscribe && `${unsubscribe.label}:\n${unsubscribe.link}`].filter(Boolean).join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n')

/** The web client's colours in light mode (`web/src/app/style.css`), for a mail and for the page its link opens. */
export const mailStyles = {
  page: 'margin:0;padding:24px;background:#fff9f3;color:#2b1c15',
  card: 'max-width:520px;margin:auto;padding:24px;background:#fff;border-radius:20px',
  cover: 'display:block;width:100%;height:auto;border-radius:12px',
  button: 'border-radius:26px;background:#b93a0a;color:#fff',
  footer: 'color:#6e5a4e',
}

const htmlOf = (language: Locale, parts: Parts) => {
  const { subject, greeting, paragraphs, items, card, more, action, code, codeLabel, footer, link, unsubscribe } = parts
  const lines = [greeting, ...paragraphs].filter(line => line !== undefined && line !== '')
  return [
    `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(subject)}</title></head>`,
    `<body dir="${directionOf(language)}" style="${mailStyles.page};font:16px/1.5 system-ui,sans-serif">`,
    // Webmail keeps neither the page nor its body.
    `<div dir="${directionOf(language)}" lang="${language}" style="${mailStyles.card};text-align:start">`,
    card?.cover && `<img src="${escaped(card.cover)}" alt="" width="472" style="${mailStyles.cover}">`,
    card &&
      `<p><strong style="font-size:20px">${escaped(card.name)}</strong><br>${[card.when, card.place]
        .filter(line => line !== null)
        .map(escaped)
        .join('<br>')}</p>`,
    ...lines.map(line => `<p>${escaped(line as string)}</p>`),
    ...items.map(({ title, body }) => `<p><strong>${escaped(title)}</strong><br>${escaped(body)}</p>`),
    more && `<p>${escaped(more)}</p>`,
    code &&
      `<p>${escaped(codeLabel)}: <strong dir="ltr" style="display:block;font-size:20px;white-space:nowrap">${escaped(code)}</strong></p>`,
    action &&
      link &&
      `<p><a href="${escaped(link)}" style="${mailStyles.button};display:inline-block;padding:12px 20px;text-decoration:none">${escaped(action)}</a></p>`,
    `<p style="font-size:13px;${mailStyles.footer}">${escaped(footer)}${unsubscribe ? ` <a href="${escaped(unsubscribe.link)}">${escaped(unsubscribe.label)}</a>` : ''}</p>`,
    '</div></body></html>',
  ]
    .filter(Boolean)
    .join('\n')
}
