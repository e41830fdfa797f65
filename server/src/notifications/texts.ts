import type { Locale } from '@afterglow/contract/languages'
import { momentIn } from '../words/moments.ts'
import { isSaid, listOf, type Phrase, say, type Values } from '../words/words.ts'
import type { NotificationKind } from './notices.ts'

/** The changes to an event that guests are notified of. */
export type EventPart = 'name' | 'time' | 'place'

/** The values of a notification's text: names, user text, numbers and times, independent of any language. */
export type TextValues = {
  /** The actor; omitted if there is no single one any more. */
  actor?: string
  event?: string
  /** The beginning of the user's text. */
  text?: string
  emoji?: string
  /** The fate of their request. */
  gone?: { of: 'message' | 'comment'; fate: 'deleted' | 'hidden' }
  changed?: readonly EventPart[]
  /** When the event begins (ISO 8601), and its time zone. */
  startsAt?: string
  timezone?: string
  place?: string
  reported?: 'user' | 'event' | 'message' | 'photo' | 'comment'
  /** How many photos it stands for, and how many people besides the one who added the newest. */
  photos?: number
  others?: number
  /** The photos shown in a push. */
  shown?: readonly number[]
  /** For a whole event: by how many people, and how many like the most loved one. */
  people?: number
  likes?: number
  /** The webhook's creator lost their standing. */
  forsaken?: boolean
}

/** A reader's language and time zone. */
export type Reader = { language: Locale; timezone: string }

export type NotificationContent = {
  kind: string
  count: number
  text_values: unknown
  /** For notifications from before texts were rendered on reading. */
  title: string | null
  body: string | null
}
export type Text = { title: string; body: string }

/** A notification's text for a reader. */
export const textOf = ({ kind, count, text_values, title, body }: NotificationContent, reader: Reader): Text => {
  if (text_values === null) return { title: title ?? '', body: body ?? '' }
  const values = text_values as TextValues
  const way = ways[kind as NotificationKind] ?? plainly
  return way(values, { ...reader, kind, count, t: saying(reader, kind) })
}

type Translate = (path: string, values: Values) => string
type TextContext = Reader & { kind: string; count: number; t: Translate }

const saying =
  ({ language }: Reader, kind: string): Translate =>
  (path, values) =>
    say(language, `notifications.${kind}.${path}`, values)

/** A title and a body of these values, or the variants for nobody in particular, or for several acts. */
const plainly = (values: TextValues, { language, kind, count, t }: TextContext): Text => {
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

/** Kinds with additional text. */
const ways: Partial<Record<NotificationKind, (values: TextValues, telling: TextContext) => Text>> = {
  event_changed: (values, telling) => {
    const { t, language } = telling
    const { actor, event, changed = [], place } = values
    const parts = changed.map(part => say(language, `notifications.parts.${part}`)).filter(Boolean)
    // In the venue's local time.
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

  // Earlier unread changes are counted; how many people made them is no longer known.
  photos_added: ({ actor, event, photos, others }, { t, count }) => ({
    title: t('title', { event }),
    body: t(others === 0 && photos === count ? 'body' : 'several', { actor, count }),
  }),

  photos_revealed: ({ event, photos = 0, people = 0 }, { t }) => ({
    title: t('title', { event }),
    body: t('body', {
      photos: { phrase: t('photos', { count: photos }) },
      people: { phrase: t('people', { count: people }) },
    }),
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

  webhook_off: ({ event, forsaken }, { t }) => ({
    title: event === undefined ? t('titleOfNone', {}) : t('title', { event }),
    body: t(forsaken ? 'forsaken' : 'body', {}),
  }),
}
