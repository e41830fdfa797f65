import { setTimeout as sleep } from 'node:timers/promises'
import type { Ask, Json, Reply } from '../http.ts'
import { patienceMs, until } from '../instance/processes.ts'
import type { AcknowledgedWrite, ContentWrite, Ledger } from '../ledger.ts'
import type { Random } from '../random.ts'
import type { Report } from '../report.ts'
import { type Gathering, insist, type Party, type Person } from './party.ts'
import { pictureOf } from './pictures.ts'

export type Load = {
  ask: Ask
  ledger: Ledger
  report: Report
  party: Party
  random: Random
  /** The longest pause between two acts of one person. */
  pauseMsMax?: number
  photos?: boolean
  /** Acknowledged writes may be lost with a machine, so refusals that follow from that are right. */
  mayLose?: boolean
}

/** People who write, reply, react, upload, edit and delete until they are stopped. */
export type People = {
  /** Resolves when everybody's last request has been answered. */
  stop(): Promise<void>
  /** The number of acknowledged acts so far. */
  count(): number
  /**
   * Resolves when a request sent from now on has been acknowledged: a reply that was under way when the fault began
   * does not show that it is over.
   */
  goesOn(what: string, withinMs?: number): Promise<void>
  /** The returned function tells whether everybody has since had an answer to their request. */
  sinceNow(): () => boolean
  /** Returns false once somebody has given up. */
  isGoing(): boolean
}

type Writer = Load & { person: Person; random: Random; name: string; isRunning(): boolean }

const emojis = ['👍', '🎉', '❤️', '😂']

export const letWrite = (load: Load): People => {
  let running = true
  const { party, ledger, pauseMsMax = 40 } = load
  const begun = ledger.count()
  const finished = party.writers.map(() => 0)
  let acknowledgedBeganAt = 0
  const ask: Ask = async (...request) => {
    const beganAt = performance.now()
    const reply = await load.ask(...request)
    if (reply.status < 300) acknowledgedBeganAt = Math.max(acknowledgedBeganAt, beganAt)
    return reply
  }
  const writing = party.writers.map(async (person, at) => {
    const writer: Writer = {
      ...load,
      ask,
      person,
      name: person.name,
      random: load.random.of(`writer ${at}`),
      isRunning: () => running,
    }
    for (let nth = 0; running; nth++) {
      await acts[writer.random.weighted(weightsOf(load.photos ?? true))](writer, nth).catch((fault: Error) => {
        load.report.found('I12', `${person.name} got no answer: ${fault.message}`)
        running = false
      })
      finished[at] = nth + 1
      await sleep(writer.random.whole(0, pauseMsMax))
    }
  })
  return {
    async stop() {
      running = false
      await Promise.all(writing)
    },
    count: () => ledger.count() - begun,
    async goesOn(what, withinMs = patienceMs) {
      const now = performance.now()
      await until(what, () => acknowledgedBeganAt > now, withinMs, 5)
    },
    sinceNow() {
      const before = [...finished]
      return () => finished.every((acts, at) => acts > (before[at] ?? 0))
    },
    isGoing: () => running,
  }
}

type Act = (writer: Writer, nth: number) => Promise<void>
type ActName = 'say' | 'answer' | 'change' | 'remove' | 'react' | 'upload' | 'like' | 'comment' | 'see'

const weightsOf = (photos: boolean): [number, ActName][] => [
  [50, 'say'],
  [10, 'answer'],
  [6, 'change'],
  [2, 'remove'],
  [8, 'react'],
  [4, 'see'],
  ...(photos
    ? ([
        [4, 'upload'],
        [6, 'like'],
        [10, 'comment'],
      ] as [number, ActName][])
    : []),
]

const believedOf = (
  { ledger }: Writer,
  kind: ContentWrite['kind'],
  place: number,
  author?: number,
): AcknowledgedWrite[] =>
  ledger.believed.filter(
    one =>
      one.kind === kind &&
      one.place === place &&
      !one.deleted &&
      !one.changing &&
      (author === undefined || one.author === author),
  )

/** Reports every refusal of a request that should succeed. */
const success = ({ report, name, mayLose }: Writer, what: string, reply: Reply): Json | undefined => {
  if (reply.status === 200 || reply.status === 201) return reply.body
  if (mayLose && mayBeGone(reply)) return undefined
  report.found('I1', `${name} was refused ${what}: ${reply.status} ${JSON.stringify(reply.body).slice(0, 200)}`)
  return undefined
}

/** Others may have deleted it meanwhile, so these refusals are right. */
const mayBeGone = ({ status }: Reply) => status === 404 || status === 400

const textOf = ({ name, random }: Writer, what: string, nth: number) =>
  `${what} ${nth} of ${name} ${random.whole(0, 2 ** 31)}`
const keyOf = ({ random }: Writer) => random.bytes(12).toString('hex')

