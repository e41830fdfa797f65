import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { later } from '../../server/test/later.ts'
import { afterglow } from './client.ts'
import { uploadPhoto } from './upload.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const never = new Promise<never>(() => {})

test('a request has a quarter of a minute, one with a picture five minutes, and ends when its caller calls it off', async () => {
  const limits = vi.spyOn(AbortSignal, 'timeout')
  const signals: AbortSignal[] = []
  const send = (async (_: unknown, { signal }: RequestInit) => {
    if (signal) signals.push(signal)
    return never
  }) as typeof fetch
  const { chats } = afterglow({ baseUrl: 'https://party.example', token: 'token', fetch: send })
  const off = new AbortController()
  const picture = new File([new Uint8Array(4)], 'picture.jpg')
  void chats.saveMessage({ group_chat_id: 7, message_content: 'Hello' }, { signal: off.signal })
  void chats.saveMessage({ group_chat_id: 7, message_content: 'Hello', attachments: [picture] })
  expect(limits.mock.calls).toEqual([[15_000], [300_000]])
  off.abort('nobody looks at it any more')
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
})

test('an upload that a silent network swallows goes on from where the service is', async () => {
  const at = 'https://party.example/api/gallery/upload/session'
  const sent: string[] = []
  const silentOnce = async (address: string | URL | Request, init: RequestInit = {}) => {
    const url = String(address)
    const offset = new Headers(init.headers).get('upload-offset')
    sent.push([init.method, url === at ? '' : url.replace(at, ''), offset].filter(Boolean).join(' '))
    const tus = { 'Tus-Resumable': '1.0.0' }
    if (url === at) return new Response(null, { status: 201, headers: { ...tus, Location: `${at}/7` } })
    if (init.method === 'HEAD')
      return new Response(null, { headers: { ...tus, 'Upload-Offset': '30', 'Upload-Length': '100' } })
    if (init.method === 'PATCH')
      return offset === '0' ? never : new Response(null, { status: 204, headers: { ...tus, 'Upload-Offset': '100' } })
    return Response.json({ id: '1' })
  }
  const connection = { baseUrl: 'https://party.example', token: 'token', fetch: silentOnce as typeof fetch }
  const photo = later(
    uploadPhoto(connection, { event_id: 1, image: new Blob([new Uint8Array(100)]) }, { directBytesMax: 10 }),
  )
  // Hashing a file is no timer.
  await vi.waitFor(() => expect(sent).toContain('PATCH /7 0'))
  await vi.advanceTimersByTimeAsync(140_000)
  expect(await photo).toEqual({ id: '1' })
  expect(sent).toEqual([
    'POST',
    'PATCH /7 0',
    'HEAD /7',
    'PATCH /7 30',
    'POST https://party.example/api/gallery/upload',
  ])
})
