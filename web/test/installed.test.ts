import { afterEach, expect, test, vi } from 'vitest'
import { isKeepable, pictureKey, picturesMax, tooMany } from '../src/app/cache/pictures-cache.ts'
import { openOfflinePictures } from '../src/installed/offline-pictures.ts'
import { landedBy, landingAt, pushedFrom, shownAs, windowFor } from '../src/installed/push-display.ts'
import { heldFor, isOfThisBuild, isPage, shellOf } from '../src/installed/shell-files.ts'

const origin = 'https://party.example'
const { name, paths } = shellOf([
  { url: 'index.html', revision: 'r1' },
  { url: 'assets/app-1a2b.js', revision: null },
  { url: 'icon.svg', revision: 'r2' },
])
const navigated = (path: string) => heldFor({ method: 'GET', mode: 'navigate', url: origin + path }, origin, paths)
const loaded = (path: string, more = {}) =>
  heldFor({ method: 'GET', mode: 'cors', url: origin + path, ...more }, origin, paths)

test.each(['/', '/events/7/chat?message=9', '/j/abc', '/settings/notifications'])('%s opens offline', path =>
  expect(navigated(path)).toBe('/'),
)

test.each([
  '/api/account/oauth/google',
  '/media/7/photo',
  '/realtime/',
  '/docs',
  '/docs/openapi.json',
  '/metrics',
  '/assets/gone-9f.js',
  '/unsubscribe/abc',
  '/j/abc/qr.svg',
  '/j/abc/qr.png?size=600',
])('%s is always requested from the service', path => {
  expect(navigated(path)).toBeUndefined()
  expect(loaded(path)).toBeUndefined()
})

test('the shell has files of the build, and nothing else', () => {
  expect(loaded('/assets/app-1a2b.js')).toBe('/assets/app-1a2b.js')
  expect(loaded('/icon.svg')).toBe('/icon.svg')
  // Loaded, not opened: a caller asks the service for data.
  expect(loaded('/')).toBeUndefined()
  expect(loaded('/events/7')).toBeUndefined()
  expect(loaded('/assets/app-1a2b.js', { method: 'POST' })).toBeUndefined()
  expect(loaded('', { url: 'https://other.example/icon.svg' })).toBeUndefined()
})

test('each build has a shell of its own, and uses no page of another', () => {
  expect(shellOf([{ url: 'index.html', revision: 'r9' }]).name).not.toBe(name)
  expect(isOfThisBuild('<script src="/assets/app-1a2b.js"><link href="/icon.svg">', paths)).toBe(true)
  expect(isOfThisBuild('<script src="/assets/app-9z9z.js">', paths)).toBe(false)
})

const push = { id: '12', kind: 'message', title: 'Olivia', body: 'Hello', link: '/events/7', tag: 'chat:7', unread: 3 }

test.each([undefined, '', 'no JSON', 'null', '7', '{"title":5,"link":null}'])(
  'a push of %s still shows something',
  text => {
    const pushed = pushedFrom(text)
    expect(pushed).toMatchObject({ title: 'Afterglow', link: '/notifications', unread: undefined })
    expect(shownAs(pushed, false, false).tag).not.toBe('')
  },
)

test.each(['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', 'events/7'])(
  'a tap never opens %s',
  link => expect(pushedFrom(JSON.stringify({ ...push, link })).link).toBe('/notifications'),
)

test('a duplicate replaces silently, a new notification rings, and one shown by the open app stays silent', () => {
  const pushed = pushedFrom(JSON.stringify(push))
  expect(shownAs(pushed, false, false)).toMatchObject({ tag: 'chat:7', renotify: true, silent: false })
  expect(shownAs(pushed, true, false)).toMatchObject({ tag: 'chat:7', renotify: false, silent: false })
  expect(shownAs(pushed, false, true)).toMatchObject({ tag: 'chat:7', renotify: false, silent: true })
})

test('a push shows a picture of our own, and none from elsewhere', () => {
  const imageOf = (images: unknown) => shownAs(pushedFrom(JSON.stringify({ ...push, images })), false, false).image
  expect(imageOf(['/media/1/preview?e=1', '/media/2/preview?e=1'])).toBe('/media/1/preview?e=1')
  expect(imageOf(['https://elsewhere.example/media/1', '//elsewhere.example/media/', 7])).toBeUndefined()
  expect(imageOf(undefined)).toBeUndefined()
})

test('a push names notifications read elsewhere, and nothing else counts as ids', () => {
  expect(pushedFrom(JSON.stringify({ ...push, read: ['9', '10'] })).read).toEqual(['9', '10'])
  expect(pushedFrom(JSON.stringify({ ...push, read: 'all' })).read).toEqual([])
})

test('a tap opens the focused window, and leaves the live wall and the documents alone', () => {
  const hidden = { url: `${origin}/events`, visibilityState: 'hidden' }
  const looked = { url: `${origin}/chats`, visibilityState: 'visible' }
  const wall = { url: `${origin}/events/7/wall`, visibilityState: 'visible' }
  const docs = { url: `${origin}/docs`, visibilityState: 'visible' }
  expect(windowFor([docs, wall, hidden, looked], isPage, origin)).toBe(looked)
  expect(windowFor([docs, wall, hidden], isPage, origin)).toBe(hidden)
  expect(windowFor([docs, wall], isPage, origin)).toBeUndefined()
})

