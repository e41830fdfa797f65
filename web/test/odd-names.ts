import { enterPeople, enterPerson, type People } from '../../demo/src/people.ts'
import { tell } from '../../demo/src/story.ts'
import { jpeg } from '../../server/test/pictures.ts'

/** Odd names of people and events: 80 letters without a space, one letter, emoji, right-to-left. */
export const oddNames = {
  long: ['Wolfeschlegelsteinhausenbergerdorffwelchevorallterngewissenhaftschaferswessensch', 'Hubertus'],
  letter: ['Y', 'O'],
  emoji: ['🦩🎉', '👨‍👩‍👧‍👦❤️‍🔥'],
  arabic: ['ليلى', 'عبد الرحمن'],
} as const
const [long] = oddNames.long

/** The demo's evening, renamed to 80 letters, with oddly named guests who write, add, like, comment, ask and report. */
export const oddEvening = async (baseUrl: string) => {
  const people = await enterPeople(baseUrl)
  const { olivia } = people
  const { eventId, joinLink, lookLink } = await tell(people)
  const { group_chat_id } = await rename(people, eventId)
  const odd: Odd[] = []
  for (const [kind, [first, last]] of Object.entries(oddNames)) {
    const { api, id } = await enterPerson(baseUrl, kind === 'long' ? 'w'.repeat(64) : `odd.${kind}`, first, last)
    await api.events.askToJoin({ event_id: eventId })
    await olivia.api.events.approveJoinRequest({ event_id: eventId, user_id: id })
    const said = await api.chats.saveMessage({ group_chat_id, message_content: `${first} ${last}: 12 + 3 (OK)!` })
    await olivia.api.chats.saveMessage({
      group_chat_id,
      message_content: `@odd.${kind} 👍`,
      message_reply_id: Number(said.id),
    })
    const image = new Blob([new Uint8Array(await jpeg({ width: 600, height: 400, seed: 700 + odd.length }))])
    const photo = await api.gallery.uploadPhoto({ event_id: eventId, image, event_photo_caption: `${first} ${last}` })
    const event_photo_id = Number(photo.id)
    await api.gallery.likePhoto({ event_photo_id }).catch(() => {})
    await api.gallery.saveComment({ event_photo_id, event_photo_comment: `${first}, 7:30` })
    await api.people.befriend({ user_id: olivia.id })
    await api.people.report({ report_type: 'photo', report_id: event_photo_id, report_reason: `${first} ${last}` })
    await api.events
      .saveEvent({
        event_name: first,
        event_location: `${first} 12`,
        event_starts_at: new Date(Date.now() + 5 * 86_400_000).toISOString(),
      })
      .then(({ id }) => api.events.invite({ event_id: id, user_ids: [olivia.id] }))
    odd.push({ id, photoId: photo.id })
    const asking = await enterPerson(baseUrl, `asking.${kind}`, first, last)
    await asking.api.events.askToJoin({ event_id: eventId })
  }
  return { people, eventId, joinLink, lookLink, odd: odd as [Odd, ...Odd[]] }
}
type Odd = { id: number; photoId: string }

const rename = async ({ olivia }: People, event_id: number) => {
  const now = await olivia.api.events.readEvent({ event_id })
  return olivia.api.events.saveEvent({
    event_id,
    event_name: long,
    event_location: long,
    event_description: `https://example.com/${'a'.repeat(120)} ${long}`,
    event_starts_at: now.event_starts_at,
  })
}
