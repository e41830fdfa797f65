import { randomBytes } from 'node:crypto'
import { type Answer, type Call, callerOf } from './caller.ts'

export type Person = { call: Call; id: number; username: string; email: string; password: string; registered: Answer }
export type Party = {
  event_id: number
  group_chat_id: number
  organizer: Person
  guest: Person
}

/** People and their event, supplied for a server that does not create events by this interface. */
export type ProvidedWorld = {
  event_id: number
  group_chat_id: number
  organizer: { token: string }
  guest: { token: string }
}

/** The server lacks something that a statement needs, so it is not tried. */
export class NotTried extends Error {}

/** Registration appears to succeed but signs nobody in: statements that need a person cannot be tried. */
export class NobodySignedIn extends Error {}

export type World = ReturnType<typeof openWorld>

const newcomer = () => {
  const username = `conformance.${randomBytes(6).toString('hex')}`
  return {
    user_first_name: 'Connie',
    user_middle_name: null,
    user_last_name: 'Formance',
    user_username: username,
    user_email: `${username}@example.com`,
    user_password: 'a conformance password',
    user_password_confirmation: 'a conformance password',
    user_login_option_type: 1,
    user_login_option_unique_identifier: `${username}@example.com`,
    device_id: randomBytes(12).toString('hex'),
    user_timezone: 'Europe/Berlin',
    user_device_platform: 'android',
  }
}

/** Registers people on first use; given tokens come first. */
const openPeople = (baseUrl: string, send: typeof fetch) => {
  const anyone = callerOf(baseUrl, send)
  const made: Person[] = []
  let neverRegisters: Error | undefined
  const register = async (): Promise<Person> => {
    // It is one cause, however many statements it blocks, so registration is tried once.
    if (neverRegisters) throw neverRegisters
    const fields = newcomer()
    const registered = await anyone('POST', 'api/account/register', { json: fields })
    const { token, user } = Object(registered.json)
    if (typeof token !== 'string' || token === '') {
      const said = `${registered.status} ${registered.text.slice(0, 200)}`
      neverRegisters =
        registered.status < 300
          ? new NobodySignedIn(`${registered.asked}: answers without a token: ${said}`)
          : new NotTried(`nobody could be registered: ${said}`)
      throw neverRegisters
    }
    const person = {
      call: callerOf(baseUrl, send, token),
      id: Number(user?.id),
      username: fields.user_username,
      email: fields.user_email,
      password: fields.user_password,
      registered,
    }
    made.push(person)
    return person
  }

  const people = new Map<string, Promise<Person>>()
  /** Returns the same person for the same name. */
  const person = (name: string): Promise<Person> => {
    const known = people.get(name) ?? register()
    people.set(name, known)
    return known
  }

  const knownBy = async ({ token }: { token: string }): Promise<Person> => {
    const call = callerOf(baseUrl, send, token)
    const registered = await call('GET', 'api/account')
    const { id, user_username: username, user_email: email } = Object(registered.json)
    return { call, id, username, email, password: '', registered }
  }

  return { person, knownBy, made }
}

/** The people and events of one run, created on first use. */
export const openWorld = (baseUrl: string, send: typeof fetch, given: ProvidedWorld | undefined) => {
  const anyone = callerOf(baseUrl, send)
  const { person, knownBy, made } = openPeople(baseUrl, send)
  const events: { by: Person; id: number }[] = []

  let makesNone: NotTried | undefined
  const makeEvent = async (by: Person, joinMode: number) => {
    if (makesNone) throw makesNone
    const day = new Date(Date.now() + 7 * 86_400_000).toISOString()
    const json = { event_name: 'Conformance', event_starts_at: day, event_visibility: 1, event_join_mode: joinMode }
    const reply = await by.call('POST', 'api/event', { json })
    const { id, group_chat_id } = Object(reply.json)
    if (reply.status !== 200 || !id) {
      makesNone = new NotTried('it needs an event, which this server does not make by api/event: name one with --world')
      throw makesNone
    }
    events.push({ by, id })
    return { event_id: id as number, group_chat_id: group_chat_id as number }
  }

  let party: Promise<Party> | undefined
  const openParty = async (): Promise<Party> => {
    if (given) {
      const { event_id, group_chat_id } = given
      return { event_id, group_chat_id, organizer: await knownBy(given.organizer), guest: await knownBy(given.guest) }
    }
    const [organizer, guest] = [await person('organizer'), await person('guest')]
    const event = await makeEvent(organizer, 1)
    await guest.call('POST', `api/event/join/request/${event.event_id}`)
    return { ...event, organizer, guest }
  }

  let pending: Promise<{ event_id: number; organizer: Person }> | undefined
  const openPending = async () => {
    if (given) throw new NotTried('it needs an event with somebody who asks to join')
    const [organizer, asking] = [await person('organizer'), await person('stranger')]
    const { event_id } = await makeEvent(organizer, 2)
    await asking.call('POST', `api/event/join/request/${event_id}`)
    return { event_id, organizer }
  }

  return {
    anyone,
    newcomer,
    person,
    /** An event with an organizer and a guest. */
    party: () => {
      party ??= openParty()
      return party
    },
    /** An event with a pending join request. */
    pending: () => {
      pending ??= openPending()
      return pending
    },
    /** Deletes what the run created, where the server allows it. */
    async cleanUp() {
      const tried = (work: Promise<unknown>) => work.catch(() => {})
      for (const { by, id } of events) await tried(by.call('DELETE', `api/event/${id}`))
      for (const { call, password } of made)
        await tried(call('DELETE', 'api/account', { json: { user_password: password, erase_content: true } }))
    },
  }
}
