import { z } from 'zod'
import { proveFirst } from '../accounts/passwords.ts'
import { noSuchChat, notInEvent } from '../chats.ts'
import { takenDown } from '../gallery.ts'
import { Photo } from '../photo.ts'
import { offerNot, type RefusalPage, reload } from '../refusal-advice.ts'
import { notFound, route, says } from '../route.ts'
import { Done, Id, Page, Paging } from '../words.ts'
import { Attachment } from './message.ts'

const noSuchAttachment = notFound('Attachment not found!')

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  noSuchAttachment: { cause: 'The attachment does not exist or was deleted.', client: reload },
  mayNotDeleteAttachment: {
    cause: 'The caller is neither the author of the message nor an organizer.',
    client: offerNot,
  },
  mayNotAdd: {
    cause:
      'The caller is not in the event, or is neither the sender nor an organizer of an event whose guests may not add other people’s pictures.',
    client: offerNot,
  },
} satisfies Record<string, RefusalPage>

export const deleteAttachment = route('deleteAttachment', 'DELETE api/message/attachment/{message_attachment_id}', {
  summary: 'Removes a picture from a message. Author or organizers only.',
  input: z.object({ message_attachment_id: Id }),
  reply: Done,
  refusals: {
    proveFirst,
    noSuchAttachment,
    notInEvent,
    mayNotDeleteAttachment: says('You do not have permission to delete this attachment.'),
  },
  takes: { back: null, proof: 'ofOthers', tells: 'channel', audits: 'attachment.deleted' },
})

export const listAttachments = route('listAttachments', 'GET api/message/attachment/list', {
  summary: 'Lists the pictures in a chat, newest first.',
  extra: true,
  input: z.object({ group_chat_id: Id, ...Paging }),
  reply: Page(Attachment),
  refusals: { noSuchChat, notInEvent },
})

export const addToAlbum = route('addToAlbum', 'PUT api/message/attachment/add-to-album/{message_attachment_id}', {
  documented: true,
  summary: 'Adds a picture from a message to the gallery of its event.',
  extra: true,
  input: z.object({ message_attachment_id: Id }),
  reply: Photo,
  refusals: {
    noSuchAttachment,
    mayNotAdd: says('You do not have permission to upload this image.'),
    alreadyInAlbum: says('The attachment is in the gallery'),
    takenDown: says(takenDown),
  },
})
