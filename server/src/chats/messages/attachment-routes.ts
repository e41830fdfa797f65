import * as contract from '@afterglow/contract/chats/attachments'
import { personsById } from '../../accounts/persons-sql.ts'
import { showPutIn } from '../../gallery/show-photo.ts'
import { rangeOf } from '../../platform/http/pages.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { chatFor } from '../access.ts'
import { presentAttachment, presentPersons } from '../present.ts'
import { listAttachments } from '../store.ts'
import type { Attachments } from './attachments.ts'

export const attachmentRoutes = (serve: Serve, attachments: Attachments) => {
  serve(contract.listAttachments, async ({ db, viewer, input, urls, extra, page }) => {
    const chat = await chatFor(db, viewer, input.group_chat_id)
    const rows = await listAttachments(db, chat, rangeOf(input))
    const persons = await personsById(
      db,
      rows.map(row => row.user_id),
    )
    const more = extra ? { viewer, chat } : undefined
    const beside = { urls, persons: presentPersons(persons.values(), urls), more }
    return page(rows, row => presentAttachment(row, beside))
  })

  serve(contract.deleteAttachment, async ({ viewer, input }) => {
    await attachments.deleteAttachment(viewer, input.message_attachment_id)
    return { done: true } as const
  })

  serve(contract.addToAlbum, async ({ input, ...asking }) =>
    attachments.addToAlbum(asking.viewer, input.message_attachment_id, (tx, photoId) => showPutIn(tx, photoId, asking)),
  )
}
