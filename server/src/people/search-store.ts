import { type RawBuilder, sql } from 'kysely'
import type { Person } from '../accounts/persons.ts'
import { roleMay } from '../events/standing-sql.ts'
import type { Db } from '../platform/database/database.ts'
import { allRows } from '../platform/database/rows.ts'

/** How many index entries one search reads for strangers: however broad, it lists no more of them than this. */
export const strangersMax = 200
/** For each similar word. */
const alikeEntriesMax = 40
const alikeWordsMax = 20
/** The most similar combinations of two words: each costs 4 µs. */
const areasMax = 100
/** If fewer people than this match by spelling, similar names are searched as well. */
const likenessBelow = 20

export type FoundPerson = Person & { friend: boolean }
type Row = FoundPerson & { found: number }
type Range = { offset: number; limit: number }

/**
 * The people whom a text finds for one viewer, best first. Every word of the text must begin a word of the name, or the
 * whole text the username; if that finds few, similar words count too. Friends come first, then people from shared
 * events, then strangers, of whom a broad text shows the first `strangersMax`. Within each group, the exact username
 * comes first, then matches by spelling in order of name, then similar names; ties are broken by ID.
 */
export const searchPeople = async (db: Db, viewerId: number, name: string, range: Range): Promise<FoundPerson[]> => {
  const spelt = await find(db, viewerId, name, range, false)
  const rows = (spelt[0]?.found ?? 0) < likenessBelow ? await find(db, viewerId, name, range, true) : spelt
  return rows.filter(row => row.id !== null)
}

/** Always at least one row, for `found`; without a person on it if the page is empty. */
const find = (db: Db, viewerId: number, name: string, { offset, limit }: Range, alike: boolean) => allRows<Row>(db)`
    with asked as materialized (${asked(name)}),
    alternatives as materialized (${alternatives(alike)}),
    areas as materialized (${areas}),
    ${alike ? sql`trigrams as materialized (${trigrams}),` : sql``}
    circle as (${circle(viewerId)}),
    near as materialized (${near(alike)}),
    strangers as (${strangers(alike)}),
    found as materialized (
      select * from (
        select user_id, min(circle) as circle, bool_or(exact) as exact, max(likeness) as likeness, min(lead) as lead, '' as other
        from near group by user_id
        union all
        select user_id, 2, exact, likeness, lead, other from strangers s
        where not exists (select from near n where n.user_id = s.user_id)
      ) f
      where user_id <> ${viewerId}
        and user_id not in (select other_id from blocked_pairs where user_id = ${viewerId})
    ),
    shown as (select * from found order by ${relevance} offset ${offset} limit ${limit})
    select c.found, u.id, u.first_name, u.middle_name, u.last_name, u.username, u.visible, u.avatar_media_id, u.avatar_ending,
      s.circle = 0 as friend
    from (select count(*) as found from found) c
    left join (shown s join users u on u.id = s.user_id) on true
    order by ${relevance}`

const relevance = sql`circle, exact desc, likeness desc, lead, other, user_id`

/** Greater than every text that continues the same prefix. */
const last = sql`chr(1114111)`

/**
 * The words of the text, longest first, at most six; a word that begins another one adds nothing. `typed` is the whole
 * text if a username could begin with it.
 */
const asked = (name: string) => sql`
  with words as (select distinct word from unnest(words_of(${name}, 20)) as word),
  telling as (
    select word from words w
    where not exists (select from words o where o.word <> w.word and starts_with(o.word, w.word))
    order by char_length(word) desc, word limit 6
  )
  select array(select word from telling order by char_length(word) desc, word) as words,
    array(select '% ' || word || '%' from telling) as beginnings,
    case when folded(${name}) ~ '^@?[^@\\s]+$' then left(ltrim(folded(${name}), '@'), 64) end as typed`

/** Candidates for the first two words of the text: everything that begins with them, and similar words. */
const alternatives = (alike: boolean) => sql`
  select place, word as first, word || ${last} as beyond, 1::real as likeness
  from asked, unnest(words[1:2]) with ordinality as t (word, place)
  ${alike ? sql`union all ${alikeWords}` : sql``}`

const alikeWords = sql`
  select place, alike.word, alike.word || chr(1), alike.likeness
  from asked, unnest(words[1:2]) with ordinality as t (word, place), words_alike(t.word, ${sql.lit(alikeWordsMax)}) as alike`

