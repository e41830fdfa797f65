import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ask, Asking, Json, Reply } from '../http.ts'
import { patienceMs } from '../instance/processes.ts'

/** Somebody with an account, on one device. */
export type Person = { id: number; name: string; username: string; email: string; password: string; token: string }

export type Gathering = { eventId: number; chatId: number }

/** The cast: one person for every relation to the same two events. */
export type Party = {
  organizer: Person
  writers: Person[]
  /** A guest of both events who has muted the quiet one. */
  muter: Person
  /** Has blocked the first writer. */
  blocker: Person
  /** A former guest of both, removed. */
  removed: Person
  stranger: Person
  /** The event in which everything happens. */
  loud: Gathering
  /** Nothing is changed or deleted in this event, so every message stays due. */
  quiet: Gathering
}

export const everybody = (party: Party): Person[] => [
  party.organizer,
  ...party.writers,
  party.muter,
  party.blocker,
  party.removed,
  party.stranger,
]

/** Answers that say nothing about the request itself: nothing listened, or the service could not do it just then. */
const isNoAnswer = ({ status }: Reply) => status >= 500

export class GaveUp extends Error {
  override name = 'GaveUp'
}

/** Retries, as clients do, until there is an answer to the request itself. */
export const insist = async (
  ask: Ask,
  method: string,
  path: string,
  asking: Asking,
  withinMs = patienceMs,
): Promise<Reply> => {
  const givesUpAt = Date.now() + withinMs
  for (let tries = 0; ; tries++) {
    const reply = await ask(method, path, asking).catch((fault: Error) => fault)
    if (!(reply instanceof Error) && !isNoAnswer(reply)) return reply
    if (Date.now() > givesUpAt || asking.signal?.aborted)
      throw new GaveUp(
        `${method} ${path}: ${reply instanceof Error ? reply.message : reply.status} for ${withinMs / 1000} s`,
      )
    await sleep(Math.min(20 * 2 ** tries, 200))
  }
}

/**
 * Returns the body of a success and throws a sentence otherwise. A POST has a key, because an act whose answer was lost
 * must not be refused.
 */
export const demand = async (ask: Ask, method: string, path: string, asking: Asking = {}): Promise<Json> => {
  const reply = await insist(ask, method, path, method === 'POST' ? { key: randomUUID(), ...asking } : asking)
  if (reply.status !== 200 && reply.status !== 201)
    throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}

export const enter = async (ask: Ask, name: string, platform = 'android'): Promise<Person> => {
  const mark = Math.random().toString(36).slice(2, 10)
  const username = `${name}.${mark}`
  const email = `${username}@planted.example`
  const password = `planted-password-${mark}`
  const { user, token } = await demand(ask, 'POST', 'api/account/register', {
    json: {
      user_first_name: name,
      user_last_name: 'Proof',
      user_username: username,
      user_email: email,
      user_password: password,
      user_password_confirmation: password,
      user_login_option_type: 1,
      device_id: `phone of ${name}`,
      user_timezone: 'Europe/Madrid',
      user_device_platform: platform,
    },
  })
  return { id: user.id, name, username, email, password, token }
}

export const makeEvent = async (ask: Ask, { token }: Person, event_name: string): Promise<Gathering> => {
  const event_starts_at = new Date(Date.now() + 7 * 86_400_000).toISOString()
  // Everybody who requests to join is admitted.
  const event = await demand(ask, 'POST', 'api/event', {
    token,
    json: { event_name, event_starts_at, event_join_mode: 1 },
  })
  return { eventId: event.id, chatId: event.group_chat_id }
}

export const join = (ask: Ask, { token }: Person, { eventId }: Gathering) =>
  demand(ask, 'POST', `api/event/join/request/${eventId}`, { token })

type Cast = [Person, Person, Person, Person, Person, ...Person[]]

export const throwParty = async (ask: Ask, writersCount: number): Promise<Party> => {
  const names = ['organizer', 'muter', 'blocker', 'removed', 'stranger']
  const writerNames = Array.from({ length: writersCount }, (_, at) => `writer${at + 1}`)
  const people = await Promise.all([...names, ...writerNames].map(name => enter(ask, name)))
  const [organizer, muter, blocker, removed, stranger, ...writers] = people as Cast
  const loud = await makeEvent(ask, organizer, 'The loud one')
  const quiet = await makeEvent(ask, organizer, 'The quiet one')
  for (const gathering of [loud, quiet])
    await Promise.all([...writers, muter, blocker, removed].map(person => join(ask, person, gathering)))
  for (const { eventId } of [loud, quiet])
    await demand(ask, 'DELETE', `api/event/guest/${eventId}/${removed.id}`, { token: organizer.token })
  await demand(ask, 'PUT', `api/message/group/mute/${quiet.chatId}`, { token: muter.token })
  await demand(ask, 'PUT', `api/user/block/${(writers[0] as Person).id}`, { token: blocker.token })
  return { organizer, writers, muter, blocker, removed, stranger, loud, quiet }
}
