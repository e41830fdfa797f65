import { expect } from 'vitest'
import type { TestApp } from './app.ts'
import type { Member } from './cast.ts'
import { type Listener, listen, type ReceivedEvent } from './channel.ts'
import { evening } from './party.ts'

/** Everyone listens at once, and each also hears of an event of their own: silence is silence, not deafness. */
export const openAudience = async <Name extends string>(app: TestApp, members: Record<Name, Member>) => {
  const people = await Promise.all(
    (Object.entries(members) as [Name, Member][]).map(async ([name, member]) => {
      const own = await member.api.events.saveEvent(evening({ event_name: `${name}'s own` }))
      return { name, member, chatId: own.group_chat_id }
    }),
  )
  const own = new Set(people.map(({ chatId }) => String(chatId)))
  const seats = await Promise.all(
    people.map(async person => ({ ...person, listener: await listen(app, person.member), from: 0 })),
  )
  const isOwn = ({ kind, payload }: ReceivedEvent) => kind === 'message.created' && own.has(payload.group_chat_id)

  /** Each sends a message in their own chat and waits until it arrives: everything sent before has arrived by then. */
  const catchUp = (seat: (typeof seats)[number]) => hearAll(seat.listener, seat.member, seat.chatId)

  return {
    /** Runs an act and returns what each of them heard, except for notifications. */
    async heardOf(act: () => Promise<unknown>): Promise<Record<Name, ReceivedEvent[]>> {
      await Promise.all(seats.map(catchUp))
      for (const seat of seats) seat.from = seat.listener.heard.length
      await act()
      await Promise.all(seats.map(catchUp))
      return Object.fromEntries(
        seats.map(({ name, listener, from }) => [
          name,
          listener.heard.slice(from).filter(event => !event.kind.startsWith('notification.') && !isOwn(event)),
        ]),
      ) as Record<Name, ReceivedEvent[]>
    },
  }
}

/** Waits until a listener has heard everything so far, by a message in a chat of their own. */
export const hearAll = async (listener: Listener, member: Member, ownChatId: number) => {
  const { id } = await member.api.chats.saveMessage({ group_chat_id: ownChatId, message_content: 'Do I hear?' })
  await listener.next('message.created', message => message.id === id)
}

/** Checks the kinds that these heard, and that the others heard nothing. */
export const expectHeard = <Name extends string>(
  heard: Record<Name, ReceivedEvent[]>,
  expected: Partial<Record<NoInfer<Name>, ReceivedEvent['kind'][]>>,
) => {
  const kinds = Object.entries<ReceivedEvent[]>(heard).map(([name, events]) => [name, events.map(({ kind }) => kind)])
  const silence = Object.keys(heard).map(name => [name, []])
  expect(Object.fromEntries(kinds)).toEqual({ ...Object.fromEntries(silence), ...expected })
}
