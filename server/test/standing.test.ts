import { userStatus } from '@afterglow/contract/accounts/user'
import { can, type Role, rolesThatMay, type Standing } from '@afterglow/contract/capabilities'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listAlbum } from '../src/albums/album-store.ts'
import { chatsOfViewer, findChat } from '../src/chats/store.ts'
import { idsOfMembers, lockStanding } from '../src/events/members/members-store.ts'
import { openMembership } from '../src/events/members/membership-cache.ts'
import { isShownTo, requireMay } from '../src/events/standing.ts'
import { insertEvent, readEvent } from '../src/events/store.ts'
import { maySeeComment, maySeePhoto } from '../src/gallery/access.ts'
import {
  findComment,
  insertComment,
  insertReply,
  listComments,
  listReplies,
} from '../src/gallery/comments/comments-store.ts'
import { listByMoment } from '../src/gallery/lists/moments-store.ts'
import { listMostLiked } from '../src/gallery/lists/most-liked-store.ts'
import { countByQuarter } from '../src/gallery/lists/timeline-store.ts'
import { setCommentHidden, setPhotoHidden } from '../src/gallery/moderation/hide-store.ts'
import { findGallery, findPhoto, insertPhoto, listPhotos } from '../src/gallery/store.ts'
import type { Transaction } from '../src/platform/database/database.ts'
import { cloneDatabase } from './app.ts'

/*
 * capabilities.ts and standing.ts define permissions and visibility; standing-sql.ts repeats them in SQL. Here every
 * statement that rests on these is checked against the rules, on rows as they occur.
 */

const { db } = await cloneDatabase()

class Undone extends Error {}
/** In a transaction that is rolled back. */
const undone = (work: (tx: Transaction) => Promise<void>) =>
  db
    .transaction()
    .execute(async tx => {
      await work(tx)
      throw new Undone()
    })
    .catch(error => {
      if (!(error instanceof Undone)) throw error
    })

const newPerson = async (name: string) => {
  const { rows } = await sql<{ id: number }>`
    insert into users (first_name, last_name, username, email, status, timezone)
    values (${name}, 'Person', ${name}, ${`${name}@example.com`}, 1, 'UTC') returning id`.execute(db)
  return rows[0]?.id as number
}
const host = await newPerson('host')
const people = await Promise.all(['anna', 'berta', 'carla', 'dora'].map(newPerson))
const screen = await newPerson('screen')

const eventOf = (tx: Transaction) =>
  insertEvent(tx, host, {
    name: 'Picnic',
    description: null,
    starts_at: new Date(),
    ends_at: null,
    location: null,
  } as never)

// ---- standings ----

type Facts = {
  guest: 'never' | 'left' | 'removed' | Exclude<Role, 'owner'>
  asked: boolean
  invited: boolean
  suspended: boolean
}

const factsOf: fc.Arbitrary<Facts> = fc.record({
  guest: fc.constantFrom('never', 'left', 'removed', ...rolesThatMay('read').filter(role => role !== 'owner')),
  asked: fc.boolean(),
  invited: fc.boolean(),
  suspended: fc.boolean(),
})

const standingOf = ({ guest, asked, invited }: Facts): Standing => {
  if (guest !== 'never' && guest !== 'left' && guest !== 'removed') return guest
  if (asked) return 'asked'
  if (invited) return 'invited'
  return guest === 'removed' ? 'removed' : 'none'
}

const write = async (tx: Transaction, eventId: number, userId: number, { guest, ...facts }: Facts) => {
  if (guest !== 'never')
    await sql`insert into guests (event_id, user_id, role, ended_at, removed)
      values (${eventId}, ${userId}, ${guest === 'left' || guest === 'removed' ? 'guest' : guest}, ${guest === 'left' || guest === 'removed' ? new Date() : null},
        ${guest === 'removed'})`.execute(tx)
  await sql`insert into join_requests (event_id, user_id, status, sequence)
    values (${eventId}, ${userId}, ${facts.asked ? 'asked' : 'rejected'}, ${userId})`.execute(tx)
  await sql`insert into invitations (event_id, user_id, invited_by, status)
    values (${eventId}, ${userId}, ${host}, ${facts.invited ? 'open' : 'declined'})`.execute(tx)
  if (facts.suspended) await sql`update users set status = ${userStatus.suspended} where id = ${userId}`.execute(tx)
}

