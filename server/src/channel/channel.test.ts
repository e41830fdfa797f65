import { once } from 'node:events'
import { connect } from 'node:net'
import { channelMessageBytesMax, channelSocketsPerUser } from '@afterglow/contract/realtime'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter } from '../../test/cast.ts'
import { listen } from '../../test/channel.ts'
import { closed } from '../../test/closed.ts'
import { bringIn, evening, party } from '../../test/party.ts'
import { openRawSocket, upgradeFrom } from '../../test/raw-socket.ts'

const app = await openTestApp({}, { env: { CORS_ORIGINS: 'https://party.example' } })

const first = async (texts: string[], start: string) =>
  vi.waitFor(() => {
    const found = texts.find(text => text.startsWith(start))
    expect(found).toBeDefined()
    return found as string
  })

test('connecting needs a living token; all others are refused alike', async () => {
  const [living, expired, revoked, suspended] = await Promise.all([1, 2, 3, 4].map(() => enter(app, 'sam')))
  if (!living || !expired || !revoked || !suspended) throw new Error('nobody came')
  await sql`update devices set token_expires_at = now() where user_id = ${expired.id}`.execute(app.db)
  await revoked.api.accounts.logout()
  await sql`update users set status = 3 where id = ${suspended.id}`.execute(app.db)
  const dead = [
    expired.token,
    revoked.token,
    suspended.token,
    'x'.repeat(43),
    '',
    7,
    null,
    { token: 1 },
    'y'.repeat(900),
  ]
  for (const auth of [{}, ...dead.map(token => ({ token }))]) {
    const { texts, close } = await openRawSocket(app.url, auth)
    expect(await first(texts, '44')).toBe('44{"message":"Unauthenticated.","data":{"status":401}}')
    close()
  }
  const { texts } = await openRawSocket(app.url, { token: living.token })
  await first(texts, '40')
  expect(await first(texts, '42')).toMatch(/^42\["ready",\{"cursor":"[\w.-]+"\}\]$/)
})

test('a page of another origin may not connect; our own, a listed one and an app may', async () => {
  const { host, port } = new URL(app.url)
  const from = (origin: string) => upgradeFrom(app.url, { origin })
  expect(await upgradeFrom(app.url, {})).toBe(101)
  expect(await from(`http://${host}`)).toBe(101)
  expect(await from(`https://${host}`)).toBe(101)
  expect(await from('https://party.example')).toBe(101)
  for (const origin of [
    'https://evil.example',
    'null',
    'file://',
    'capacitor://localhost',
    '',
    `http://127.0.0.1:${Number(port) + 1}`,
    'https://party.example.evil.example',
  ])
    expect([origin, await from(origin)]).toEqual([origin, 400])
  expect(await upgradeFrom(app.url, { host: 'evil.example', origin: 'https://evil.example' })).toBe(101)
  expect(await upgradeFrom(app.url, { host: 'a b' })).toBe(400)
})

test('the shells of apps may call and connect where they are listed, and no other', async () => {
  const shells = ['capacitor://localhost', 'ionic://localhost', 'tauri://localhost', 'file://', 'null']
  const listing = await openTestApp({}, { env: { CORS_ORIGINS: shells.join(',') } })
  const allowed = async (origin: string) => {
    const reply = await fetch(`${listing.url}/api/realtime/config`, { headers: { origin } })
    return [reply.headers.get('access-control-allow-origin'), await upgradeFrom(listing.url, { origin })]
  }
  for (const shell of shells) expect(await allowed(shell)).toEqual([shell, 101])
  for (const other of ['https://evil.example', 'capacitor://evil.example', 'tauri://localhost.evil'])
    expect([other, await allowed(other)]).toEqual([other, [null, 400]])
})

test('behind proxies, links, sockets and HSTS follow one rule', async () => {
  const proxied = await openTestApp({}, { env: { TRUSTED_PROXIES: '127.0.0.1' } })
  const pathOf = async (headers: Record<string, string>) => {
    const member = await enter(proxied, 'sam')
    const authorized = { authorization: `Bearer ${member.token}`, ...headers }
    const reply = await fetch(`${proxied.url}/api/message/group/list?page=1&page_length=1`, { headers: authorized })
    return [((await reply.json()) as { path: string }).path, reply.headers.has('strict-transport-security')]
  }
  const links = '/api/message/group/list'
  const host = 'party.example'
  for (const proto of ['https', 'wss', 'HTTPS', 'https, http', 'https,https', 'wss, http'])
    expect(await pathOf({ 'x-forwarded-proto': proto, 'x-forwarded-host': `${host}, inner.example` })).toEqual([
      `https://${host}${links}`,
      true,
    ])
  for (const proto of ['http', 'ws', 'ftp', '', 'http, https'])
    expect(await pathOf({ 'x-forwarded-proto': proto, 'x-forwarded-host': host })).toEqual([
      `http://${host}${links}`,
      false,
    ])
})

