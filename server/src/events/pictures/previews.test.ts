import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { evening } from '../../../test/party.ts'
import { jpeg } from '../../../test/pictures.ts'
import { preloadsFrom } from '../../platform/web-client/preloads.ts'
import { shortCodeWords } from '../links/short-code-words.ts'

const page = `<!doctype html><head><meta name="description" content="In one place." /><title>Afterglow</title></head>`
const webClient = { current: () => ({ page, ahead: preloadsFrom(undefined), files: new Map() }) }
const app = await openTestApp({}, { webClient })
const olivia = await enter(app, 'olivia')

const headOf = async (path: string, language = 'en', more = {}) => {
  const reply = await fetch(app.url + path, { headers: { accept: 'text/html', 'accept-language': language, ...more } })
  const html = await reply.text()
  const found = [...html.matchAll(/<meta (?:property|name)="([\w:]+)" content="([^"]*)">/g)]
  return { html, tags: Object.fromEntries(found.map(([, name, content]) => [name, content])) as Record<string, string> }
}
const address = (written = '') => written.replaceAll('&amp;', '&')
const plan = async (more: Record<string, unknown> = {}) => {
  const { id } = await olivia.api.events.saveEvent(
    evening({
      event_name: 'Lanterns & "friends" <b>',
      event_starts_at: '2027-06-12T18:00:00.000Z',
      event_ends_at: '2027-06-12T22:00:00.000Z',
      event_timezone: 'America/Bogota',
      event_location: 'The secret pier',
      event_description: 'Nobody may know',
      ...more,
    }),
  )
  const link = await olivia.api.links.makeLink({ event_id: id })
  return { id, link, path: `/j/${link.link_code}` }
}

