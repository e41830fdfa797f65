import { readdir, readFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Push, PushAddress } from '../platform/push/senders.ts'
import { password, people, tokenOf } from './initial-state.ts'

type RecordedPush = { at: string; platform: string; to: string; message: unknown }

/** Accepts every push as if it had been delivered, and keeps it for inspection. */
export const openPushRecorder = () => {
  const pushes: RecordedPush[] = []
  const keep = async (address: PushAddress, message: unknown) => {
    const to = address.platform === 'web' ? address.subscription.endpoint : address.token
    pushes.push({ at: new Date().toISOString(), platform: address.platform, to, message })
    return { result: 'delivered' } as const
  }
  const push: Push = {
    ways: ['web', 'android', 'ios'],
    laneOf: platform => `push ${platform}`,
    send: keep,
    clear: keep,
    close: async () => {},
  }
  return { push, pushes }
}

type Desk = { pushes: readonly RecordedPush[]; mailFolder: string; serviceUrl(): string; reset(): Promise<void> }

const mailsIn = async (folder: string) => {
  const names = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.eml')).sort()
  return Promise.all(names.map(async name => ({ name, text: await readFile(join(folder, name), 'utf8') })))
}

/** A page with the people, everything that left the service, the same as JSON, and the reset. */
export const openDesk = ({ pushes, mailFolder, serviceUrl, reset }: Desk): Server => {
  const answer = async (method: string, path: string, reply: ServerResponse) => {
    const json = (status: number, body: unknown) =>
      reply.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body, null, 2))
    if (method === 'GET' && path === '/pushes') return json(200, pushes)
    if (method === 'GET' && path === '/mails') return json(200, await mailsIn(mailFolder))
    if (method === 'GET' && path === '/') {
      const page = pageOf({ pushes, mails: await mailsIn(mailFolder), url: serviceUrl() })
      return reply.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page)
    }
    if (method === 'POST' && path === '/reset') {
      await reset()
      return json(200, { done: true })
    }
    json(404, { error: 'GET /, /pushes or /mails, or POST /reset' })
  }
  return createServer(({ method = '', url = '/', headers }, reply) => {
    // A page of another site in the same browser must neither reset it nor read along, not even under a name of its own
    // that resolves here (DNS rebinding).
    if (!ownNames.has(URL.parse(`http://${headers.host}`)?.hostname ?? '')) return void reply.writeHead(403).end()
    if (headers.origin && headers.origin !== `http://${headers.host}`) return void reply.writeHead(403).end()
    answer(method, url, reply).catch(fault => reply.writeHead(500).end(String(fault)))
  })
}

const ownNames = new Set(['127.0.0.1', 'localhost', '[::1]'])

const escaped = (text: string) => text.replaceAll(/[&<>"]/g, character => `&#${character.codePointAt(0)};`)

const pageOf = ({
  pushes,
  mails,
  url,
}: {
  pushes: readonly RecordedPush[]
  mails: { name: string; text: string }[]
  url: string
}) => `<!doctype html>
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sandbox</title>
<style>body{font:16px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}pre{overflow:auto;background:#8882;padding:.5rem}</style>
<h1>Sandbox</h1>
<p>The service is at <code>${url}</code>. <form method="post" action="/reset"><button>Back to the beginning</button></form>
<h2>People</h2>
<p>Everybody’s password is <code>${password}</code>.</p>
<ul>${people.map(({ username }, at) => `<li>${at + 1} · ${username} · <code>${tokenOf(username)}</code></li>`).join('')}</ul>
<h2>Pushes (${pushes.length})</h2>
${[...pushes]
  .reverse()
  .map(each => `<pre>${escaped(JSON.stringify(each, null, 2))}</pre>`)
  .join('')}
<h2>Mails (${mails.length})</h2>
${mails
  .reverse()
  .map(({ text }) => `<pre>${escaped(text)}</pre>`)
  .join('')}
`
