import type { Json } from '../http.ts'
import type { TestBed } from '../test-bed.ts'
import { wholeList } from './acknowledged.ts'

/** I11: all changes received since the beginning, reduced, equal what the lists return now. */
export const checkReduced = async ({ ask, party, listeners, report }: TestBed): Promise<void> => {
  const found: string[] = []
  let things = 0
  for (const person of [party.organizer, party.muter]) {
    const listener = listeners.get(person)
    if (!listener || listener.staleTimes > 0) continue
    const state = new Map<string, string>()
    for (const { kind, payload } of listener.heard) {
      if (/^message\.(created|updated|deleted|reacted)$/.test(kind))
        state.set(`message ${payload.id}`, messageOf(payload))
      if (/^photo\.(created|updated|liked)$/.test(kind)) state.set(`photo ${payload.id}`, photoOf(payload))
      if (kind === 'photo.deleted') state.delete(`photo ${payload.id}`)
    }
    const loaded = new Map<string, string>()
    for (const { chatId } of [party.loud, party.quiet])
      for (const message of await wholeList(ask, person.token, 'api/message/list', {
        group_chat_id: chatId,
        include: 'extra',
      }))
        loaded.set(`message ${message.id}`, messageOf(message))
    for (const photo of await wholeList(ask, person.token, `api/gallery/photos/${party.loud.eventId}`, {
      include: 'extra',
    }))
      loaded.set(`photo ${photo.id}`, photoOf(photo))
    things += loaded.size
    for (const [what, now] of loaded)
      if (state.get(what) !== now)
        found.push(`${what} is ${now}, and ${person.name} was told ${state.get(what) ?? 'nothing'}`)
    for (const what of state.keys())
      if (!loaded.has(what)) found.push(`${what} was told to ${person.name} and is in no list`)
  }
  report.checked('I11', things, found)
}

const messageOf = ({ message_content, reactions, attachments, extra }: Json) =>
  JSON.stringify({
    message_content,
    deleted: extra?.deleted,
    edited: extra?.edited,
    reactions: reactions.map((one: Json) => `${one.message_reaction} ${one.message_reaction_count}`).sort(),
    attachments: attachments.map((one: Json) => one.id),
  })
const photoOf = ({ event_photo_likes_count, event_photo_comments_count, liked }: Json) =>
  JSON.stringify({ event_photo_likes_count, event_photo_comments_count, liked })
