import type { Person } from '../people/party.ts'
import { demand } from '../people/party.ts'
import type { TestBed } from '../test-bed.ts'
import { atTestBed } from './acknowledged.ts'

/** The channel may tell outsiders only about themselves. */
const ofOneself = /^(notification\.|guest\.left|guest\.updated|join\.|event\.)/

/** I5: people outside an event receive, read and see nothing of it. */
export const checkOutside = async (testBed: TestBed): Promise<void> => {
  const { ask, ledger, party, report, listeners } = testBed
  const found: string[] = []
  let things = 0
  const photo = ledger.believed.find(({ kind, deleted }) => kind === 'photo' && !deleted)
  const message = ledger.believed.find(({ kind, deleted }) => kind === 'message' && !deleted)
  const urls: string[] = []
  if (photo) {
    const { event_photo_url, event_photo_preview_url } = await demand(
      ask,
      'GET',
      `api/gallery/photo/details/${photo.id}`,
      { token: party.organizer.token },
    )
    urls.push(atTestBed(event_photo_url), atTestBed(event_photo_preview_url))
  }
  for (const person of [party.stranger, party.removed]) {
    for (const { chatId, eventId } of [party.loud, party.quiet]) {
      const asked: [string, string, object?][] = [
        ['GET', `api/message/list?group_chat_id=${chatId}&page=1&page_length=5`],
        ['GET', `api/message/group/${chatId}`],
        ['GET', `api/gallery/photos/${eventId}?page=1&page_length=5`],
        ['GET', `api/event/guests/${eventId}?page=1&page_length=5`],
        ['GET', `api/message/search?group_chat_id=${chatId}&query=message&page=1&page_length=5`],
        ...(photo
          ? ([
              ['GET', `api/gallery/photo/details/${photo.id}`],
              ['GET', `api/gallery/comments/${photo.id}?page=1&page_length=5`],
              ['PUT', `api/gallery/photo/like/${photo.id}`],
            ] as [string, string][])
          : []),
        ...(message
          ? ([['GET', `api/message/reacted?message_id=${message.id}&page=1&page_length=5`]] as [string, string][])
          : []),
      ]
      for (const [method, path] of asked) {
        things += 1
        const { status } = await ask(method, path, { token: person.token })
        // Guest lists and event pages may be public; messages and photos never are.
        if (status < 400 && !path.startsWith('api/event/guests'))
          found.push(`${person.name}, who is not in the event, was answered ${status} to ${method} ${path}`)
      }
    }
    const heard = listeners.get(person)?.heard ?? []
    things += heard.length
    for (const { kind, payload } of heard) {
      const aboutThemselves = ofOneself.test(kind) && !JSON.stringify(payload).includes('message_content')
      if (!aboutThemselves) found.push(`${person.name}, who is not in the event, heard ${kind}`)
    }
  }
  for (const url of urls) {
    things += 2
    const unsigned = url.replace(/s=[^&]{4}/, 's=AAAA')
    if (unsigned !== url && (await ask('GET', unsigned)).status === 200)
      found.push(`a photo is given away at ${unsigned}, whose signature is none`)
  }
  found.push(...(await afterRemoval(testBed, urls)))
  report.checked('I5', things, found)
}

/** Removes somebody now: the signed URLs they hold stop working, and they receive nothing more. */
const afterRemoval = async ({ ask, party, listeners }: TestBed, urls: string[]): Promise<string[]> => {
  const gone = party.blocker as Person
  const { token } = party.organizer
  const found: string[] = []
  await demand(ask, 'DELETE', `api/event/guest/${party.loud.eventId}/${gone.id}`, { token })
  for (const url of urls)
    if ((await ask('GET', url)).status === 200)
      found.push(`after ${gone.name} was taken out, a photo is still given away at an address from before`)
  const before = listeners.get(gone)?.heard.length ?? 0
  await demand(ask, 'POST', 'api/message', {
    token,
    form: { group_chat_id: party.loud.chatId, message_content: 'after a removal' },
  })
  const { status } = await ask('GET', `api/message/list?group_chat_id=${party.loud.chatId}&page=1&page_length=5`, {
    token: gone.token,
  })
  if (status < 400) found.push(`${gone.name} was taken out and still reads the chat`)
  await new Promise(resolve => setTimeout(resolve, 300))
  for (const { kind } of (listeners.get(gone)?.heard ?? []).slice(before))
    if (!ofOneself.test(kind)) found.push(`${gone.name} was taken out and still heard ${kind}`)
  return found
}
