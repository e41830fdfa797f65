import { connect } from '@afterglow/sdk/realtime'
import { expect, test, vi } from 'vitest'
import { openTestApp } from './app.ts'
import { enter } from './cast.ts'
import { needing } from './needing.ts'
import { openNginx, upgrading } from './nginx.ts'
import { bringIn, evening } from './party.ts'
import { nginx } from './tools.ts'
import { whenDone } from './when-done.ts'

const soon = { timeout: 60_000 }

needing(nginx).describe('behind an nginx that lets no WebSocket through', async () => {
  const app = await openTestApp()
  const nginx = await openNginx(app.url, { location: '' })
  const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
  const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, id, gus)

  const follow = (cursor?: string) => {
    const requests: string[] = []
    const looks = { at: true }
    const channel = connect(
      {
        baseUrl: nginx.url,
        token: gus.token,
        fetch: async (url, init) => {
          requests.push(String(url))
          return fetch(url, init)
        },
      },
      { mayAsk: () => looks.at, ...(cursor && { cursor }) },
    )
    whenDone(async () => channel.close())
    const words: string[] = []
    const states: string[] = []
    channel.on('message.created', ({ message_content }) => words.push(message_content))
    for (const state of ['live', 'lost', 'asking', 'stale'] as const) channel.when(state, () => states.push(state))
    return { channel, requests, looks, words, states }
  }
  const say = async (...all: string[]) => {
    for (const message_content of all) await olivia.api.chats.saveMessage({ group_chat_id, message_content })
  }

  test('a client without a cursor is told to load everything, and then hears updates', {
    tags: 'slow',
  }, async () => {
    const { words, states } = follow()
    await expect.poll(() => states, soon).toContain('stale')
    await say('eight')
    await expect.poll(() => words, soon).toEqual(['eight'])
  })

  test('a client whose app is hidden polls nothing, and polls at once when it is woken', {
    tags: 'slow',
  }, async () => {
    const { channel, requests, looks, words, states } = follow()
    await expect.poll(() => states, soon).toContain('asking')
    looks.at = false
    // A WebSocket may be on its way.
    await new Promise(resolve => setTimeout(resolve, 1_000))
    requests.length = 0
    await new Promise(resolve => setTimeout(resolve, 7_000))
    expect(requests).toEqual([])
    await say('nine')
    looks.at = true
    channel.wake()
    await expect.poll(() => words, soon).toEqual(['nine'])
  })

  test('a client polls less often when nothing happens', { tags: 'slow' }, async () => {
    const { requests, states } = follow()
    await expect.poll(() => states, soon).toContain('asking')
    await new Promise(resolve => setTimeout(resolve, 6_000))
    requests.length = 0
    await new Promise(resolve => setTimeout(resolve, 13_000))
    expect(requests.length).toBeGreaterThan(0)
    expect(requests.length).toBeLessThanOrEqual(3)
  })

  test('a client hears everything once, in order, by polling, and over the channel once it connects', async () => {
    const { cursor } = await gus.api.notifications.syncRealtime({})
    await say('one', 'two')
    const { channel, words, states } = follow(cursor)
    await expect.poll(() => words, soon).toEqual(['one', 'two'])
    await say('three', 'four', 'five')
    await expect.poll(() => words, soon).toEqual(['one', 'two', 'three', 'four', 'five'])
    await expect.poll(() => states, soon).toEqual(['asking'])
    nginx.change(upgrading)
    await say('six')
    await vi.waitFor(() => {
      channel.wake()
      expect(states).toEqual(['asking', 'live'])
    }, soon)
    await say('seven')
    await expect.poll(() => words, soon).toEqual(['one', 'two', 'three', 'four', 'five', 'six', 'seven'])
  })
})
