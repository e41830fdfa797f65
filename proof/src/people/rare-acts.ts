import { settled } from '../instance/processes.ts'
import type { TestBed } from '../test-bed.ts'
import { filmOf } from './films.ts'
import { runProgram } from './operator.ts'
import { demand, enter, join } from './party.ts'
import { pictureOf } from './pictures.ts'
import { addRecipient, askForTests, checkTaken, type PushRecipient, underWay } from './push-recipients.ts'
import type { PushService } from './push-service.ts'

export type RareAct = 'film' | 'push' | 'erasure'

/** Acts that people do too rarely to wait for: each ends whole, however often the service dies on the way. */
export type RareActs = Record<RareAct, () => Promise<void>> & {
  /** To be called once everything has settled. */
  check(): Promise<void>
}

/** A video that survived several crashes waits for up to 160 s before its next try. */
const longestPauseMs = 200_000

export const prepareRareActs = async (testBed: TestBed, provider: PushService, root: string): Promise<RareActs> => {
  const { ask, ledger, party, random, report, service } = testBed
  const { organizer, loud } = party
  const recipient = await addRecipient(testBed, provider, 'android')
  const slept: PushRecipient[] = []
  const films: number[] = []
  const erased: number[] = []

  return {
    async film() {
      const { bytes, pixels } = await pictureOf(random)
      const key = random.bytes(12).toString('hex')
      ledger.attempt({ kind: 'photo', place: loud.eventId, author: organizer.id, key, texts: [pixels] })
      const files = [
        { field: 'video', name: 'a.mp4', type: 'video/mp4', bytes: filmOf('mp4', key) },
        { field: 'image', name: 'a.jpg', type: 'image/jpeg', bytes },
      ]
      const form = { event_id: loud.eventId }
      const { id } = await demand(ask, 'POST', 'api/gallery/upload', { token: organizer.token, key, form, files })
      films.push(Number(id))
    },

    async push() {
      await askForTests(testBed, [recipient])
      slept.push({ ...recipient })
    },

    async erasure() {
      const person = await enter(ask, 'leaver')
      await join(ask, person, loud)
      const words = `the last words of ${person.username}`
      const key = random.bytes(12).toString('hex')
      ledger.attempt({ kind: 'message', place: loud.chatId, author: person.id, key, texts: [words] })
      const form = { group_chat_id: loud.chatId, message_content: words }
      await demand(ask, 'POST', 'api/message', { token: person.token, key, form })
      erased.push(person.id)
      await runCommand(service.dataDir, root, ['users', 'erase', person.username, '--content', '--yes'])
    },

    async check() {
      const stateOfFilms = async () =>
        (
          await service.sql<{ id: number; state: string }>(
            'select p.id, v.state from videos v join photos p on p.media_id = v.media_id where p.id = any($1)',
            [films],
          )
        ).filter(({ state }) => state !== 'ready')
      const unready = await settled(stateOfFilms, longestPauseMs)
      report.checked(
        'I3',
        films.length,
        unready.map(({ id, state }) => `the film of photo ${id} is ${state}`),
      )
      await settled(() => underWay(testBed, slept))
      await checkTaken(testBed, provider, slept)
      const left = () =>
        service.sql<{ id: number; erased: boolean; said: boolean }>(
          `select u.id, u.erased_at is not null as erased,
             exists (select from messages m where m.user_id = u.id and m.content <> '') as said
           from users u where u.id = any($1) and (u.erased_at is null
             or exists (select from messages m where m.user_id = u.id and m.content <> ''))`,
          [erased],
        )
      const unerased = await settled(left)
      report.checked(
        'I5',
        erased.length,
        unerased.map(
          ({ id, said }) => `person ${id} was to be erased, and ${said ? 'what they said is there still' : 'is not'}`,
        ),
      )
    },
  }
}

/** Runs an operator's command again if the service died during it. */
const runCommand = async (dataDir: string, root: string, words: readonly string[]): Promise<void> => {
  for (let triesLeft = 3; ; triesLeft--) {
    const { code, said } = await runProgram({ root, words: ['main.ts', ...words], env: { DATA_DIR: dataDir } })
    if (code === 0) return
    if (triesLeft === 0) throw new Error(`afterglow ${words.join(' ')} ended with ${code}: ${said}`)
  }
}
