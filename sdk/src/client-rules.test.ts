import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { afterglow } from './client.ts'
import { AfterglowError } from './failure.ts'
import { patiently } from './retry.ts'
import { uploadPhoto } from './upload.ts'

type Answer = 'lost' | { status: number; retryAfterSeconds?: number }
type Vector = {
  name: string
  answers: Answer[]
  requests: number
  ends: 'answered' | 'refused'
  secondsAtLeast?: number
}
type UploadAnswer = 'lost' | 'photo' | number | { opened: string } | { offset: number }
type UploadVector = { name: string; answers: UploadAnswer[]; requests: string[]; ends: 'photo' | 'refused' }
type Rules = { retry: { vectors: Vector[] }; uploadSession: { bytes: number; vectors: UploadVector[] } }
const rules: Rules = JSON.parse(readFileSync(new URL('../../docs/client-rules.json', import.meta.url), 'utf8'))

describe('the vectors that other clients are held to hold for this one', () => {
  test.each(rules.retry.vectors)('retry: $name', async ({ answers, requests, ends, secondsAtLeast = 0 }) => {
    const sent: (string | null)[] = []
    const scripted = async (_: unknown, init?: RequestInit) => {
      sent.push(new Headers(init?.headers).get('idempotency-key'))
      const answer = answers[sent.length - 1] ?? 'lost'
      if (answer === 'lost') throw new TypeError('fetch failed')
      const { status, retryAfterSeconds } = answer
      const headers = { ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }) }
      return Response.json({}, { status, headers })
    }
    const api = afterglow({ baseUrl: 'https://party.example', token: 'token', fetch: scripted as typeof fetch })
    const act = () =>
      api.chats.saveMessage({ group_chat_id: 7, message_content: 'Hello' }, { idempotencyKey: 'chosen' })
    const began = performance.now()
    const ended = await patiently(act, [0, 0, 0, 0]).then(
      () => 'answered',
      fault => (fault instanceof AfterglowError ? 'refused' : 'lost'),
    )
    expect([ended, sent]).toEqual([ends, Array(requests).fill('chosen')])
    // A timer of Node's may fire up to a millisecond early.
    expect((performance.now() - began) / 1000).toBeGreaterThanOrEqual(secondsAtLeast - 0.001)
  })

  test.each(rules.uploadSession.vectors)('upload session: $name', async ({ answers, requests, ends }) => {
    const { bytes } = rules.uploadSession
    const at = 'https://party.example/api/gallery/upload/session'
    const sent: string[] = []
    const keys = new Set<string | null>()
    const scripted = async (address: string | URL | Request, init: RequestInit = {}) => {
      const url = String(address)
      const headers = new Headers(init.headers)
      const session = url.slice(at.length + 1)
      if (url === at) sent.push(String(init.method))
      else if (url.startsWith(at))
        sent.push([init.method, session, headers.get('upload-offset')].filter(part => part !== null).join(' '))
      else {
        sent.push(
          `use ${(init.body as FormData | undefined)?.get?.('image_session_id') ?? JSON.parse(String(init.body)).image_session_id}`,
        )
        keys.add(headers.get('idempotency-key'))
      }
      const answer = answers[sent.length - 1] ?? 'lost'
      const tus = { 'tus-resumable': '1.0.0' }
      if (answer === 'lost') throw new TypeError('fetch failed')
      if (answer === 'photo') return Response.json({ id: '1' })
      if (typeof answer === 'number')
        return new Response(answer === 404 ? 'Upload session not found!' : '{}', { status: answer })
      if ('opened' in answer)
        return new Response('', { status: 201, headers: { ...tus, location: `${at}/${answer.opened}` } })
      const told = { ...tus, 'upload-offset': String(answer.offset), 'upload-length': String(bytes) }
      return new Response(null, { status: init.method === 'HEAD' ? 200 : 204, headers: told })
    }
    const connection = { baseUrl: 'https://party.example', token: 'token', fetch: scripted as typeof fetch }
    const image = new Blob([new Uint8Array(bytes)])
    const ended = await uploadPhoto(
      connection,
      { event_id: 7, image },
      { directBytesMax: 0, retryDelays: [0, 0, 0] },
    ).then(
      () => 'photo',
      fault => (fault instanceof AfterglowError ? 'refused' : 'lost'),
    )
    expect([ended, sent]).toEqual([ends, requests])
    expect(keys.size).toBe(ends === 'photo' ? 1 : 0)
  })
})