describe('a link to a private event', () => {
  let path: string
  let id: number
  beforeAll(async () => {
    ;({ path, id } = await plan({ event_visibility: 3 }))
  })

  test('tells its name, who invites, and when by the clock of where it is, and nothing that its page does not show', async () => {
    const { html, tags } = await headOf(path)
    expect(tags).toMatchObject({
      'og:title': 'Lanterns &amp; &quot;friends&quot; &lt;b&gt;',
      'og:url': app.url + path,
      'og:image': expect.stringContaining(`${app.url}${path}/cover.jpg?v=`),
      'twitter:card': 'summary_large_image',
      'twitter:title': tags['og:title'],
      description: tags['og:description'],
    })
    expect(tags['og:description']?.normalize('NFKC')).toMatch(
      /^Olivia \w+ invites you · Sat, Jun 12, 2027 · 1:00 PM–5:00 PM$/,
    )
    expect(html).toContain('<title>Lanterns &amp; &quot;friends&quot; &lt;b&gt;</title>')
    expect(html).not.toMatch(/pier|Nobody may know|<b>/)
  })

  test.each([
    ['de-AT,en;q=0.5', 'de_DE', /lädt dich ein · Sa\., 12\. Juni 2027 · 13:00–17:00/],
    ['es', 'es_ES', /te invita · Sáb, 12 jun 2027/],
    ['ar', 'ar_AR', /دعوة من .* · السبت، 12 يونيو 2027/],
    ['fr', 'en_US', /invites you/],
  ])('tells it to who asks for %s in %s', async (language, locale, words) => {
    const { tags } = await headOf(path, language)
    expect(tags['og:locale']).toBe(locale)
    expect(tags['og:description']?.normalize('NFKC')).toMatch(words)
  })

  test('shows a cover of 1200 × 630, also where nobody chose a picture', async () => {
    const sky = await fetch(`${app.url}${path}/cover.jpg`)
    expect([sky.status, sky.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    const { width, height, format } = await sharp(Buffer.from(await sky.arrayBuffer())).metadata()
    expect({ width, height, format }).toEqual({ width: 1200, height: 630, format: 'jpeg' })

    const event_avatar = new Blob([new Uint8Array(await jpeg({ width: 900, height: 900, seed: 3 }))])
    const chosen = await plan({ event_visibility: 3, event_avatar })
    const { tags } = await headOf(chosen.path)
    expect(tags['og:image']).toMatch(/cover\.jpg\?v=[\w-]+&amp;l=en$/)
    const own = Buffer.from(await (await fetch(address(tags['og:image']))).arrayBuffer())
    expect(await sharp(own).metadata()).toMatchObject({ width: 1200, height: 630 })
    expect(own.equals(Buffer.from(await (await fetch(`${app.url}${path}/cover.jpg`)).arrayBuffer()))).toBe(false)
  })

  test('its own page tells nothing to who is not in it', async () => {
    const { html } = await headOf(`/events/${id}`)
    expect(html).toBe(page)
    expect((await fetch(`${app.url}/events/${id}/cover.jpg`)).status).toBe(404)
  })
})

describe('a short address', () => {
  const kinds = [
    {},
    { kind: 'drop' },
    { kind: 'drop', photographer: true },
    { kind: 'look' },
    { kind: 'screen' },
  ] as const

  test('tells what the long one does, of each kind of link, however it is typed, until the link is closed', async () => {
    const { id: event_id } = await plan({ event_visibility: 3 })
    for (const kind of kinds) {
      const { extra, ...link } = await olivia.extra.links.makeLink({ event_id, ...kind })
      const { tags: long } = await headOf(`/j/${link.link_code}`)
      const short = extra?.short_code ?? ''
      const typed = [short, short.toLowerCase().replace('-', '%20'), `j/${short}`, `${short}/photos/9`].map(
        at => `/${at}`,
      )
      for (const path of typed) {
        const { tags } = await headOf(path)
        expect(tags, path).toEqual({ ...long, 'og:url': app.url + path })
        expect((await fetch(address(tags['og:image']))).status).toBe(200)
        // As some messengers ask.
        expect((await headOf(path, 'en', { accept: '*/*' })).tags, path).toEqual(tags)
      }
      await olivia.api.links.revokeLink({ link_id: link.id })
      for (const path of typed) await expect.poll(async () => (await headOf(path)).html).toBe(page)
    }
  })

  test('that is wrong tells nothing, and counts as a typed one does, but not in a browser nor for a scanner', async () => {
    const open = () =>
      openTestApp(
        { rateFactor: 1, signInsPerAddressPerMinute: 200 },
        { webClient, env: { TRUSTED_PROXIES: '127.0.0.1' } },
      )
    const strict = await open()
    const host = await enter(strict, 'olivia')
    const { id: event_id } = await host.api.events.saveEvent(evening())
    const short = (await host.extra.links.makeLink({ event_id })).extra?.short_code ?? ''
    const ask = async (path: string, from: string, more = {}) => {
      const headers = { accept: 'text/html', 'x-forwarded-for': from, ...more }
      const reply = await fetch(strict.url + path, { headers })
      return { status: reply.status, title: /<title>([^<]*)/.exec(await reply.text())?.[1] }
    }
    const opened = async (from: string) => (await ask(`/api/event/link/open/${short}`, from)).status
    const wrong = shortCodeWords.map(word => `/${word}-8800`)
    for (const path of wrong.slice(0, 20))
      expect(await ask(path, '203.0.113.7', { 'sec-fetch-dest': 'document' })).toEqual({
        status: 200,
        title: 'Afterglow',
      })
    for (let year = 2010; year < 2030; year++) await ask(`/backup${year}`, '203.0.113.7', { accept: '*/*' })
    expect(await ask(wrong.at(-1) ?? '', '203.0.113.8', { accept: '*/*' })).toEqual({ status: 404, title: undefined })
    expect(await opened('203.0.113.7')).toBe(200)

    for (const path of wrong.slice(20, 40)) expect((await ask(path, '203.0.113.9')).title).toBe('Afterglow')
    expect((await ask(`/${short}`, '203.0.113.9')).title).toBe('Afterglow')
    expect(await opened('203.0.113.9')).toBe(429)
    expect((await ask(`/${short}`, '203.0.113.10')).title).toBe('Midsummer at the lake')
  })
})

test('a link that lets nobody in tells nothing', async () => {
  const { link, path } = await plan()
  await olivia.api.links.revokeLink({ link_id: link.id })
  for (const each of [path, '/j/none-such', '/j/%00']) {
    expect((await headOf(each)).html).toBe(page)
    expect((await fetch(`${app.url}${each}/cover.jpg`)).status).toBe(404)
  }
})

test('the page of a public event tells where it is as well, until it is public no more', async () => {
  const { id } = await plan({ event_visibility: 1 })
  const { tags } = await headOf(`/events/${id}`)
  expect(tags['og:description']).toMatch(/^The secret pier · Sat, Jun 12/)
  expect((await fetch(address(tags['og:image']))).status).toBe(200)
  await olivia.api.events.saveEvent(evening({ event_id: id, event_visibility: 3 }))
  // Within the second that a preview is kept.
  await expect.poll(async () => (await headOf(`/events/${id}`)).html).toBe(page)
  for (const path of [`/events/${id}/chat`, '/events/0', '/events/99999999999999999999'])
    expect((await headOf(path)).html).toBe(page)
})

test('the front page says in the language of its reader what this is, over a picture', async () => {
  const { tags } = await headOf('/', 'de')
  expect(tags).toMatchObject({ 'og:title': 'Afterglow', 'og:locale': 'de_DE' })
  expect(tags['og:description']).toContain('Ein Link für deine Feier')
  const picture = await fetch(address(tags['og:image']))
  expect(await sharp(Buffer.from(await picture.arrayBuffer())).metadata()).toMatchObject({ width: 1200, height: 630 })
})

test('the picture says the name and the day: another name is another picture at another address', async () => {
  const { id, path } = await plan({ event_name: 'Lanterns' })
  const first = (await headOf(path)).tags['og:image']
  await olivia.api.events.saveEvent({ ...evening({ event_name: 'Fireflies' }), event_id: id })
  await expect.poll(async () => (await headOf(path)).tags['og:image']).not.toBe(first)
  const bytes = async (at: string | undefined) => Buffer.from(await (await fetch(address(at))).arrayBuffer())
  const second = (await headOf(path)).tags['og:image']
  expect((await bytes(first)).equals(await bytes(second?.replace('l=en', 'l=ar')))).toBe(false)
})

test('the page that the service worker keeps for every address names no event', async () => {
  const { path } = await plan()
  expect((await headOf(path, 'en', { 'sec-fetch-dest': 'empty' })).html).toBe(page)
})

test('the client’s page has the elements that a preview takes the place of', async () => {
  const html = await readFile(new URL('../../../../web/index.html', import.meta.url), 'utf8')
  expect(html).toMatch(/<title>[^<]*<\/title>/)
  expect(html).toMatch(/<meta name="description"[^>]*>/)
})

test('a page that is opened again and again is made once, and shows within a second what has changed', async () => {
  const { id, path } = await plan()
  const first = await headOf(path)
  await olivia.api.events.saveEvent({ ...evening({ event_name: 'Moved to the pier' }), event_id: id })
  await expect.poll(async () => (await headOf(path)).tags['og:title']).toBe('Moved to the pier')
  expect(first.tags['og:title']).toContain('Lanterns')
})

test('a reader of page after page gets pages without previews, and no refusal', async () => {
  const strict = await openTestApp({ rateFactor: 1, signInsPerAddressPerMinute: 3 }, { webClient })
  const host = await enter(strict, 'olivia')
  const titles = []
  for (let at = 0; at < 5; at++) {
    const { id: event_id } = await host.api.events.saveEvent(evening({ event_name: `Party ${at}` }))
    const { link_code } = await host.api.links.makeLink({ event_id })
    const reply = await fetch(`${strict.url}/j/${link_code}`, { headers: { accept: 'text/html' } })
    expect(reply.status).toBe(200)
    titles.push(/<title>([^<]*)/.exec(await reply.text())?.[1])
  }
  expect(titles).toEqual(['Party 0', 'Party 1', 'Party 2', 'Afterglow', 'Afterglow'])
})
