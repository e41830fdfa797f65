import type { Language } from '@afterglow/contract/languages'
import { isSaid, listOf, momentIn, type Phrase, say, type Values } from '../words/words.ts'
import type { NotificationKind } from './notices.ts'

/** What of an event can change so that guests are told. */
export type EventPart = 'name' | 'time' | 'place'

/** What the text of a notification is made of: names, words of people, numbers and moments, in no language. */
export type TextValues = {
  /** Who did it; left out when it is nobody's in particular any more. */
  actor?: string
  event?: string
  /** The beginning of what somebody wrote. */
  text?: string
  emoji?: string
  /** What became of what they wrote. */
  gone?: { of: 'message' | 'comment'; fate: 'deleted' | 'hidden' }
  changed?: readonly EventPart[]
  /** When the event begins (ISO 8601), and the zone that it is in. */
  startsAt?: string
  timezone?: string
  place?: string
  reported?: 'user' | 'event' | 'message' | 'photo' | 'comment'
  /** How many photos it tells of itself, and of how many people besides who added the newest. */
  photos?: number
  others?: number
  /** Which photos a push shows. */
  shown?: readonly number[]
  /** Of a whole event: by how many people, and how many like the most loved one. */
  people?: number
  likes?: number
}

/** In which language somebody reads, and on which clock. */
export type Reader = { language: Language; timezone: string }

export type Told = {
  kind: string
  count: number
  text_values: unknown
  /** Of what was told before texts were made when they are read. */
  title: string | null
  body: string | null
}
export type Text = { title: string; body: string }

/** What a notification says to whom. */
export const textOf = ({ kind, count, text_values, title, body }: Told, reader: Reader): Text => {
  if (text_values === null) return { title: title ?? '', body: body ?? '' }
  const values = text_values as TextValues
  const way = ways[kind as NotificationKind] ?? plainly
  return way(values, { ...reader, kind, count, t: saying(reader, kind) })
}

type Saying = (path: string, values: Values) => string
type Telling = Reader & { kind: string; count: number; t: Saying }

const saying =
  ({ language }: Reader, kind: string): Saying =>
  (path, values) =>
    say(language, `notifications.${kind}.${path}`, values)

/** A title and a body of these values, or in their place what there is for nobody in particular, or for several acts. */
const plainly = (values: TextValues, { language, kind, count, t }: Telling): Text => {
  const { actor, event, text, emoji, gone } = values
  const variant = actor === undefined ? 'nameless' : count > 1 ? 'more' : undefined
  const counted = variant === 'more' ? count - 1 : count
  const part = (name: 'title' | 'body') => {
    const own = variant !== undefined && isSaid(language, `notifications.${kind}.${variant}.${name}`)
    return t(own ? `${variant}.${name}` : name, { actor, event, text, emoji, count: own ? counted : count })
  }
  return {
    title: part('title') || 'Afterglow',
    body: gone ? say(language, `notifications.gone.${gone.of}.${gone.fate}`) : part('body'),
  }
}

const whenOf = ({ startsAt }: TextValues, { language, timezone }: Reader): Phrase | undefined =>
  startsAt === undefined ? undefined : momentIn(language, new Date(startsAt), timezone)

/** Those whose text has more to it. */
const ways: Partial<Record<NotificationKind, (values: TextValues, telling: Telling) => Text>> = {
  event_changed: (values, telling) => {
    const { t, language } = telling
    const { actor, event, changed = [], place } = values
    const parts = changed.map(part => say(language, `notifications.parts.${part}`)).filter(Boolean)
    // On the clock of where it is.
    const when = whenOf(values, { ...telling, timezone: values.timezone ?? telling.timezone })
    const sentences = [
      t('body', { actor, changed: listOf(language, parts) }),
      changed.includes('time') && when && t('when', { when }),
      changed.includes('place') && place && t('where', { place }),
    ]
    return { title: t('title', { event }), body: sentences.filter(Boolean).join(' ') }
  },

  reminder: (values, telling) => {
    const { t } = telling
    const { event, place } = values
    const sentences = [t('body', { when: whenOf(values, telling) }), place && t('where', { place })]
    return { title: t('title', { event }), body: sentences.filter(Boolean).join(' ') }
  },

  // What was told before and is not read yet is counted, and nobody knows any more of how many people.
  photos_added: ({ actor, event, photos, others }, { t, count }) => ({
    title: t('title', { event }),
    body: t(others === 0 && photos === count ? 'body' : 'several', { actor, count }),
  }),

  recap: ({ event, photos = 0, people = 0, likes = 0 }, { t }) => {
    const counted = (path: string, count: number): Phrase => ({ phrase: t(path, { count }) })
    const sentences = [
      t('body', { photos: counted('photos', photos), people: counted('people', people) }),
      likes > 0 && t('loved', { likes: counted('likes', likes) }),
    ]
    return { title: t('title', { event }), body: sentences.filter(Boolean).join(' ') }
  },

  report: ({ event, reported = 'event' }, { t }) => ({
    title: event === undefined ? t('titleOfNone', {}) : t('title', { event }),
    body: t(reported, {}),
  }),

  webhook_off: ({ event }, { t }) => ({
    title: event === undefined ? t('titleOfNone', {}) : t('title', { event }),
    body: t('body', {}),
  }),
}
