import type { Socket } from 'node:net'
import { openListener } from './listeners.ts'
import { type ApiRequest, albumPage, ask, chatPage, pathOf } from './people.ts'
import { quantile } from './statistics.ts'

/** A new user who creates events, each with a link. */
export const openHost = async (port: number) => {
  const name = crypto.randomUUID().slice(0, 8)
  const { token } = await ask(port, {
    method: 'POST',
    path: '/api/account/register',
    json: {
      user_first_name: 'Olivia',
      user_last_name: 'Host',
      user_username: name,
      user_email: `${name}@example.com`,
      user_password: name,
      user_password_confirmation: name,
      user_login_option_type: 1,
      device_id: name,
      user_timezone: 'UTC',
      user_device_platform: 'web',
    },
  })
  const post = (path: string, json: unknown) => ask(port, { method: 'POST', path, token, json })
  const makeEvent = async () => {
    const made = await post('/api/event', { event_name: 'A party', event_starts_at: '2099-01-01T00:00:00.000Z' })
    const { link_code, link_url } = await post('/api/event/link', { event_id: made.id })
    return {
      event: made.id as number,
      chat: made.group_chat_id as number,
      code: link_code as string,
      page: new URL(link_url).pathname,
    }
  }
  return { token: token as string, makeEvent }
}

export type Guest = { token: string; event: number; chat: number }

/** Phones connected to one service: the duration of each act in milliseconds, and every refusal and failure. */
export const openPhones = (port: number) => {
  const times = new Map<string, number[]>()
  const refused: string[] = []
  const note = (act: string, ms: number) => {
    const all = times.get(act) ?? []
    times.set(act, all)
    all.push(ms)
  }
  const timed = async <Result>(act: string, work: () => Promise<Result>): Promise<Result> => {
    const began = performance.now()
    const result = await work()
    note(act, performance.now() - began)
    return result
  }
  return {
    note,
    timed,
    refused,
    /** Times a request as this act and returns its reply. */
    asked: (act: string, request: ApiRequest) => timed(act, () => ask(port, request)),
    /** Runs a person's evening, or a part of it, until the first refusal. */
    try: (work: () => Promise<unknown>) =>
      work().catch((fault: Error) => {
        refused.push(fault.message)
      }),
    of: (act: string) => ({
      p50: quantile(times.get(act) ?? [], 0.5),
      p99: quantile(times.get(act) ?? [], 0.99),
    }),
    count: () => [...times.values()].reduce((sum, all) => sum + all.length, 0),
    /** Joins by the link with just a name. */
    async join(code: string, at: Omit<Guest, 'token'>, name: string): Promise<Guest> {
      const json = {
        user_first_name: name,
        device_id: crypto.randomUUID(),
        user_timezone: 'Europe/Madrid',
        user_device_platform: 'android',
      }
      const path = `/api/event/link/join/${code}`
      const { token } = await ask(port, { method: 'POST', path, key: crypto.randomUUID(), json })
      return { ...at, token }
    },
    listen: (token: string, heard: (text: string) => void = () => {}): Promise<Socket> =>
      openListener({ port, token, frame: (bytes, start, end) => heard(bytes.toString('utf8', start, end)) }),
    /** Reads the chat, the album, and this many pictures. */
    async read({ token, event, chat }: Guest, length: number) {
      const pages = [chatPage(chat, token), albumPage(event, token, length)].map(page => this.asked('read', page))
      const [, photos] = await Promise.all(pages)
      const first = photos.data.slice(0, 12) as { event_photo_preview_url: string }[]
      await Promise.all(first.map(photo => this.look(photo.event_photo_preview_url)))
    },
    look(url: string) {
      return this.asked('preview', { path: pathOf(url) })
    },
  }
}

export type Phones = ReturnType<typeof openPhones>
