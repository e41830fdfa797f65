/**
 * `npm run examples -- <paths of tests>`: runs tests and records the service's answers in contract/src/examples.json,
 * and its channel and push messages in contract/src/channel-examples.json, which the documents show. Without paths it
 * runs all tests, which takes as long as they do. Undocumented records are dropped.
 */
import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChannelExamples } from '../contract/src/channel-examples.ts'
import { notificationKinds } from '../contract/src/notifications.ts'
import { fieldsOf } from '../contract/src/openapi/code-samples.ts'
import { operations } from '../contract/src/operations.ts'
import { channelEvents } from '../contract/src/realtime.ts'
import { anyCodes } from '../contract/src/refusal-codes.ts'
import { streams } from '../contract/src/streams.ts'
import { channelPrefix, type HeardInTests } from '../server/test/channel-recorder.ts'
import { type Examples, mergeExamples, renewExamples } from '../server/test/examples.ts'
import { openPushServices } from '../server/test/push/on-the-wire.ts'

const file = join(import.meta.dirname, '../contract/src/examples.json')
const folder = await mkdtemp(join(tmpdir(), 'afterglow-examples-'))
const env = { ...process.env, RECORD_EXAMPLES: folder }
const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'test.ts'), ...process.argv.slice(2)], {
  env,
  stdio: 'inherit',
})
let examples: Examples = {}
const heard: HeardInTests = { events: {}, pushes: {} }
for (const name of await readdir(folder)) {
  const seen = JSON.parse(await readFile(join(folder, name), 'utf8'))
  if (!name.startsWith(channelPrefix)) examples = mergeExamples(examples, seen)
  else for (const part of ['events', 'pushes'] as const) Object.assign(heard[part], seen[part])
}
await rm(folder, { recursive: true })
const older: Examples = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'))
for (const operation of operations) {
  const example = older[operation.name]
  if (example?.request && !operation.input.safeParse(fieldsOf(operation, example.request)).success)
    delete example.request
}
const replies = new Map(operations.map(({ name, reply }) => [name, reply]))
const renewed = renewExamples(older, examples, (name, body) => replies.get(name)?.safeParse(body).success ?? true)
const inOrder = <Value>(record: Record<string, Value>, known: (key: string) => boolean = () => true) =>
  Object.fromEntries(
    Object.entries(record)
      .filter(([key]) => known(key))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )
const codes = new Map([...operations, ...streams].map(({ name, refusals }) => [name, new Set(Object.keys(refusals))]))
const general = new Set<string>(anyCodes)
const kept = Object.fromEntries(
  Object.entries(inOrder(renewed, name => codes.has(name))).map(([name, { request, replies, refusals }]) => [
    name,
    {
      ...(request && { request }),
      replies: inOrder(replies),
      refusals: inOrder(refusals, code => general.has(code) || codes.get(name)?.has(code) === true),
    },
  ]),
)
await writeFile(file, `${JSON.stringify(kept, null, 1)}\n`)

const channelFile = join(import.meta.dirname, '../contract/src/channel-examples.json')
const told: ChannelExamples = JSON.parse(await readFile(channelFile, 'utf8').catch(() => '{"events":{},"pushes":{}}'))
Object.assign(told.events, heard.events)
const services = await openPushServices()
for (const [kind, message] of Object.entries(heard.pushes)) told.pushes[kind] = await services.send(message)
told.clearings = await services.clear({ unread: 2, read: ['31', '32'] })
await services.close()
const channelKept = {
  events: inOrder(told.events, kind => kind === 'ready' || kind in channelEvents),
  clearings: told.clearings,
  pushes: inOrder(told.pushes, kind => notificationKinds.some(known => known === kind)),
}
await writeFile(channelFile, `${JSON.stringify(channelKept, null, 1)}\n`)
process.exitCode = status ?? 1
