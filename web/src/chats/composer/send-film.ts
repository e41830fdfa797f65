import { sendVideo } from '@afterglow/sdk/upload'
import { queryClient } from '../../app/cache/query.ts'
import { connection } from '../../app/net/client.ts'
import { stillOf } from '../../uploads/film-still.ts'
import { chatKey } from '../keys.ts'
import { type Chat, chatQuery } from '../queries.ts'
import type { PendingMessage } from './pending-messages.ts'

/** Not the client's own fetch: a large film goes in resumable pieces, by XMLHttpRequest. */
const direct = { baseUrl: connection.baseUrl, token: connection.token, extra: true as const }

/** Sends a message with its film; repeated calls under the same key send it once. */
export const sendFilm = async ({ chatId, content, replyTo, key }: PendingMessage, film: Blob) => {
  const known = queryClient.getQueryData<Chat>(chatKey(chatId))
  const { event_id } = known ?? (await queryClient.fetchQuery(chatQuery(chatId)))
  const file = film instanceof File ? film : new File([film], 'film', { type: film.type })
  const reply = replyTo ? { message_reply_id: Number(replyTo.id) } : {}
  const message = { event_id, group_chat_id: chatId, message_content: content, ...reply }
  return sendVideo(direct, { ...message, image: await stillOf(file), video: film }, { idempotencyKey: key })
}
