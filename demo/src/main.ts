/** `npm run demo`: fills a fresh instance with an evening's people, chat, photos and comments. */
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { AfterglowError } from '@afterglow/sdk'
import { enterPeople } from './people.ts'
import { signIn, tell } from './story.ts'

const asked = process.argv.slice(2)
if (asked.length > 0) {
  console.log(
    'npm run demo: fills the instance at HOST:PORT (127.0.0.1:3000), or a new one that it starts, with an evening of eight people. Only a fresh instance is filled.',
  )
  process.exit(asked.includes('--help') ? 0 : 2)
}

const at = `http://${process.env.HOST ?? '127.0.0.1'}:${process.env.PORT ?? 3000}`

const answers = () =>
  fetch(`${at}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

/** Fills the instance that runs here already, or starts one that goes on until it is stopped. */
const findInstance = async () => {
  if (await answers()) return
  const main = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))
  const service = spawn(process.execPath, [main], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => service.kill(signal))
  service.on('exit', code => process.exit(code ?? 1))
  while (!(await answers())) await sleep(100)
}

await findInstance()
try {
  const { eventName, chatLines, photos, joinLink, lookLink, wallLink } = await tell(await enterPeople(at))
  console.log(`\n“${eventName}” is there, with ${chatLines} chat messages and ${photos} photos, at ${at}`)
  console.log(`Guests join with nothing but a name: ${joinLink} (to print: ${joinLink}/qr.svg)`)
  console.log(`Others only look, without a name: ${lookLink}`)
  console.log(`The wall on a screen or TV, without anybody signed in: ${wallLink}`)
  console.log(
    `Sign in as ${signIn.username} (or gus, ana, remy, gwen, rita, asha, sam) with the password: ${signIn.password}`,
  )
} catch (error) {
  if (!(error instanceof AfterglowError && error.fields.user_username)) throw error
  console.log('\nThis instance has its demo already: only a fresh one is filled.')
  console.log(`Sign in as ${signIn.username} with the password: ${signIn.password}`)
}
