import type { TestApp } from './app.ts'
import { enter, type Member } from './cast.ts'

/** An evening a week from now; pass other fields for a different event. */
export const evening = <Fields extends Record<string, unknown>>(fields?: Fields) => ({
  event_name: 'Midsummer at the lake',
  event_starts_at: new Date(Date.now() + 7 * 86_400_000).toISOString(),
  ...fields,
})

/** Adds a guest the usual way: they ask, and the organizer approves. */
export const bringIn = async (organizer: Member, event_id: number, member: Member) => {
  await member.api.events.askToJoin({ event_id })
  await organizer.api.events.approveJoinRequest({ event_id, user_id: member.id })
}

/** An event with a person of every standing, made through the service itself. */
export const party = async (app: TestApp) => {
  const [olivia, gus, asha, sam, remy, gwen] = (await Promise.all(
    (['olivia', 'gus', 'asha', 'sam', 'remy', 'gwen'] as const).map(name => enter(app, name)),
  )) as [Member, Member, Member, Member, Member, Member]
  const event = await olivia.api.events.saveEvent(evening())
  const event_id = event.id
  await bringIn(olivia, event_id, gus)
  await asha.api.events.askToJoin({ event_id })
  await bringIn(olivia, event_id, remy)
  await olivia.api.events.removeGuest({ event_id, user_id: remy.id })
  const otherEvent = await gwen.api.events.saveEvent(evening({ event_name: 'Gwen’s own party' }))
  return {
    olivia,
    gus,
    /** Has a pending request. */
    asha,
    /** A stranger to the event. */
    sam,
    /** A removed guest. */
    remy,
    /** A stranger too, and the organizer of another event. */
    gwen,
    event,
    chatId: event.group_chat_id,
    otherEvent,
  }
}
