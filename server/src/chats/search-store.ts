import { sql } from 'kysely'
import type { InEvent } from '../events/standing.ts'
import type { Db } from '../platform/database/database.ts'
import { allValues } from '../platform/database/rows.ts'
import type { Range } from './store.ts'

/*
 * Message search: every word of the query, the last one by its beginning, ignoring case and accents. Text without
 * spaces is indexed by characters, and must occur exactly as in the query, in either kana. Emoji are in no index: they
 * are looked for in what the other words find, or else in the newest messages.
 */

/** At most this many of a chat's newest matches can be listed, which limits the cost of a common word. */
const findsMax = 1000

/** The scripts that `message_words` splits into characters. */
const spaceless = /[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u9FFF\uF900-\uFAFF]/

const emoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u
/** How many messages are read for emoji alone, in all chats together. */
const readMax = 100_000

/** A chat, and whether what people wrote whom the viewer blocks is excluded. */
export type Searched = { chat: { id: number } & InEvent; folds: boolean }
type Search = { viewerId: number; chats: readonly Searched[]; text: string }

/** IDs of the messages found in these chats, newest first. */
export const searchMessages = async (db: Db, { viewerId, chats, text }: Search, { offset, limit }: Range) => {
  const query = await queryOf(db, text)
  const enough = Math.min(offset + limit, findsMax)
  const asWritten = text.split(/\s+/u).filter(word => spaceless.test(word) || emoji.test(word))
  if (offset >= findsMax || chats.length === 0 || (query === undefined && !asWritten.some(word => emoji.test(word))))
    return []
  const readOfEach = Math.ceil(readMax / chats.length)
  // The blocks of a chat are scanned from the newest one, and the scan ends at the limit: nothing is sorted before it.
  return allValues<number>(db)`
    select m.id from group_chats c cross join lateral (
      select m.id, m.created_at
      from generate_series(c.last_sequence >> 13, 0, -1) as back (block) cross join lateral (
        select id, created_at from messages
        where deleted_at is null and hidden_at is null and ${
          query === undefined ? newest(readOfEach) : holds(query)
        } ${wholeWords(asWritten)} ${writtenByOthers(viewerId, chats)}
        order by sequence desc
      ) m limit ${enough}
    ) m
    where c.id = any(${chats.map(({ chat }) => chat.id)}::bigint[])
    order by m.created_at desc, m.id desc offset ${offset} limit ${limit}`
}

const holds = (query: string) => sql`message_terms(group_chat_id, sequence, content)
            @@ replace(${query}, ${blockMark}, message_block(c.id, back.block))::tsquery`
const newest = (most: number) => sql`group_chat_id = c.id and sequence > c.last_sequence - ${most}
            and sequence >> 13 = back.block`

/** 400 blocks, sent with each of 40 chats, cost the process 60 ms a search. */
const writtenByOthers = (viewerId: number, chats: readonly Searched[]) => {
  const folding = chats.flatMap(({ chat, folds }) => (folds ? chat.id : []))
  if (folding.length === 0) return sql``
  return sql`and not (group_chat_id = any(${folding}::bigint[]) and exists (
    select from blocks b where b.blocker_id = ${viewerId} and b.blocked_id = user_id))`
}

const wholeWords = (words: readonly string[]) =>
  words.length === 0
    ? sql``
    : sql`and in_katakana(folded(content)) like all (array(
        select '%' || regexp_replace(in_katakana(folded(word)), '[\\\\%_]', '\\\\\\&', 'g') || '%' from unnest(${words}::text[]) word))`

/** A placeholder for the block in a query; no word contains it. */
const blockMark = '\u0001'

/** The words of a query as PostgreSQL splits them, so that both sides are split alike; undefined if it has none. */
const queryOf = async (db: Db, text: string): Promise<string | undefined> => {
  const { rows } = await sql<{ words: string[]; last: string[] }>`
    select message_words(${text}) as words, message_words(${lastWord(text)}) as last`.execute(db)
  const { words, last } = rows[0] as { words: string[]; last: string[] }
  if (words.length === 0) return undefined
  const ends = new Set(last)
  return words
    .map(word => {
      const end = ends.has(word) ? ':*' : ''
      const spellings = [...new Set([word, inOtherKana(word)])]
      const terms = spellings.map(each => `'${blockMark}${each.replaceAll(/['\\]/g, '$&$&')}'${end}`)
      return `(${terms.join(' | ')})`
    })
    .join(' & ')
}

const kanaApart = 0x60
/** Hiragana in katakana, and the other way round; everything else as it is. */
const inOtherKana = (word: string) =>
  word.replaceAll(/[\u3041-\u3096]|[\u30a1-\u30f6]/g, letter =>
    String.fromCharCode(letter.charCodeAt(0) + (letter < '\u30a0' ? kanaApart : -kanaApart)),
  )

const lastWord = (text: string) => text.split(/\s+/u).at(-1) ?? ''