const send = async (writer: Writer, { chatId }: Gathering, nth: number, reply?: AcknowledgedWrite) => {
  const { ask, ledger, person } = writer
  const said: ContentWrite = {
    kind: 'message',
    place: chatId,
    author: person.id,
    key: keyOf(writer),
    texts: [textOf(writer, 'message', nth)],
  }
  ledger.attempt(said)
  const form = {
    group_chat_id: chatId,
    message_content: said.texts[0] as string,
    ...(reply && { message_reply_id: reply.id }),
  }
  const answer = await insist(ask, 'POST', 'api/message', { token: person.token, key: said.key, form })
  if (reply && mayBeGone(answer)) return
  const body = success(writer, 'a message', answer)
  if (body) ledger.acknowledge(said, Number(body.id))
}

const gatheringOf = ({ party, random }: Writer) => (random.chance(0.6) ? party.loud : party.quiet)

const acts: Record<ActName, Act> = {
  say: (writer, nth) => send(writer, gatheringOf(writer), nth),
  async answer(writer, nth) {
    const gathering = gatheringOf(writer)
    const there = believedOf(writer, 'message', gathering.chatId).slice(-20)
    if (there.length > 0) await send(writer, gathering, nth, writer.random.pick(there))
  },
  async change(writer, nth) {
    const { ask, ledger, person, party, random } = writer
    const own = believedOf(writer, 'message', party.loud.chatId, person.id).slice(-20)
    if (own.length === 0) return
    const one = random.pick(own)
    const text = textOf(writer, 'changed message', nth)
    ledger.changes(one, text)
    const form = { group_chat_id: party.loud.chatId, message_id: one.id, message_content: text }
    const key = keyOf(writer)
    if (success(writer, 'a change', await insist(ask, 'POST', 'api/message', { token: person.token, key, form })))
      ledger.changed(one)
  },
  async remove(writer) {
    const { ask, ledger, person, party, random } = writer
    const own = believedOf(writer, 'message', party.loud.chatId, person.id)
    if (own.length < 5) return
    const one = random.pick(own)
    ledger.deletes(one)
    const answer = await insist(ask, 'DELETE', `api/message/${one.id}`, { token: person.token })
    // A retry of a deletion whose answer was lost finds nothing.
    if (answer.status === 404 || success(writer, 'a deletion', answer)) ledger.deleted(one)
  },
  async react(writer) {
    const { ask, ledger, person, random } = writer
    const there = believedOf(writer, 'message', gatheringOf(writer).chatId).slice(-20)
    if (there.length === 0) return
    const one = random.pick(there)
    const message_reaction = random.pick(emojis)
    const answer = await insist(ask, 'PUT', `api/message/react/${one.id}`, {
      token: person.token,
      json: { message_reaction },
    })
    if (mayBeGone(answer) && one.changing) return
    if (mayBeGone(answer) && one.deleted) return
    if (success(writer, 'a reaction', answer))
      ledger.note({ kind: 'reaction', by: person.id, to: one.id, emoji: message_reaction })
  },
  async see(writer) {
    const { ask, person } = writer
    const there = believedOf(writer, 'message', gatheringOf(writer).chatId).slice(-5)
    const one = there[0]
    if (!one) return
    const answer = await insist(ask, 'PUT', `api/message/seen/${one.id}`, { token: person.token })
    if (!mayBeGone(answer)) success(writer, 'a seen mark', answer)
  },
  async upload(writer) {
    const { ask, ledger, person, party, random } = writer
    const { bytes, pixels } = await pictureOf(random)
    const said: ContentWrite = {
      kind: 'photo',
      place: party.loud.eventId,
      author: person.id,
      key: keyOf(writer),
      texts: [pixels],
    }
    ledger.attempt(said)
    const files = [{ field: 'image', name: 'photo.jpg', type: 'image/jpeg', bytes }]
    const form = { event_id: party.loud.eventId }
    const answer = await insist(ask, 'POST', 'api/gallery/upload', { token: person.token, key: said.key, form, files })
    const body = success(writer, 'a photo', answer)
    if (body) ledger.acknowledge(said, Number(body.id))
  },
  async like(writer) {
    const { ask, ledger, person, party, random } = writer
    const there = believedOf(writer, 'photo', party.loud.eventId)
    if (there.length === 0) return
    const one = random.pick(there)
    const answer = await insist(ask, 'PUT', `api/gallery/photo/like/${one.id}`, { token: person.token })
    if (success(writer, 'a like', answer)) ledger.note({ kind: 'like', by: person.id, to: one.id })
  },
  async comment(writer, nth) {
    const { ask, ledger, person, party, random } = writer
    const there = believedOf(writer, 'photo', party.loud.eventId)
    if (there.length === 0) return
    const photo = random.pick(there)
    const said: ContentWrite = {
      kind: 'comment',
      place: photo.id,
      author: person.id,
      key: keyOf(writer),
      texts: [textOf(writer, 'comment', nth)],
    }
    ledger.attempt(said)
    const json = { event_photo_id: photo.id, event_photo_comment: said.texts[0] }
    const answer = await insist(ask, 'POST', 'api/gallery/comment', { token: person.token, key: said.key, json })
    const body = success(writer, 'a comment', answer)
    if (body) ledger.acknowledge(said, Number(body.id))
  },
}