test('a page opened by a tap knows its notification', () => {
  const { hash, pathname } = new URL(landingAt({ id: '12', link: '/events/7' }), origin)
  expect([pathname, landedBy(hash)]).toEqual(['/events/7', 12])
  expect(landedBy('')).toBeUndefined()
  expect(landingAt({ id: '', link: '/notifications' })).toBe('/notifications')
})

const pictured = (path: string, more = {}) =>
  pictureKey({ method: 'GET', destination: 'image', url: origin + path, ...more }, origin)

test('a picture is stored under its URL without the signature, which changes every six hours', () => {
  expect(pictured('/media/12/preview?e=1&k=2&s=old')).toBe('/media/12/preview')
  expect(pictured('/media/12/preview?e=9&k=2&s=new')).toBe('/media/12/preview')
  expect(pictured('/media/12/preview.jpg?e=9&k=2&s=new')).toBe('/media/12/preview.jpg')
  expect(pictured('/media/initials/OO/3')).toBe('/media/initials/OO/3')
})

test.each([
  ['/media/12/video?e=1', {}],
  ['/media/12/original?e=1', {}],
  ['/media/12/original.jpg?e=1', {}],
  ['/api/media/12/preview', {}],
  ['/media/12/preview', { destination: 'video' }],
  ['/media/12/preview', { destination: '' }],
  ['/media/12/preview', { method: 'POST' }],
  ['', { url: 'https://other.example/media/12/preview' }],
])('%s (%o) is not stored as a picture', (path, more) => expect(pictured(path, more)).toBeUndefined())

test('only complete small pictures are stored, and the oldest removed', () => {
  const reply = (status: number, bytes?: number) => ({
    status,
    headers: new Headers(bytes === undefined ? {} : { 'content-length': String(bytes) }),
  })
  expect(isKeepable(reply(200, 70_000))).toBe(true)
  for (const refused of [reply(206, 70_000), reply(404, 10), reply(200, 2_000_000), reply(200)])
    expect(isKeepable(refused)).toBe(false)
  const keys = Array.from({ length: picturesMax + 2 }, (_, at) => at)
  expect(tooMany(keys)).toEqual([0, 1])
  expect(tooMany(keys.slice(0, picturesMax))).toEqual([])
})

afterEach(() => vi.useRealTimers())

/** The worker's picture cache over a store that holds the named pictures. */
const openKept = async (...names: string[]) => {
  vi.useFakeTimers()
  const reply = () => new Response('jpeg', { headers: { 'content-length': '4' } })
  const stored = new Map(names.map(name => [name, reply()]))
  const loaded: string[] = []
  const kept = openOfflinePictures({
    open: async () => ({
      match: async key => stored.get(String(key)),
      put: async (key, reply) => void stored.set(String(key), reply),
      keys: async () => [...stored.keys()].map(key => new Request(origin + key)),
      delete: async key => stored.delete(key instanceof Request ? new URL(key.url).pathname : String(key)),
    }),
    load: async url => {
      loaded.push(url)
      return url.includes('gone') ? new Response('Not found!', { status: 404 }) : reply()
    },
  })
  await vi.advanceTimersByTimeAsync(0)
  const see = (id: number | string) => void kept.saw(`/media/${id}/preview`, `${origin}/media/${id}/preview?s=now`)
  return { kept, see, loaded, ids: () => [...stored.keys()].map(key => key.split('/')[2]) }
}

test('pictures are stored once no others are requested, from the browser’s cache', async () => {
  const { see, loaded, ids } = await openKept()
  for (const id of [1, 2, 3, 2, 'gone']) {
    see(id)
    await vi.advanceTimersByTimeAsync(900)
  }
  expect(loaded).toEqual([])
  await vi.advanceTimersByTimeAsync(200)
  expect(ids()).toEqual(['1', '3', '2'])
})

test('the end of an album is stored after fast scrolling', async () => {
  const { see, loaded, ids } = await openKept('/media/9001/preview')
  for (let id = 0; id < picturesMax + 40; id++) see(id)
  await vi.advanceTimersByTimeAsync(1100)
  expect(loaded).toHaveLength(picturesMax)
  expect([ids().length, ids()[0], ids().at(-1)]).toEqual([picturesMax, '40', '339'])
})

test('only stored pictures are looked up offline; a refused one is removed', async () => {
  const { kept, see } = await openKept('/media/7/preview')
  const has = (id: number) => kept.mayHave(`/media/${id}/preview`)
  expect([has(7), has(8)]).toEqual([true, false])
  see(8)
  await vi.advanceTimersByTimeAsync(1100)
  expect(has(8)).toBe(true)
  await kept.forget('/media/7/preview')
  expect(has(7)).toBe(false)
  expect(await kept.find('/media/7/preview')).toBeUndefined()
})

test('a guest who leaves prevents pending pictures from being stored', async () => {
  const { kept, see, ids } = await openKept()
  see(1)
  await vi.advanceTimersByTimeAsync(500)
  kept.forgetAll()
  await vi.advanceTimersByTimeAsync(5000)
  expect(ids()).toEqual([])
})
