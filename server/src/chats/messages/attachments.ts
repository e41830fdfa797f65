import { requireProofForOthers } from '../../accounts/proofs.ts'
import { addAttachmentToAlbum } from '../../gallery/album.ts'
import { holdPhoto } from '../../gallery/duplicates/one-photo.ts'
import { announce } from '../../log/announce.ts'
import { type Database, type Transaction, transact } from '../../platform/database/database.ts'
import type { Queue } from '../../platform/database/queue.ts'
import { orDone, refuse } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { attachmentFor, holdChat, type In, mayAddToAlbum, mayDelete } from '../access.ts'
import { chatOf, type FoundAttachment, findAttachment } from '../store.ts'
import { auditIfOthers, type Change, letMediaGo, ofItsChat, updated, wasTheirs } from './change-message.ts'
import * as store from './change-message-store.ts'

export const openAttachments = (db: Database, queue: Queue) => {
  const changeAttachment = async <Result>(
    viewer: Viewer,
    id: number,
    outside: 'notInEvent' | 'mayNotAdd',
    change: Change<In<FoundAttachment>, Result>,
  ): Promise<Result> => {
    const chat = (await chatOf(db, 'attachments', id)) ?? refuse('noSuchAttachment')
    return queue(chat.id, () =>
      transact(db, async tx => {
        await holdPhoto(tx, { attachmentId: id })
        await holdChat(tx, viewer, chat, outside)
        return change(tx, await attachmentFor(tx, viewer, id, outside))
      }),
    )
  }

  return {
    /** Deleting again has no effect. */
    deleteAttachment: (viewer: Viewer, id: number): Promise<void> => {
      const deleted = changeAttachment(viewer, id, 'notInEvent', async (tx, { chat, attachment }) => {
        if (!mayDelete(viewer, chat, attachment)) refuse('mayNotDeleteAttachment')
        await requireProofForOthers(tx, viewer, attachment)
        const { message_id: messageId, user_id: userId } = attachment
        await letMediaGo(tx, await store.removeAttachments(tx, chat.id, messageId, id))
        await store.uncountAttachment(tx, messageId)
        await auditIfOthers(tx, viewer, chat, { act: 'attachment.deleted', subjectId: id, userId })
        await announce(tx, [updated(viewer, chat, messageId), ...(await ofItsChat(tx, viewer, chat, messageId))])
      })
      return orDone(deleted, ['noSuchAttachment'], async () => {
        const found = await findAttachment(db, viewer.id, id)
        return found?.attachment.gone === true && wasTheirs(viewer, found.chat, found.attachment)
      })
    },

    /**
     * Makes a photo of an attachment, belonging to its sender; anyone who adds the same bytes later is told. `show`
     * makes the reply.
     */
    addToAlbum: <Photo>(viewer: Viewer, id: number, show: (tx: Transaction, photoId: number) => Promise<Photo>) =>
      changeAttachment(viewer, id, 'mayNotAdd', async (tx, { chat, attachment }) => {
        if (!mayAddToAlbum(viewer, chat, attachment)) refuse('mayNotAdd')
        const { media_id: mediaId, user_id: takenBy } = attachment
        const by = { id: viewer.id, standing: chat.standing }
        const photo = { eventId: chat.event_id, mediaId, takenBy, attachmentId: id, by }
        return show(tx, await addAttachmentToAlbum(tx, photo))
      }),
  }
}

export type Attachments = ReturnType<typeof openAttachments>