test('only WebSocket leads to the channel', async () => {
  expect((await fetch(`${app.url}/realtime/?EIO=4&transport=polling`)).status).toBe(400)
})

test('an event reaches every current member once, and strangers, askers and removed guests who listen get nothing', async () => {
  const { olivia, gus, asha, sam, remy, gwen, event } = await party(app)
  const [o, g] = await Promise.all([olivia, gus].map(member => listen(app, member)))
  const others = await Promise.all([asha, sam, remy, gwen].map(member => listen(app, member)))
  // They are listening: each hears of an event of their own.
  for (const [at, member] of [asha, sam, remy, gwen].entries()) {
    const own = await member.api.events.saveEvent(evening())
    await member.api.events.cancelEvent({ event_id: own.id })
    await others[at]?.next('event.cancelled', ({ id }) => id === own.id)
    await others[at]?.next('group.updated', ({ event_id }) => event_id === own.id)
  }
  const before = others.map(({ heard }) => heard.length)
  for (const event_name of ['One', 'Two', 'Three'])
    await olivia.api.events.saveEvent({ ...evening(), event_id: event.id, event_name })
  for (const listener of [o, g]) {
    await vi.waitFor(() => expect(listener?.of('event.updated')).toHaveLength(3), { timeout: 60_000 })
    expect(listener?.of('event.updated')[2]?.event_name).toBe('Three')
    expect(listener?.eventKinds()).toEqual(['event.updated', 'event.updated', 'event.updated'])
  }
  expect(o?.of('event.updated')[0]).toMatchObject({ event_role: 'organizer', extra: { may: { manage: true } } })
  expect(g?.of('event.updated')[0]).toMatchObject({ event_role: 'guest', extra: { may: { manage: false } } })
  expect(others.map(({ heard }) => heard.length)).toEqual(before)
})

test('a removed guest hears of that, and nothing after', async () => {
  const { olivia, gus, event } = await party(app)
  const [o, g] = await Promise.all([olivia, gus].map(member => listen(app, member)))
  await olivia.api.events.removeGuest({ event_id: event.id, user_id: gus.id })
  await olivia.api.events.saveEvent({ ...evening(), event_id: event.id, event_name: 'Without Gus' })
  await o?.next('event.updated')
  const gone = { event_id: event.id, event_guests_count: 1, user_id: gus.id, removed: true }
  expect(await g?.next('guest.left')).toEqual(gone)
  expect(g?.eventKinds()).toEqual(['guest.left'])
  expect(o?.of('guest.left')).toEqual([gone])
})

test('nobody hears of an act that fails', async () => {
  const { olivia, gus, event } = await party(app)
  const g = await listen(app, gus)
  await expect(gus.api.events.cancelEvent({ event_id: event.id })).rejects.toThrow()
  await olivia.api.events.cancelEvent({ event_id: event.id })
  await g.next('event.cancelled')
  expect(g.eventKinds()).toEqual(['event.cancelled'])
})

test('URLs in events lead to where the client came in', async () => {
  const { olivia, gus } = await party(app)
  const { id } = await olivia.api.events.saveEvent(evening())
  const byName = { url: app.url.replace('127.0.0.1', 'localhost') }
  const [here, there] = await Promise.all([listen(app, olivia), listen(byName, olivia)])
  await bringIn(olivia, id, gus)
  const urls = await Promise.all([here, there].map(async l => (await l.next('join.requested')).user.user_avatar_url))
  expect(urls.map(url => new URL(url).hostname)).toEqual(['127.0.0.1', 'localhost'])
})

