import { pino } from 'pino'
import { afterAll, expect, test, vi } from 'vitest'
import { needing } from '../../../test/needing.ts'
import { openTestRedis } from '../../../test/redis.ts'
import { redis } from '../../../test/tools.ts'
import { openPresence } from '../../accounts/sessions/presence.ts'
import { openRateLimits } from '../http/limits.ts'
import { TooMany } from '../http/refusals.ts'
import { openRedis } from './redis.ts'

needing(redis).describe('with a Redis', async () => {
  const redis = await openTestRedis()
  const log = pino({ level: 'silent' })
  const open = async (prefix = 'one instance', url = redis.url) => {
    const shared = await openRedis(url, prefix, log)
    afterAll(() => shared.close())
    await back(shared)
    return shared
  }
  const back = (shared: Awaited<ReturnType<typeof openRedis>>) =>
    vi.waitFor(
      async () =>
        expect(
          await shared.ask(
            r => r.ping(),
            () => 'away',
          ),
        ).toBe('PONG'),
      { timeout: 60_000 },
    )
  const [one, other] = await Promise.all([open(), open()])

  test('instances on one Redis share nothing, whatever their database number', async () => {
    const another = await open('another instance', `${redis.url}/3`)
    const heard: string[] = []
    another.listen('typing', message => heard.push(`another ${message}`))
    other.listen('typing', message => heard.push(`ours ${message}`))
    await vi.waitFor(() => {
      one.publish('typing', 'olivia')
      expect(heard).toContain('ours olivia')
    })
    another.publish('typing', 'mallory')
    await vi.waitFor(() => {
      another.publish('typing', 'mallory')
      expect(heard).toContain('another mallory')
    })
    expect(new Set(heard)).toEqual(new Set(['ours olivia', 'another mallory']))

    const sameDatabase = await open('a third instance')
    await openRateLimits(1, sameDatabase).spend('prefixed', 1, 3)
    expect(await openRateLimits(1, one).spend('prefixed', 1, 3)).toEqual({ limit: 3, remaining: 2 })
    const [here, there] = [openPresence(one), openPresence(sameDatabase)]
    await here.ping(4711)
    expect([...(await there.activeOf([4711]))]).toEqual([])
    expect([...(await openPresence(other).activeOf([4711]))]).toEqual([4711])
  })

  test('two processes share one rate limit bucket', async () => {
    const [here, there] = [openRateLimits(1, one), openRateLimits(1, other)]
    expect(await here.spend('op', 7, 3)).toEqual({ limit: 3, remaining: 2 })
    expect(await there.spend('op', 7, 3)).toEqual({ limit: 3, remaining: 1 })
    await here.giveBack('op', 7, 3)
    expect(await there.spend('op', 7, 3)).toEqual({ limit: 3, remaining: 1 })
    await here.spend('op', 7, 3)
    await expect(there.spend('op', 7, 3)).rejects.toBeInstanceOf(TooMany)
    expect(await there.spend('op', 8, 3)).toEqual({ limit: 3, remaining: 2 })
  })

  test('a device that pings one process is active for the other, until it signs off anywhere', async () => {
    const [here, there] = [openPresence(one), openPresence(other)]
    await here.ping(1)
    await here.ping(2)
    expect([...(await there.activeOf([1, 2, 3]))]).toEqual([1, 2])
    await there.disconnect(1)
    expect([...(await here.activeOf([1, 2, 3]))]).toEqual([2])
    here.close()
    there.close()
  })

  test('a device connected to one process that pinged another is active until its socket closes', async () => {
    const [here, there] = [openPresence(one), openPresence(other)]
    here.connected(11)
    await there.ping(11)
    await one.ask(
      r => r.del('presence:fresh:11'),
      () => 0,
    )
    await vi.waitFor(async () => expect([...(await there.activeOf([11]))]).toEqual([11]), 20_000)
    here.left(11)
    await vi.waitFor(async () => expect([...(await there.activeOf([11]))]).toEqual([]), 20_000)
    here.connected(11)
    await vi.waitFor(
      async () =>
        expect(
          await one.ask(
            r => r.exists('presence:open:11'),
            () => 0,
          ),
        ).toBe(1),
      20_000,
    )
    expect([...(await there.activeOf([11]))]).toEqual([])
    here.close()
    there.close()
  })

  test.each([
    ['stalled', () => redis.stall(), () => redis.goOn()],
    ['stopped', () => redis.stop(), () => redis.start()],
  ] as const)(
    'limits and presence count per process while Redis is %s, without waiting',
    async (state, away, again) => {
      const [limits, presence] = [openRateLimits(1, one), openPresence(one)]
      await presence.ping(21)
      await away()
      const startedAt = performance.now()
      for (let left = 4; left >= 0; left--)
        expect(await limits.spend(`op ${state}`, 7, 5)).toEqual({ limit: 5, remaining: left })
      await expect(limits.spend(`op ${state}`, 7, 5)).rejects.toBeInstanceOf(TooMany)
      await presence.ping(22)
      expect([...(await presence.activeOf([21, 22, 23]))]).toEqual([21, 22])
      expect(performance.now() - startedAt, 'the patience of one command').toBeLessThan(450)
      await again()
      await back(one)
      await back(other)
      await presence.ping(24)
      expect([...(await openPresence(other).activeOf([24]))]).toEqual([24])
      presence.close()
    },
  )

  test('a published message reaches every process, also after Redis came back', async () => {
    const heard: string[] = []
    one.listen('test', message => heard.push(`one ${message}`))
    other.listen('test', message => heard.push(`other ${message}`))
    await vi.waitFor(() => {
      one.publish('test', 'hello')
      expect(heard).toEqual(expect.arrayContaining(['one hello', 'other hello']))
    })
    await redis.stop()
    one.publish('test', 'lost')
    await redis.start()
    await vi.waitFor(
      () => {
        one.publish('test', 'again')
        expect(heard).toEqual(expect.arrayContaining(['one again', 'other again']))
      },
      { timeout: 60_000 },
    )
    expect(heard).not.toContain('other lost')
  })
})
