import * as contract from '@afterglow/contract/chats'
import { personsById } from '../accounts/persons.ts'
import { showPhoto } from '../gallery/showing.ts'
import { rangeOf } from '../platform/http/pages.ts'
import type { Serve } from '../platform/http/serve.ts'
import { chatFor } from './access.ts'
import type { Changes } from './change-message.ts'
import { presentAttachments } from './present.ts'
import * as store from './store.ts'

export const attachmentRoutes = (serve: Serve, { changes }: { changes: Changes }) => {
  serve(contract.listAttachments, async ({ db, viewer, input, urls, extra, page }) => {
    const chat = await chatFor(db, viewer, input.group_chat_id)
    const rows = await store.listAttachments(db, chat.id, rangeOf(input))
    const persons = await personsById(
      db,
      rows.map(row => row.user_id),
    )
    const more = extra ? { viewer, chats: new Map([[chat.id, chat]]) } : undefined
    return page(presentAttachments(rows, { urls, persons, more }), shown => shown)
  })

  serve(contract.deleteAttachment, async ({ viewer, input }) => {
    await changes.deleteAttachment(viewer, input.message_attachment_id)
    return { done: true } as const
  })

  serve(contract.addToAlbum, async ({ input, ...asking }) =>
    changes.addToAlbum(asking.viewer, input.message_attachment_id, (tx, photoId) => showPhoto(tx, photoId, asking)),
  )
}
