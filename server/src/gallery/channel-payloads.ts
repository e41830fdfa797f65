import { can, type Standing } from '@afterglow/contract/capabilities'
import { personOf } from '../accounts/persons.ts'
import type { AddressedPayload, ChangePresenter, ChangePresenters, Recipient } from '../channel/payloads.ts'
import type { ChangeRow } from '../log/announce.ts'
import { blockersOf } from '../people/relations-sql.ts'
import { mayHearOfPhoto, mayReadComments, maySeeComment, maySeePhoto } from './access.ts'
import * as comments from './comments/comments-store.ts'
import { reactionsAmong, reactionsByComment } from './comments/reactions-store.ts'
import { likersAmong } from './likes/likes-store.ts'
import { presentComment, presentPhoto } from './present.ts'
import { photosById, takersById } from './store.ts'

/* Channel payloads for changes in galleries. */

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)
const subjectsOf = (changes: readonly ChangeRow[]) => [...new Set(changes.map(({ subject_id }) => subject_id))]

type RecipientsOf = (change: ChangeRow) => readonly Recipient[]
const usersOf = (changes: readonly ChangeRow[], recipientsOf: RecipientsOf) => [
  ...new Set(changes.flatMap(change => idsOf(recipientsOf(change)))),
]

/**
 * Hiding or showing an item again is announced as its deletion or return, to everyone who does not see hidden items;
 * deleting a hidden item, only to its author and, unless it is sealed from everybody, organizers. A photo that waits
 * before the wall comes and goes `on` the wall alone, for screens, or the album, for everybody else.
 */
const isMeant = ({ detail }: ChangeRow, { id, standing }: Recipient) =>
  (detail?.besides === undefined || (id !== detail.besides && !can(standing, 'seeHidden'))) &&
  (detail?.only === undefined || id === detail.only || (can(standing, 'seeHidden') && !detail.sealed)) &&
  (detail?.on === undefined || isScreen(standing) === (detail.on === 'wall'))

const isScreen = (standing: Standing) => can(standing, 'album') && !can(standing, 'seeWaiting')

/** One payload for each group of recipients for whom `view` is the same. */
const shownBy = (
  recipients: readonly Recipient[],
  view: (recipient: Recipient) => string,
  payloadFor: (recipient: Recipient) => unknown,
): AddressedPayload[] =>
  [...Map.groupBy(recipients, view).values()].map(alike => ({
    payload: payloadFor(alike[0] as Recipient),
    to: idsOf(alike),
  }))

/** A photo looks the same to everyone except its uploader, organizers, and those who like it. */
const showPhotos: ChangePresenter = async (db, changes, recipientsOf, urls) => {
  const rows = await photosById(db, subjectsOf(changes))
  const likers = await likersAmong(db, idsOf(rows), usersOf(changes, recipientsOf))
  const byId = new Map(rows.map(row => [row.id, row]))
  return new Map(
    changes.map(change => {
      const row = byId.get(change.subject_id)
      if (!row) return [change.id, []]
      const liked = (id: number) => likers.get(row.id)?.has(id) ?? false
      const groups = shownBy(
        recipientsOf(change).filter(
          recipient => isMeant(change, recipient) && maySeePhoto(recipient, { ...row, standing: recipient.standing }),
        ),
        ({ id, standing }) => `${id === row.taken_by} ${standing} ${liked(id)}`,
        ({ id, standing }) =>
          presentPhoto({ ...row, liked: liked(id) }, personOf(row, row.taken_by), {
            mediaEpoch: row.media_epoch,
            urls,
            viewer: { id },
            standing,
          }),
      )
      return [change.id, groups]
    }),
  )
}

/**
 * A comment looks the same to everyone except its author, the photo's uploader, organizers, and people with the same
 * reaction.
 */
const showComments: ChangePresenter = async (db, changes, recipientsOf, urls) => {
  const rows = await comments.commentsById(db, subjectsOf(changes))
  const [reactions, reactors, blockers] = await Promise.all([
    reactionsByComment(db, 0, idsOf(rows)),
    reactionsAmong(db, idsOf(rows), usersOf(changes, recipientsOf)),
    blockersOf(
      db,
      rows.map(row => row.user_id),
    ),
  ])
  const byId = new Map(rows.map(row => [row.id, row]))
  return new Map(
    changes.map(change => {
      const row = byId.get(change.subject_id)
      if (!row) return [change.id, []]
      const mine = (id: number) => reactors.get(row.id)?.get(id)
      const blocks = (id: number) => blockers.get(row.user_id)?.has(id) ?? false
      const groups = shownBy(
        recipientsOf(change).filter(
          recipient =>
            isMeant(change, recipient) &&
            mayReadComments(recipient, { ...row, standing: recipient.standing }) &&
            maySeeComment(recipient, { ...row, standing: recipient.standing }),
        ),
        ({ id, standing }) =>
          `${id === row.user_id} ${id === row.photo_taken_by} ${blocks(id)} ${standing} ${mine(id) ?? ''}`,
        ({ id, standing }) =>
          presentComment(row, {
            urls,
            more: {
              viewer: { id },
              standing,
              photoTakenBy: row.photo_taken_by,
              reactions: (reactions.get(row.id) ?? []).map(each => ({ ...each, mine: each.reaction === mine(id) })),
              blocked: blocks(id),
            },
          }),
      )
      return [change.id, groups]
    }),
  )
}

/** A deletion is announced by ID only, with the photo's uploader for viewers who see just their own. */
const showGone =
  (
    photoOf: (change: ChangeRow) => number,
    mayHear: typeof mayHearOfPhoto,
    payloadOf: (change: ChangeRow) => unknown,
  ): ChangePresenter =>
  async (db, changes, recipientsOf) => {
    const takers = await takersById(db, changes.map(photoOf))
    return new Map(
      changes.map(change => {
        const taken_by = takers.get(photoOf(change)) ?? 0
        const to = recipientsOf(change).filter(
          recipient =>
            isMeant(change, recipient) &&
            mayHear(recipient, { standing: recipient.standing, photo_taken_by: taken_by }),
        )
        return [change.id, to.length > 0 ? [{ payload: payloadOf(change), to: idsOf(to) }] : []]
      }),
    )
  }

export const galleryShowing: ChangePresenters = {
  'photo.created': showPhotos,
  'photo.updated': showPhotos,
  'photo.liked': showPhotos,
  'photo.deleted': showGone(
    ({ subject_id }) => subject_id,
    mayHearOfPhoto,
    ({ subject_id, event_id }) => ({ id: String(subject_id), event_id: String(event_id) }),
  ),
  'comment.created': showComments,
  'comment.updated': showComments,
  'comment.reacted': showComments,
  'comment.deleted': showGone(
    ({ detail }) => detail.photoId,
    mayReadComments,
    ({ subject_id, detail }) => ({ id: subject_id, event_photo_id: detail.photoId, reply_to: detail.replyTo }),
  ),
}
