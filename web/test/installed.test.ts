import { expect, test } from 'vitest'
import { isKeepable, pictureKey, picturesMax, tooMany } from '../src/installed/pictures.ts'
import { heldFor, isOfThisBuild, isPage, shellOf } from '../src/installed/shell-files.ts'
import { landedBy, landingAt, pushedFrom, shownAs, windowFor } from '../src/installed/shown.ts'

const origin = 'https://party.example'
const { name, paths } = shellOf([
  { url: 'index.html', revision: 'r1' },
  { url: 'assets/app-1a2b.js', revision: null },
  { url: 'icon.svg', revision: 'r2' },
])
const navigated = (path: string) => heldFor({ method: 'GET', mode: 'navigate', url: origin + path }, origin, paths)
const loaded = (path: string, more = {}) =>
  heldFor({ method: 'GET', mode: 'cors', url: origin + path, ...more }, origin, paths)

test.each(['/', '/events/7/chat?message=9', '/j/abc', '/settings/notifications'])('%s opens without a network', path =>
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
  '/j/abc/qr.svg',
  '/j/abc/qr.png?size=600',
])('%s is always asked of the service', path => {
  expect(navigated(path)).toBeUndefined()
  expect(loaded(path)).toBeUndefined()
})

test('files of the build come from the shell, and nothing else does', () => {
  expect(loaded('/assets/app-1a2b.js')).toBe('/assets/app-1a2b.js')
  expect(loaded('/icon.svg')).toBe('/icon.svg')
  // Loaded, not opened: somebody asks the service for data.
  expect(loaded('/')).toBeUndefined()
  expect(loaded('/events/7')).toBeUndefined()
  expect(loaded('/assets/app-1a2b.js', { method: 'POST' })).toBeUndefined()
  expect(loaded('', { url: 'https://other.example/icon.svg' })).toBeUndefined()
})

test('each build has a shell of its own, and takes no page of another', () => {
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
  'a tap never leads to %s',
  link => expect(pushedFrom(JSON.stringify({ ...push, link })).link).toBe('/notifications'),
)

test('a twin replaces silently what is shown, what is new rings, and what the open app showed stays silent', () => {
  const pushed = pushedFrom(JSON.stringify(push))
  expect(shownAs(pushed, false, false)).toMatchObject({ tag: 'chat:7', renotify: true, silent: false })
  expect(shownAs(pushed, true, false)).toMatchObject({ tag: 'chat:7', renotify: false, silent: false })
  expect(shownAs(pushed, false, true)).toMatchObject({ tag: 'chat:7', renotify: false, silent: true })
})

test('a tap goes to the window that is looked at, and leaves the live wall and the documents alone', () => {
  const hidden = { url: `${origin}/events`, visibilityState: 'hidden' }
  const looked = { url: `${origin}/chats`, visibilityState: 'visible' }
  const wall = { url: `${origin}/events/7/wall`, visibilityState: 'visible' }
  const docs = { url: `${origin}/docs`, visibilityState: 'visible' }
  expect(windowFor([docs, wall, hidden, looked], isPage)).toBe(looked)
  expect(windowFor([docs, wall, hidden], isPage)).toBe(hidden)
  expect(windowFor([docs, wall], isPage)).toBeUndefined()
})

test('a page that is opened by a tap knows which notification led there', () => {
  const { hash, pathname } = new URL(landingAt({ id: '12', link: '/events/7' }), origin)
  expect([pathname, landedBy(hash)]).toEqual(['/events/7', 12])
  expect(landedBy('')).toBeUndefined()
  expect(landingAt({ id: '', link: '/notifications' })).toBe('/notifications')
})

const pictured = (path: string, more = {}) =>
  pictureKey({ method: 'GET', destination: 'image', url: origin + path, ...more }, origin)

test('a picture is kept under its address without the signature, of which there is a new one every six hours', () => {
  expect(pictured('/media/12/preview?e=1&k=2&s=old')).toBe('/media/12/preview')
  expect(pictured('/media/12/preview?e=9&k=2&s=new')).toBe('/media/12/preview')
  expect(pictured('/media/initials/OO/3')).toBe('/media/initials/OO/3')
})

test.each([
  ['/media/12/video?e=1', {}],
  ['/media/12/original?e=1', {}],
  ['/api/media/12/preview', {}],
  ['/media/12/preview', { destination: 'video' }],
  ['/media/12/preview', { destination: '' }],
  ['/media/12/preview', { method: 'POST' }],
  ['', { url: 'https://other.example/media/12/preview' }],
])('%s (%o) is no picture to keep', (path, more) => expect(pictured(path, more)).toBeUndefined())

test('only what came whole and small is kept, and the oldest goes', () => {
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