const membership = openMembership()

test('every door and list agrees on a person’s standing', async () => {
  const each = fc.tuple(...people.map(() => factsOf))
  await fc.assert(
    fc.asyncProperty(each, all =>
      undone(async tx => {
        const eventId = await eventOf(tx)
        for (const [at, facts] of all.entries()) await write(tx, eventId, people[at] as number, facts)
        const chatId = (await readEvent(tx, host, eventId))?.chat_id as number
        const inside = all.flatMap((facts, at) => (can(standingOf(facts), 'read') ? [people[at] as number] : []))
        expect(new Set(await idsOfMembers(tx, eventId))).toEqual(new Set([host, ...inside]))
        for (const [at, facts] of all.entries()) {
          const id = people[at] as number
          const standing = standingOf(facts)
          const { rows } = await sql`
            select standing from standings where event_id = ${eventId} and user_id = ${id}`.execute(tx)
          expect(rows).toEqual(standing === 'none' ? [] : [{ standing }])
          // A suspended user has no standing.
          const asks = facts.suspended ? 'none' : standing
          expect(await lockStanding(tx, id, eventId)).toBe(asks)
          expect((await readEvent(tx, id, eventId))?.standing).toBe(asks)
          const within = can(asks, 'read') ? asks : 'none'
          expect((await findChat(tx, id, chatId))?.standing).toBe(within)
          expect((await findGallery(tx, id, eventId))?.standing).toBe(within)
          expect((await chatsOfViewer(tx, id)).map(chat => chat.id)).toEqual(can(standing, 'read') ? [chatId] : [])
          expect(await membership.eventsOf(tx, id)).toEqual(
            can(standing, 'read') ? [{ id: eventId, role: standing }] : [],
          )
        }
      }),
    ),
    { numRuns: 25 },
  )
})

// ---- visibility ----

/** As a door returns it: the permission to hide is not tested here. */
const proved = (id: number) => requireMay({ id, standing: 'organizer' }, 'moderate', 'notOrganizer')

const by = fc.nat({ max: 2 })
const written = { by, hidden: fc.boolean() }
const album = fc.array(
  fc.record({
    ...written,
    sealed: fc.constantFrom(undefined, 'guests' as const, 'everybody' as const),
    waits: fc.boolean(),
    comments: fc.array(fc.record({ ...written, replies: fc.array(fc.record(written), { maxLength: 2 }) }), {
      maxLength: 3,
    }),
  }),
  { minLength: 1, maxLength: 5 },
)

const newMedia = async (tx: Transaction, eventId: number, ownerId: number) => {
  const { rows } = await sql<{ id: number }>`
    insert into media (event_id, owner_id, original_sha256, original_bytes, original_type, width, height, thumbhash, variants)
    values (${eventId}, ${ownerId}, '00', 1, 'image/png', 1, 1, '', '{}') returning id`.execute(tx)
  return rows[0]?.id as number
}

