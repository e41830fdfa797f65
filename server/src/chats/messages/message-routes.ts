import * as contract from '@afterglow/contract/chats/messages'
import { sentence } from '@afterglow/contract/words'
import { batched } from '../../platform/database/batch.ts'
import type { Database } from '../../platform/database/database.ts'
import type { AskingAs } from '../../platform/http/handler-context.ts'
import { refuseOtherRequest } from '../../platform/http/idempotency.ts'
import { rangeOf } from '../../platform/http/pages.ts'
import { invalid } from '../../platform/http/refusals.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Turn } from '../../platform/jobs/fair-queue.ts'
import type { ReceivedFile } from '../../platform/media/received-file.ts'
import type { Media, StoredPicture } from '../../platform/media/store-picture.ts'
import { chatFor, chatToSendTo, demandReader, mayModerate } from '../access.ts'
import type { Cards } from '../cards.ts'
import { presentSent } from '../present.ts'
import { searchMessages } from '../search-store.ts'
import * as store from '../store.ts'
import type { Changes } from './change-message.ts'
import { type PageAsked, readPages } from './messages-store.ts'
import type { Send } from './send-message.ts'
import { findSent } from './send-message-store.ts'
import { openShowing } from './show-message.ts'

/**
 * Stores the pictures concurrently, and leaves none in progress when it refuses: the files disappear with the request.
 */
const storeAll = async (media: Media, files: readonly ReceivedFile[], turn: Turn): Promise<StoredPicture[]> => {
  const results = await Promise.allSettled(files.map(file => media.keep(file, 'attachments', turn)))
  return results.map(result => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}

type Tools = { db: Database; media: Media; changes: Changes; send: Send; cards: Cards }

type Saving = AskingAs<typeof contract.saveMessage>

/** Sending a message and editing one are the same operation. */
const openSaving = ({ media, changes, send, cards }: Omit<Tools, 'db'>) => {
  const { showMessage } = openShowing(cards)

  const picturesOf = async ({ db, viewer, input, files, turn }: Saving) => {
    const attached = files.attachments ?? []
    if (attached.length) await chatToSendTo(db, viewer, input.group_chat_id)
    return storeAll(media, attached, turn())
  }

  const edit = async (asking: Saving, messageId: number) => {
    const { viewer, input, once } = asking
    const { group_chat_id: chatId, message_content: content, message_reply_id: replyId } = input
    const wanted = { chatId, messageId, content, replyId, pictures: await picturesOf(asking) }
    return changes.edit(viewer, wanted, work =>
      once(async db => {
        await work(db)
        return showMessage(db, messageId, asking)
      }),
    )
  }

  const sendNew = async (asking: Saving) => {
    const { db, viewer, input, files, rowKey, replayed } = asking
    const { group_chat_id: chatId, message_content: content, message_reply_id: replyId } = input
    const hasPictures = (files.attachments ?? []).length > 0
    const key = await rowKey()
    const before = key && hasPictures ? await findSent(db, viewer.id, key) : undefined
    const sent = before ?? (await send(viewer, { chatId, content, replyId, key, pictures: await picturesOf(asking) }))
    if ('message' in sent)
      return replyId === undefined && !hasPictures
        ? presentSent(sent, asking)
        : showMessage(db, sent.message.id, asking)
    if (!sent.same) refuseOtherRequest()
    replayed()
    return showMessage(db, sent.repeats, asking)
  }

  return {
    save: (asking: Saving) =>
      asking.input.message_id === undefined ? sendNew(asking) : edit(asking, asking.input.message_id),
    /** A repeated request shows the message in its current state: its earlier text or quote may be deleted by now. */
    showAgain: ({ db, ...asking }: Saving, kept: { id: string }) => showMessage(db, Number(kept.id), asking),
  }
}

export const messageRoutes = (serve: Serve, { db: database, media, changes, send, cards }: Tools) => {
  const { showMessage, showFound, showMessages } = openShowing(cards)
  const readPage = batched((all: readonly PageAsked[]) => readPages(database, all), { most: 16 })

  serve(contract.listMessages, async ({ db, input, readyPage, ...asking }) => {
    const { group_chat_id: chatId, message_id: anchorId, page_length: length } = input
    const back = rangeOf(input).offset
    const read = await readPage({ chatId, viewerId: asking.viewer.id, anchorId, back, length })
    const { rows, ...around } = read?.() ?? invalid('group_chat_id', sentence.selected)
    demandReader(around)
    if (anchorId !== undefined && around.anchor === null) invalid('message_id', sentence.selected)
    const hasMore = (rows.at(-1)?.sequence ?? 1) > 1
    return readyPage(rows.length + (hasMore ? 1 : 0), await showMessages(db, { rows, ...around }, asking))
  })

  const { save, showAgain } = openSaving({ media, changes, send, cards })
  serve(contract.saveMessage, save, {
    inRow: ({ message_id: edited }) => edited === undefined,
    keep: ({ id }) => ({ id }),
    replay: showAgain,
  })

  serve(contract.deleteMessage, async ({ viewer, input }) => {
    await changes.delete(viewer, input.message_id)
    return { done: true } as const
  })

  for (const [operation, hidden] of [
    [contract.hideMessage, true],
    [contract.unhideMessage, false],
  ] as const)
    serve(operation, async ({ db, input, ...asking }) => {
      await changes.setHidden(asking.viewer, input.message_id, hidden)
      return showMessage(db, input.message_id, asking)
    })

  serve(contract.searchMessages, async ({ db, input, page, ...asking }) => {
    const { viewer } = asking
    const { group_chat_id: id } = input
    const found = id === undefined ? await store.chatsOfViewer(db, viewer.id) : [await chatFor(db, viewer, id)]
    const ids = await searchMessages(
      db,
      { viewerId: viewer.id, chats: found.map(chat => ({ chat, folds: !mayModerate(chat) })), text: input.text },
      rangeOf(input),
    )
    const { rows, present } = await showFound(db, ids, asking)
    return page(rows, present)
  })
}