/** Rectangles of the index: the leading word lies in one range, the other word in the second. */
const areas = sql`
  select a.first, a.beyond, coalesce(b.first, '') as other_first, coalesce(b.beyond, ${last}) as other_beyond,
    a.likeness * coalesce(b.likeness, 1) as likeness
  from alternatives a left join alternatives b on b.place = 2
  where a.place = 1
  union all
  select typed, typed || ${last}, '', chr(1), 1 from asked where typed is distinct from words[1] and typed <> ''
  order by likeness desc limit ${sql.lit(areasMax)}`

/** The first entries in the index's own order, so that only what is read is sorted. */
const strangers = (alike: boolean) => sql`
  select distinct on (user_id) user_id, lead, other, likeness,
    other = '' and lead = (select typed from asked) as exact
  from (
    select w.user_id, w.lead, w.other, a.likeness
    from areas a cross join lateral (
      select w.user_id, w.lead, w.other from user_words w
      where w.lead >= a.first and w.lead < a.beyond and w.other >= a.other_first and w.other < a.other_beyond
        and ${furtherWordsMatch(alike)}
      order by w.lead, w.other, w.user_id limit ${sql.lit(alike ? alikeEntriesMax : strangersMax)}) w
    order by a.likeness desc, w.lead, w.other, w.user_id limit ${sql.lit(strangersMax)}
  ) as entries
  order by user_id, exact desc, likeness desc, lead, other`

/** From the third word on, the text only has to match some word of the same person. */
const furtherWordsMatch = (
  alike: boolean,
) => sql`((select cardinality(words) < 3 from asked) or w.other = '' or not exists (
  select from asked, unnest(words[3:]) as further
  where not exists (
    select from user_words x where x.user_id = w.user_id
      and ((x.lead >= further and x.lead < further || ${last}) ${alike ? sql`or similarity(x.lead, further) >= 0.4` : sql``}))))`

/**
 * Friends, and the people of the events the viewer is currently in, as lines of their words with a space around each.
 * `offset 0` has each line composed once without a table of them all, which took 1 ms for five thousand guests.
 */
const circle = (viewerId: number) => sql`
  select * from (
    select friend_id as user_id, 0 as circle, ' ' || found_by || ' ' as line from friendships where user_id = ${viewerId}
    union all
    select l.user_id, 1, ' ' || l.found_by || ' '
    from members g join events e on e.id = g.event_id and e.deleted_at is null join guest_lines l on l.event_id = g.event_id
    where g.user_id = ${viewerId} and (not e.guests_hidden or ${roleMay(sql`g.role`, 'manage')})
  ) everybody offset 0`

/**
 * The trigrams of each word that a similar one may hold, but for its first letter alone: by the definition of
 * similarity it holds two in five of all. Counting them takes 2 µs a line where similarity takes 6.
 */
const trigrams = sql`
  select word, place, array(
    select '% ' || left(word, 2) || '%'
    union select '%' || substr(word || ' ', at, 3) || '%' from generate_series(1, char_length(word) - 1) as at) as pieces
  from asked, unnest(words) with ordinality as w (word, place)`
const holdsEnough = (pieces: RawBuilder<unknown>) => sql`
  (select count(*) from unnest(${pieces}) as piece where c.line like piece) >= 0.4 * (cardinality(${pieces}) + 1) - 1`

/** Matches among the viewer's circle. */
const near = (alike: boolean) => sql`
  select * from (
    select c.user_id, c.circle, c.line as lead, ${alike ? likenessOfLine : sql`1::real`} as likeness,
      right(c.line, char_length(typed) + 2) = ' ' || typed || ' ' as exact
    from asked, circle c
    where ${alike ? mayBeAlike : sql`words <> '{}' and c.line like all (beginnings)`}
      or strpos(c.line, ' ' || typed) > 0
    offset 0) as lines
  where likeness > 0`

const piecesOf = (place: number) => sql`(select pieces from trigrams where place = ${sql.lit(place)})::text[]`
const mayBeAlike = sql`c.line like any (${piecesOf(1)}) and c.line like any (coalesce(${piecesOf(2)}, '{%}'))
      and ${holdsEnough(piecesOf(1))}`

/** As for strangers: 1 for words with that prefix, and nothing if a word is neither a prefix match nor similar. */
const likenessOfLine = sql`(
  select case when strpos(c.line, ' ' || typed) > 0 then 1
    when bool_and(one >= 0.4) then exp(sum(ln(greatest(one, 0.01))))::real else 0 end
  from (
    select case when strpos(c.line, ' ' || word) > 0 then 1
      when char_length(word) > 2 and ${holdsEnough(sql`pieces`)} then strict_word_similarity(word, c.line) else 0 end as one
    from trigrams offset 0) w)`
