import { checkEverything, underLoad } from '../checks/all.ts'
import type { Reply } from '../http.ts'
import { onNetwork } from '../instance/network.ts'
import { patienceMs, until } from '../instance/processes.ts'
import type { ContentWrite } from '../ledger.ts'
import type { Part } from '../part.ts'
import { insist, type Person } from '../people/party.ts'
import { pictureOf } from '../people/pictures.ts'
import { onTestBed, type Run, type TestBed } from '../test-bed.ts'

/** Loses every fourth reply although the act is done; people retry under the same idempotency key. */
const loseReplies = (run: Run) =>
  onNetwork(run, (testBed, network) =>
    underLoad(testBed, async people => {
      const begun = network.losses()
      network.weather({ losesReplies: 0.25 })
      const lost = () => network.losses() - begun
      await until(
        `${run.count} lost replies`,
        () => lost() >= run.count || run.signal.aborted,
        patienceMs + run.count * 1000,
      )
      network.weather({})
      for (let nth = 0; nth < lost(); nth++) run.report.fault()
      await people.goesOn('an act after the losses')
    }),
  )

const atOnce = 20

/** Repeats each creating request many times at once under one key, some before a restart and some after. */
const repeat = async (run: Run) => {
  await onTestBed(run, async testBed => {
    const [writer] = testBed.party.writers as [Person]
    const photo = await insist(testBed.ask, 'POST', 'api/gallery/upload', await upload(testBed, writer))
    for (let nth = 0; nth < run.count && !run.signal.aborted; nth++) {
      const { said, path, asking } = request(testBed, writer, nth, Number(photo.body.id))
      testBed.ledger.attempt(said)
      const replies = await together(testBed, path, asking)
      if (nth % 10 === 4) {
        await testBed.service.kill()
        await testBed.service.start()
      }
      const later = await together(testBed, path, asking)
      run.report.fault()
      const all = [...replies, ...later]
      const ids = new Set(all.map(({ body }) => body.id))
      const refused = all.filter(({ status }) => status !== 200 && status !== 201)
      const found: string[] = []
      if (refused[0])
        found.push(`${path} under one key was answered ${refused[0].status} ${JSON.stringify(refused[0].body)}`)
      if (ids.size !== 1)
        found.push(
          `${path} under one key, ${all.length} times, was answered with ${ids.size} ids: ${[...ids].join(', ')}`,
        )
      run.report.checked('I1', all.length, found)
      testBed.ledger.acknowledge(said, Number(all[0]?.body.id))
      const other = await testBed.ask('POST', path, { ...asking, ...otherBody(asking) })
      run.report.checked(
        'I1',
        1,
        other.status === 400 ? [] : [`another request under a used key was answered with ${other.status}`],
      )
    }
    await checkEverything(testBed)
  })
}

type KeyedRequest = {
  said: ContentWrite
  path: string
  asking: { token: string; key: string; form?: Record<string, string | number>; json?: Record<string, unknown> }
}

const request = ({ party, random }: TestBed, writer: Person, nth: number, photoId: number): KeyedRequest => {
  const key = random.bytes(12).toString('hex')
  const text = `keyed ${nth} ${key}`
  const common = { author: writer.id, key, texts: [text] }
  if (nth % 2 === 0)
    return {
      said: { kind: 'message', place: party.quiet.chatId, ...common },
      path: 'api/message',
      asking: { token: writer.token, key, form: { group_chat_id: party.quiet.chatId, message_content: text } },
    }
  return {
    said: { kind: 'comment', place: photoId, ...common },
    path: 'api/gallery/comment',
    asking: { token: writer.token, key, json: { event_photo_id: photoId, event_photo_comment: text } },
  }
}

const otherBody = ({ form, json }: KeyedRequest['asking']) => ({
  ...(form && { form: { ...form, message_content: 'something else under the same key' } }),
  ...(json && { json: { ...json, event_photo_comment: 'something else under the same key' } }),
})

const together = ({ ask }: TestBed, path: string, asking: object): Promise<Reply[]> =>
  Promise.all(Array.from({ length: atOnce }, () => insist(ask, 'POST', path, asking)))

const upload = async ({ ledger, party, random }: TestBed, { id, token }: Person) => {
  const { bytes, pixels } = await pictureOf(random)
  const key = random.bytes(12).toString('hex')
  ledger.attempt({ kind: 'photo', place: party.loud.eventId, author: id, key, texts: [pixels] })
  const files = [{ field: 'image', name: 'photo.jpg', type: 'image/jpeg', bytes }]
  return { token, key, form: { event_id: party.loud.eventId }, files }
}

export const replies: Part[] = [
  {
    name: 'replies-lost',
    promise: 'replies are lost behind a proxy, and people ask again under the same key',
    of: 'lost replies',
    slice: 50,
    full: 10_000,
    run: loseReplies,
  },
  {
    name: 'same-key',
    promise: `one key comes ${atOnce} times at once, and again after the server was killed`,
    of: 'keys',
    slice: 10,
    full: 2000,
    run: repeat,
  },
]
