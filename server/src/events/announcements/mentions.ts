import type { Capability } from '@afterglow/contract/capabilities'
import { usernameLengthMax, usernameLengthMin } from '@afterglow/contract/limits'
import type { Db } from '../../platform/database/database.ts'
import { membersNamed } from '../members/members-store.ts'

/* Mentions: `@username` in text. */

/** The usernames that one `@` may mean, in lower case, longest first: full stops after it may be part of the name. */
export type Mention = readonly string[]

/** Neither inside an e-mail address, a path or a longer word, nor at the start of an address at another service. */
const written = /(?<![\p{L}\p{M}\p{N}_%+@/-])@([A-Za-z0-9._-]+)(?![\p{L}\p{M}\p{N}@._-])/gu
const isMark = (character: string | undefined) => character === '.' || character === '-' || character === '_'

export const mentionsIn = (text: string): Mention[] =>
  [...text.matchAll(written)]
    .map(([, name = '']) => possibleNames(name.toLowerCase()))
    .filter(names => names.length > 0)

const possibleNames = (name: string) => {
  let least = name.length
  while (isMark(name[least - 1])) least--
  const names: string[] = []
  for (let length = name.length; length >= Math.max(least, usernameLengthMin); length--)
    if (length <= usernameLengthMax) names.push(name.slice(0, length))
  return names
}

/** The mentions added by an edit; undefined if there are none. */
export const addedMentions = (before: string, after: string): Mention[] | undefined => {
  const known = new Set(mentionsIn(before).flat())
  const added = mentionsIn(after)
    .map(names => names.filter(name => !known.has(name)))
    .filter(names => names.length > 0)
  return added.length > 0 ? added : undefined
}

/** The mentions that a text still contains, perhaps after another edit. */
export const stillIn = (text: string, mentions: readonly Mention[]): Mention[] => {
  const names = new Set(mentionsIn(text).flat())
  return mentions.map(each => each.filter(name => names.has(name)))
}

type EventMentions = { eventId: number; mentions: readonly Mention[] }

/** The people that each mention means: those in its event who may read such texts. */
export const mentionedPeople = async (
  db: Db,
  all: readonly EventMentions[],
  toRead: Capability,
): Promise<ReadonlySet<number>[]> => {
  const names = [...new Set(all.flatMap(({ mentions }) => mentions.flat()))]
  if (names.length === 0) return all.map(() => new Set())
  const rows = await membersNamed(
    db,
    names,
    all.map(({ eventId }) => eventId),
    toRead,
  )
  const people = new Map(rows.map(row => [`${row.event_id} ${row.name}`, row.user_id]))
  return all.map(({ eventId, mentions }) => {
    const meant = (names: Mention) => names.map(name => people.get(`${eventId} ${name}`)).find(id => id !== undefined)
    return new Set(mentions.map(meant).filter(id => id !== undefined))
  })
}