test('every list leaves out what the rule hides from a viewer, and nothing else', async () => {
  const [organizer, ...guests] = people as [number, ...number[]]
  const page = { offset: 0, limit: 50 }
  const idsOf = (rows: readonly { id: number }[]) => new Set(rows.map(({ id }) => id))
  await fc.assert(
    fc.asyncProperty(album, photos =>
      undone(async tx => {
        const eventId = await eventOf(tx)
        for (const [at, id] of people.entries())
          await write(tx, eventId, id, {
            guest: at === 0 ? 'organizer' : 'guest',
            asked: false,
            invited: false,
            suspended: false,
          })
        await sql`
          insert into event_links (event_id, code_hash, nonce, created_by, role, viewer_id)
          values (${eventId}, '\\x01', '\\x02', ${host}, 'screen', ${screen})`.execute(tx)
        const authorOf = (one: { by: number }) => guests[one.by] as number
        const made: { id: number; commentIds: number[] }[] = []
        for (const photo of photos) {
          const takenBy = authorOf(photo)
          const mediaId = await newMedia(tx, eventId, takenBy)
          const id = (await insertPhoto(tx, {
            eventId,
            mediaId,
            takenBy,
            attachmentId: null,
            caption: null,
            altText: null,
          })) as number
          const commentIds: number[] = []
          const hiding: number[] = []
          for (const comment of photo.comments) {
            const parentId = (await insertComment(tx, {
              photoId: id,
              userId: authorOf(comment),
              text: 'Nice',
            })) as number
            const replies: number[] = []
            for (const reply of comment.replies) {
              const replyId = await insertReply(tx, { photoId: id, parentId, userId: authorOf(reply), text: 'Yes' })
              replies.push(replyId as number)
              if (reply.hidden) hiding.push(replyId as number)
            }
            commentIds.push(parentId, ...replies)
            if (comment.hidden) hiding.push(parentId)
          }
          for (const hidden of hiding) await setCommentHidden(tx, proved(hidden), true)
          if (photo.hidden) await setPhotoHidden(tx, proved(id), true)
          else if (photo.sealed)
            await sql`update photos set hidden_at = now(), sealed_from = ${photo.sealed} where id = ${id}`.execute(tx)
          await sql`update photos set waits = ${photo.waits} where id = ${id}`.execute(tx)
          made.push({ id, commentIds })
        }

        for (const id of [organizer, ...guests, screen]) {
          const standing = id === organizer ? 'organizer' : id === screen ? 'screen' : 'guest'
          const viewer = { id }
          const seen = new Set<number>()
          for (const [at, photo] of made.entries()) {
            const facts = photos[at] as (typeof photos)[number]
            const row = await findPhoto(tx, id, photo.id)
            if (!row) throw new Error('no photo')
            const shown = isShownTo(
              { id, standing },
              {
                hiddenAt: facts.hidden || facts.sealed ? new Date() : null,
                authorId: authorOf(facts),
                waits: facts.waits,
                ...(!facts.hidden && { sealedFrom: facts.sealed ?? null }),
              },
            )
            expect(maySeePhoto(viewer, row)).toBe(shown)
            if (shown) seen.add(photo.id)
            if (!can(standing, 'browse')) continue
            const comments = await Promise.all(photo.commentIds.map(commentId => findComment(tx, id, commentId)))
            const visible = comments.filter(comment => comment !== undefined && maySeeComment(viewer, comment))
            const beneath = (parentId: number | null) =>
              idsOf(visible.flatMap(comment => (comment && comment.parent_id === parentId ? [comment] : [])))
            expect(idsOf(await listComments(tx, id, photo.id, page))).toEqual(beneath(null))
            for (const comment of comments)
              if (comment && comment.parent_id === null)
                expect(idsOf(await listReplies(tx, id, comment.id, page))).toEqual(beneath(comment.id))
          }
          const list = { eventId, takenBy: undefined, newestFirst: true, detailed: false }
          const listed = async (...asked: [typeof list, typeof page]) =>
            (await listPhotos(tx, id, ...asked))?.page.rows ?? []
          const zip = { eventId, viewerId: id, takenBy: null, liked: false, choiceId: null, upTo: 99 }
          const zipped = (hidden: boolean) => listAlbum(tx, { ...zip, hidden, size: 'full' }, 0, 99)
          const lists = [
            await listed(list, page),
            await listed({ ...list, newestFirst: false }, page),
            (await listByMoment(tx, id, { ...list, standing }, page)).rows,
            (await listMostLiked(tx, id, { ...list, standing }, page)).rows,
            await zipped(true),
          ]
          for (const rows of lists) expect(idsOf(rows)).toEqual(seen)
          // A zip has what others do not see only for those who ask for it by name.
          const open = made.filter((_, at) => !(photos[at]?.hidden || photos[at]?.sealed))
          expect(idsOf(await zipped(false))).toEqual(idsOf(open.filter(photo => seen.has(photo.id))))
          // A page with an offset begins at the right row for this viewer.
          const last = await listed(list, { offset: Math.max(0, seen.size - 1), limit: 50 })
          expect(last).toHaveLength(Math.min(1, seen.size))
          const { rows: behind } = await listByMoment(
            tx,
            id,
            { ...list, standing },
            { offset: Math.max(0, seen.size - 1), limit: 50 },
          )
          expect(behind).toHaveLength(Math.min(1, seen.size))
          const quarters = await countByQuarter(tx, id, { eventId, by: 'added', takenBy: undefined, standing })
          expect(quarters.reduce((sum, quarter) => sum + quarter.photos, 0)).toBe(seen.size)
        }
      }),
    ),
    { numRuns: 15 },
  )
})
