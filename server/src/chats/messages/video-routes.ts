import * as contract from '@afterglow/contract/chats/messages'
import { sentence } from '@afterglow/contract/words'
import { refuseOtherRequest } from '../../platform/http/idempotency.ts'
import { invalid } from '../../platform/http/refusals.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { ReceivedFile } from '../../platform/media/received-file.ts'
import type { SessionFiles } from '../../platform/media/storage/session-files.ts'
import type { Media } from '../../platform/media/store-picture.ts'
import type { StoreVideo } from '../../platform/video/store-upload.ts'
import { contentOf, endRepeated, filesOf, idsOf, isUsed } from '../../uploads/upload-sessions.ts'
import { chatFor, chatToSendTo } from '../access.ts'
import type { Cards } from '../cards.ts'
import type { Send } from './send-message.ts'
import { findSent, type Repeat } from './send-message-store.ts'
import { openShowing } from './show-message.ts'

type Tools = { media: Media; keepVideo: StoreVideo; sessionFiles: SessionFiles; send: Send; cards: Cards }

export const videoRoutes = (serve: Serve, { media, keepVideo, sessionFiles, send, cards }: Tools) => {
  const { showMessage } = openShowing(cards)
  serve(
    contract.sendVideo,
    async ({ db, input, files, turn, rowKey, replayed, ...asking }) => {
      const { viewer } = asking
      const { group_chat_id: chatId, message_content: content, message_reply_id: replyId } = input
      const { video_session_id: sessionId } = input
      const repeated = async ({ repeats, same }: Repeat) => {
        if (!same) refuseOtherRequest()
        replayed()
        await endRepeated(db, viewer, { input, photoId: null }, sessionFiles)
        return showMessage(db, repeats, asking)
      }
      if (sessionId && files.video) invalid('video_session_id', sentence.selected)
      const { event_id: eventId } = await chatFor(db, viewer, chatId)
      const session = sessionId && !(await isUsed(db, viewer, sessionId)) ? { video: sessionId } : {}
      // Before asking for the key: a repeat is known by what its session received, which is read once.
      const arrived = await filesOf(db, viewer, eventId, session, sessionFiles)
      try {
        const key = await rowKey()
        const before = key && (await findSent(db, viewer.id, key))
        if (before) return await repeated(before)
        await chatToSendTo(db, viewer, chatId)
        const [still] = files.image as [ReceivedFile]
        const film = files.video?.[0] ?? arrived.video ?? invalid('video_session_id', sentence.selected)
        const video = await keepVideo(film, sessionId ? 'video_session_id' : 'video', turn())
        const picture = await media.keep(still, 'image', turn())
        const sessionIds = idsOf(session)
        const sent = await send(viewer, { chatId, content, replyId, key, film: { picture, video, sessionIds } })
        if (!('message' in sent)) return await repeated(sent)
        // The message is committed; a file that a failing disk keeps is left to the sweep.
        for (const id of sessionIds) await sessionFiles.remove(id).catch(() => {})
        return showMessage(db, sent.message.id, asking)
      } finally {
        for (const file of Object.values(arrived)) await file.remove()
      }
    },
    {
      inRow: () => true,
      // A film is identified by its own bytes: a retrying client may draw its still anew.
      content: ({ db, viewer, files: { image: _, ...files }, input }) =>
        contentOf(db, viewer, { input, files }, sessionFiles),
      keep: ({ id }) => ({ id }),
      replay: ({ db, ...asking }, kept: { id: string }) => showMessage(db, Number(kept.id), asking),
    },
  )
}
