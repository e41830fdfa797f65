import { expect, test, vi } from 'vitest'
import { enter, type Member } from './cast.ts'
import { listen } from './channel.ts'
import { needing } from './needing.ts'
import { openNodes } from './nodes.ts'
import { bringIn, evening } from './party.ts'
import { openTestRedis } from './redis.ts'
import { redis } from './tools.ts'

needing(redis).describe('two processes that share a Redis', async () => {
  const redis = await openTestRedis()
  const nodes = await openNodes({ REDIS_URL: redis.url, RATE_LIMIT_FACTOR: '1' })
  const { first } = nodes
  const second = await nodes.another()
  const come = () => enter(first as unknown as Parameters<typeof enter>[0], 'olivia')

  const remainingAt = async ({ url }: { url: string }, { token }: Member) => {
    const reply = await fetch(`${url}/api/account`, { headers: { authorization: `Bearer ${token}` } })
    expect(reply.status).toBe(200)
    return Number(reply.headers.get('x-ratelimit-remaining'))
  }

  test('share one budget, and know each other’s active users', async () => {
    const olivia = await come()
    const left = await remainingAt(first, olivia)
    expect(await remainingAt(second, olivia)).toBe(left - 1)
    expect(await remainingAt(first, olivia)).toBe(left - 2)

    const isActive = async () =>
      (await first.as(olivia.token).accounts.listDevices({ page: 1, page_length: 1 })).data[0]?.active
    expect(await isActive()).toBe(false)
    await second.as(olivia.token).accounts.ping()
    expect(await isActive()).toBe(true)
    await first.as(olivia.token).accounts.disconnect()
    expect(await isActive()).toBe(false)
  })

  test('announce typing to each other, with URLs of the process that the reader uses', async () => {
    const [olivia, gus] = [await come(), await come()]
    const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, event_id, gus)
    const listener = await listen(second, olivia)
    await gus.api.chats.sayTyping({ group_chat_id })
    const { user } = await listener.next('typing')
    expect(user).toMatchObject({ id: gus.id, user_avatar_url: expect.stringMatching(`^${second.url}/`) })
  })

  test.each([
    ['stalls', redis.stall, redis.goOn],
    ['dies and comes back empty', redis.stop, redis.start],
  ] as const)('still announce everything to each other when it %s', { timeout: 60_000 }, async (_, away, again) => {
    const olivia = await come()
    const { id } = await olivia.api.events.saveEvent(evening())
    const listeners = await Promise.all([first, second].map(node => listen(node, olivia)))
    const rename = async (event_name: string) => {
      await second.as(olivia.token).events.saveEvent({ ...evening(), event_id: id, event_name })
      for (const listener of listeners) await listener.next('event.updated', heard => heard.event_name === event_name)
    }
    await rename('with it')
    await away()
    const startedAt = performance.now()
    await rename('without it')
    await rename('without it still')
    expect(performance.now() - startedAt).toBeLessThan(3000)
    expect(await remainingAt(first, olivia)).toBeLessThan(120)
    await again()
    await vi.waitFor(
      async () => {
        const left = await remainingAt(first, olivia)
        expect(await remainingAt(second, olivia)).toBe(left - 1)
      },
      { timeout: 60_000, interval: 200 },
    )
    await rename('with it again')
    for (const { states, of } of listeners) {
      expect(of('event.updated')).toHaveLength(4)
      expect(states.lost).toBe(0)
    }
  })
})
