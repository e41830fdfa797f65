import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { screensPerLinkMax } from '@afterglow/contract/limits'
import { AfterglowError } from '@afterglow/sdk'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { wrongEvents } from '../../../test/event-state.ts'
import { quarter } from '../../../test/full.ts'
import { fillGallery } from '../../../test/gallery-state.ts'
import { quick } from '../../../test/notified.ts'
import { evening } from '../../../test/party.ts'
import { jpeg } from '../../../test/pictures.ts'
import { openRawSocket } from '../../../test/raw-socket.ts'
import { refusal, says } from '../../../test/refused.ts'

/* A link that makes nobody a guest, opened by very many and closed in the middle of everything. */

const app = await openTestApp({}, { env: { TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_FACTOR: '1' }, timing: quick })
const olivia = await enter(app, 'olivia')
const paged = { page: 1, page_length: 50 }

afterAll(async () => expect(await wrongEvents(app.db)).toEqual([]))

const image = new Blob([new Uint8Array(await jpeg({ width: 3000, height: 2000, grain: 12 }))])
const hold = async () => {
  const { id: event_id } = await olivia.api.events.saveEvent(evening({ event_visibility: 3 }))
  return { event_id, photo: await olivia.api.gallery.uploadPhoto({ event_id, image }) }
}
const statusOf = async (request: Promise<unknown>) => {
  try {
    await request
    return 200
  } catch (error) {
    if (error instanceof AfterglowError) return error.status
    throw error
  }
}

/** From one of several networks, each of them behind a proxy. */
const viewFrom = async (network: number, code: string, device_id: string) => {
  const reply = await fetch(`${app.url}/api/event/link/view/${code}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${network}` },
    body: JSON.stringify({ device_id }),
  })
  return { status: reply.status, token: (await reply.json()).token as string }
}

test('a link for looking that is opened by a thousand makes nobody a person, and each has turns of their own', async () => {
  const { event_id } = await hold()
  const { link_code } = await olivia.api.links.makeLink({ event_id, kind: 'look' })
  const before = await olivia.api.events.readEvent({ event_id })
  const many = quarter('devices that open one link', 1000)
  const tokens: string[] = []
  for (let at = 0; at < many; at += 50) {
    const batch = Array.from({ length: Math.min(50, many - at) }, (_, one) =>
      viewFrom(1 + (at % 8), link_code, `phone ${at + one}`),
    )
    for (const { status, token } of await Promise.all(batch)) {
      expect(status).toBe(200)
      tokens.push(token)
    }
  }
  expect(new Set(tokens).size).toBe(many)
  expect(await olivia.api.events.readEvent({ event_id })).toEqual(before)
  expect((await olivia.api.events.listGuests({ event_id, ...paged })).data).toHaveLength(1)
  expect((await olivia.api.links.listLinks({ event_id, ...paged })).data[0]).toMatchObject({ link_uses: many })
  const { rows } = await sql`select from users where status = 6`.execute(app.db)
  expect(rows).toHaveLength(1)

  const [greedy, patient] = [app.as(tokens[0] ?? ''), app.as(tokens[1] ?? '')]
  let status = 200
  for (let at = 0; at < 10 && status === 200; at++) {
    const turns = Array.from({ length: 40 }, () => statusOf(greedy.events.readEvent({ event_id })))
    status = Math.max(...(await Promise.all(turns)))
  }
  expect(status).toBe(429)
  expect(await statusOf(patient.events.readEvent({ event_id }))).toBe(200)
})

test('a link that is closed while its album streams and its channel is open ends the album, the token, the pictures and the channel', async () => {
  const { event_id, photo } = await hold()
  await fillGallery(app.db, { like: Number(photo.id), takenBy: olivia.id, count: 60 })
  await sql`update media set owner_id = ${olivia.id} where event_id = ${event_id}`.execute(app.db)
  const { id, link_code } = await olivia.api.links.makeLink({ event_id, kind: 'look' })
  const { token } = await app.as().links.viewByLink({ code: link_code })
  const api = app.as(token)
  const [seen] = (await api.gallery.listPhotos({ event_id, ...paged })).data
  const channel = await openRawSocket(app.url, { token })
  const { download_url, download_bytes } = await api.gallery.linkAlbum({ event_id })
  const { port, pathname, search } = new URL(download_url)
  const album = connect(Number(port), '127.0.0.1')
  album.on('error', () => {})
  album.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: test\r\n\r\n`)
  await once(album, 'readable')
  // Not read on: the rest waits on the server.
  await olivia.api.links.revokeLink({ link_id: id })
  const closed = performance.now()
  expect(await statusOf(api.gallery.listPhotos({ event_id, ...paged }))).toBe(401)
  expect((await fetch(seen?.event_photo_url ?? '')).status).toBe(404)
  expect((await fetch(download_url)).status).toBe(404)
  expect(await channel.closes(1000)).toBe(true)
  expect(performance.now() - closed).toBeLessThan(1000)
  await sleep(1100)
  let bytes = 0
  for await (const chunk of album.iterator()) bytes += chunk.length
  expect(bytes).toBeLessThan(download_bytes)
})

test('a link for a screen asks for its PIN, and says so when it is on as many screens as it may be', async () => {
  const { event_id } = await hold()
  const { link_code: code } = await olivia.api.links.makeLink({
    event_id,
    kind: 'screen',
    pin: '2468',
    shows_chat: true,
  })
  const view = (pin: string, device_id: string) => app.as().links.viewByLink({ code, pin, device_id })
  expect(await refusal(view('1357', 'laptop'))).toEqual(says('The PIN is wrong'))
  const all = Array.from({ length: screensPerLinkMax }, (_, at) => statusOf(view('2468', `screen ${at}`)))
  expect(new Set(await Promise.all(all))).toEqual(new Set([200]))
  expect(await refusal(view('2468', 'one more'))).toEqual(says('This link is open on as many devices as it can be'))
  expect(await statusOf(view('2468', 'screen 3'))).toBe(200)
})
