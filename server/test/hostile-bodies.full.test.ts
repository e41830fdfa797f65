import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { enter } from './cast.ts'
import { openNodes } from './nodes.ts'
import { evening } from './party.ts'

/**
 * The node collects all its garbage on a signal: the amount of garbage is random, and memory that stays afterwards is
 * held.
 */
const collector = "data:text/javascript,process.on('SIGWINCH',()=>gc({type:'major',flavor:'last-resort'}))"
const nodes = await openNodes({ NODE_OPTIONS: `--expose-gc --import=${collector}` })
const node = nodes.first
const hostile = await enter(node, 'gus')
const authorization = `Authorization: Bearer ${hostile.token}\r\n`
const megabyte = 1024 * 1024
/** In MiB. */
const mostGrowth = 100

/** The bytes that the node holds. */
const memory = async () => {
  process.kill(node.pid, 'SIGWINCH')
  await sleep(100)
  // Answers after the collection.
  expect((await fetch(`${node.url}/healthz`)).status).toBe(200)
  return residentBytes()
}
const residentBytes = () =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${node.pid}/status`, 'utf8'))?.[1]) * 1024

const open = new Set<Socket>()
afterEach(() => {
  for (const socket of open) socket.destroy()
  open.clear()
})
type HeldConnection = { socket: Socket; said: string; ended: boolean }

/** Opens a connection that sends this and never ends; resolves once it is sent, refused or cut. */
const hold = (head: string, body: Buffer, at = node) =>
  new Promise<HeldConnection>(resolve => {
    const { port, hostname } = new URL(at.url)
    const socket = connect(Number(port), hostname)
    const held: HeldConnection = { socket, said: '', ended: false }
    open.add(socket)
    socket.on('data', chunk => {
      held.said += chunk
      resolve(held)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      held.ended = true
      resolve(held)
    })
    socket.write(`${head}Host: x\r\nTransfer-Encoding: chunked\r\n\r\n`)
    socket.write(body, () => resolve(held))
  })

const chunk = (bytes: string) => `${Buffer.byteLength(bytes).toString(16)}\r\n${bytes}\r\n`
const field = (at: number, bytes: number) =>
  `--x\r\nContent-Disposition: form-data; name="f${at}"\r\n\r\n${'é'.repeat(bytes / 2)}\r\n`
const form = (fields: number, bytes: number) =>
  Buffer.from(Array.from({ length: fields }, (_, at) => chunk(field(at, bytes))).join(''))
const multipart = 'Content-Type: multipart/form-data; boundary=x\r\n'
const urlencoded = 'Content-Type: application/x-www-form-urlencoded\r\n'
const bytewise = (bytes: number) => Buffer.from(chunk('a').repeat(bytes))

type Shape = { head: string; body: Buffer; connections: number }
const shapes: Record<string, Shape> = {
  'a form of many long fields, by strangers': {
    head: `POST /api/account/register HTTP/1.1\r\n${multipart}`,
    body: form(6, 250 * 1024),
    connections: 300,
  },
  'a form of many long fields beside a file, by somebody signed in': {
    head: `POST /api/gallery/upload HTTP/1.1\r\n${authorization}${multipart}`,
    body: form(6, 250 * 1024),
    connections: 300,
  },
  'a form that is as long as may be, but for its end': {
    head: `POST /api/account/register HTTP/1.1\r\n${urlencoded}`,
    body: Buffer.from(chunk('a'.repeat(255 * 1024))),
    connections: 300,
  },
  'a body in chunks of a byte each': {
    head: `POST /api/account/register HTTP/1.1\r\n${urlencoded}`,
    body: bytewise(60 * 1024),
    connections: 40,
  },
  'a form in chunks of a byte each, by somebody signed in': {
    head: `POST /api/message HTTP/1.1\r\n${authorization}${multipart}`,
    body: Buffer.concat([
      Buffer.from(chunk('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n')),
      bytewise(60 * 1024),
    ]),
    connections: 40,
  },
  'a body for a path that there is not': {
    head: `POST /api/nothing HTTP/1.1\r\n${multipart}`,
    body: form(6, 250 * 1024),
    connections: 300,
  },
}

describe('connections that hold back the end of', () => {
  test.each(Object.entries(shapes))('%s cost little, and delay nobody', { timeout: 120_000 }, async (_, shape) => {
    const before = await memory()
    const held = await Promise.all(Array.from({ length: shape.connections }, () => hold(shape.head, shape.body)))
    // The sent bytes stay in the kernel until they are read.
    await sleep(2000)
    const growth = async () => Math.round(((await memory()) - before) / megabyte)
    await expect.poll(growth, { interval: 500 }).toBeLessThan(mostGrowth)
    expect(held).toHaveLength(shape.connections)
    const asked = performance.now()
    await enter(node, 'ana')
    expect(performance.now() - asked).toBeLessThan(5000)
  })
})

test('refused forms are freed with their connections', async () => {
  const small = await nodes.another({ NODE_OPTIONS: '--max-old-space-size=128' })
  const { head } = shapes['a form of many long fields beside a file, by somebody signed in'] as Shape
  const body = form(2, 250 * 1024)
  // 300 MB of text are read before they are refused.
  for (let round = 0; round < 5; round++) {
    const held = await Promise.all(Array.from({ length: 300 }, () => hold(head, body, small)))
    for (const { socket } of held) socket.destroy()
  }
  expect((await fetch(`${small.url}/healthz`)).status).toBe(200)
})

test('a trickling text body is refused after half a minute, however it trickles', async () => {
  const trickling = await hold(`POST /api/account/register HTTP/1.1\r\n${urlencoded}`, Buffer.from(chunk('a')))
  const began = performance.now()
  // Faster than the limit at which a connection is cut off as dead.
  const trickle = setInterval(() => trickling.socket.write(chunk('a'.repeat(1500))), 1000)
  await vi.waitUntil(() => trickling.said !== '' || trickling.ended, { timeout: 60_000, interval: 100 })
  clearInterval(trickle)
  expect(trickling.said).toMatch(/^HTTP\/1\.1 400 [\s\S]*The body came too slowly\./)
  expect(performance.now() - began).toBeGreaterThan(25_000)
})

test('two hundred guests join while others behind their address hold back their bodies', async () => {
  const olivia = await enter(node, 'olivia')
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  const { link_code: code } = await olivia.api.links.makeLink({ event_id })
  const { head, body } = shapes['a form that is as long as may be, but for its end'] as Shape
  await Promise.all(Array.from({ length: 300 }, () => hold(head, body)))
  const few = pLimit(20)
  const joins = Array.from({ length: 200 }, (_, n) =>
    few(() => node.as().links.joinByLink({ code, user_first_name: `Guest ${n}`, device_id: `phone ${n}` })),
  )
  expect(await Promise.all(joins)).toHaveLength(200)
})