test('the channel takes nothing from clients: an event, a long message or a flood closes their socket, and theirs alone', async () => {
  const { olivia, gus, event } = await party(app)
  const g = await listen(app, gus)
  const attempts = {
    'an event': ['42["message.created",{"id":"1"}]'],
    'joining a room': [`42["join","user:${olivia.id}"]`],
    'an event with an acknowledgement': ['421["anything"]'],
    'another connect': ['40{}', '40{}'],
    'no packet': ['4{'],
    'a binary event': ['451-["x",{"_placeholder":true,"num":0}]'],
    'a long message': [`42["x","${'x'.repeat(channelMessageBytesMax)}"]`],
    'a flood': Array.from({ length: 200 }, (_, at) => `43${at}[]`),
  }
  for (const [what, texts] of Object.entries(attempts)) {
    const raw = await openRawSocket(app.url, { token: gus.token })
    await first(raw.texts, '42["ready"')
    for (const text of texts) raw.send(text)
    expect([what, await raw.closes()]).toEqual([what, true])
  }
  const silent = await openRawSocket(app.url, { token: gus.token })
  await first(silent.texts, '42["ready"')
  silent.send('430[]')
  await olivia.api.events.cancelEvent({ event_id: event.id })
  await first(silent.texts, '42["event.cancelled"')
  await g.next('event.cancelled')
  expect(g.states.lost).toBe(0)
})

test('a user has so many sockets and no more; another user is not held up', async () => {
  const [sam, gwen] = await Promise.all([enter(app, 'sam'), enter(app, 'gwen')])
  const open = await Promise.all(
    Array.from({ length: channelSocketsPerUser }, () => openRawSocket(app.url, { token: sam.token })),
  )
  await Promise.all(open.map(({ texts }) => first(texts, '42["ready"')))
  const more = await openRawSocket(app.url, { token: sam.token })
  expect(await first(more.texts, '44')).toBe('44{"message":"Too Many Sockets.","data":{"status":429}}')
  const other = await openRawSocket(app.url, { token: gwen.token })
  await first(other.texts, '42["ready"')
  open[0]?.close()
  await vi.waitFor(async () => {
    const again = await openRawSocket(app.url, { token: sam.token })
    await first(again.texts, '42["ready"')
  })
  for (const each of open) each.close()
})

test('a client that leaves and keeps the connection is cut off: leaving and joining again piles up nothing', async () => {
  const sam = await enter(app, 'sam')
  const left = []
  for (let times = 0; times < 25; times++) {
    const raw = await openRawSocket(app.url, { token: sam.token })
    await first(raw.texts, '40')
    // Whether admitted or not.
    if (times % 2) await first(raw.texts, '42["ready"')
    raw.send('41')
    raw.send(`40${JSON.stringify({ token: sam.token })}`)
    left.push(raw)
  }
  expect(await Promise.all(left.map(raw => raw.closes(5_000)))).not.toContain(false)
})

test('one connection is one socket, however often it asks to join', async () => {
  const { olivia, gus, event } = await party(app)
  const join = `40${JSON.stringify({ token: gus.token })}`
  const raw = await openRawSocket(app.url)
  for (let times = 0; times < 5; times++) raw.send(join)
  await first(raw.texts, '42["ready"')
  await olivia.api.events.cancelEvent({ event_id: event.id })
  await Promise.race([first(raw.texts, '42["event.cancelled"'), raw.closes(5_000)])
  expect(raw.texts.filter(text => text.startsWith('40{"sid"'))).toHaveLength(1)
  expect(raw.texts.filter(text => text.startsWith('42["event.cancelled"')).length).toBeLessThan(2)
})

test('a flood of pings of the protocol below is cut off', async () => {
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `GET /realtime/?EIO=4&transport=websocket HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\n` +
      'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  )
  await once(socket, 'data')
  // Masked, without content.
  for (let times = 0; times < 200; times++) socket.write(Buffer.from([0x89, 0x80, 0, 0, 0, 0]))
  const began = performance.now()
  await closed(socket)
  expect(performance.now() - began).toBeLessThan(8_000)
})

test('a venue of 300 phones behind one address is connected at once', async () => {
  const guests = await Promise.all(Array.from({ length: 20 }, () => enter(app, 'gus')))
  const phones = await Promise.all(
    guests.flatMap(({ token }) => Array.from({ length: 15 }, () => openRawSocket(app.url, { token }))),
  )
  await Promise.all(phones.map(({ texts }) => first(texts, '42["ready"')))
  for (const phone of phones) phone.close()
})

test('a client that connects and says nothing is cut off', { tags: 'slow' }, async () => {
  const silent = await openRawSocket(app.url)
  expect(await silent.closes(12_000)).toBe(true)
})

test('an old protocol is refused in words', async () => {
  const client = connect(Number(new URL(app.url).port), '127.0.0.1')
  client.write(
    'GET /realtime/?EIO=3&transport=websocket HTTP/1.1\r\nHost: party\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  )
  let told = ''
  client.on('data', chunk => {
    told += chunk
  })
  await closed(client)
  expect(told).toMatch(/^HTTP\/1\.1 101 .+\r\n\r\nHTTP\/1\.1 400 Bad Request.+Unsupported protocol version$/s)
})
