import { constants } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import { reasons } from '@afterglow/contract/reasons'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { later } from '../../../test/later.ts'
import { deviceToken, openApple } from '../../../test/push/apple.ts'
import { type Call, openHttp2Service, saying } from '../../../test/push/http2-service.ts'
import { pushMessage } from '../../../test/push/push-message.ts'
import { openStallingRelay } from '../../../test/push/stalling-relay.ts'
import type { Apns } from './apns.ts'

let apple: Awaited<ReturnType<typeof openApple>>
let apns: Apns
beforeAll(async () => {
  apple = await openApple()
})
beforeEach(() => {
  apple.reset()
  apns = apple.openApns()
})
afterEach(() => apns.close())
afterAll(() => apple.close())

const delivered = { result: 'delivered' }
const send = () => apns.send(deviceToken, pushMessage())

describe('the session', () => {
  const goodbye = (code: number, last: (call: Call) => number) => {
    let said = false
    apple.answers(call => {
      if (said) return saying(200)(call)
      said = true
      call.session.goaway(code, last(call))
    })
  }

  test('one session carries many pushes, and a new one follows after it was closed', async () => {
    const before = apple.opened()
    await Promise.all(Array.from({ length: 200 }, () => send()))
    expect(apple.opened() - before).toBe(1)
    for (const session of apple.sessions) session.close()
    await expect.poll(() => apple.sessions.size).toBe(0)
    expect(await send()).toEqual(delivered)
    expect(apple.opened() - before).toBe(2)
  })

  test('a push goes over the next session if the server said goodbye before processing it', async () => {
    await send()
    const lastLookedAt = apple.calls[0]?.stream.id ?? 0
    goodbye(constants.NGHTTP2_NO_ERROR, () => lastLookedAt)
    expect(await send()).toEqual(delivered)
    expect(new Set(apple.calls.map(({ session }) => session)).size).toBe(2)
  })

  test('a session after goodbye still answers accepted pushes, while the next push takes another', async () => {
    const before = apple.opened()
    apple.answers(call => {
      apple.answers(saying(200))
      call.session.goaway(constants.NGHTTP2_NO_ERROR, call.stream.id ?? 0)
      setTimeout(() => saying(410)(call), 100)
    })
    const first = later(send())
    await expect.poll(() => apple.calls.length).toBe(1)
    await sleep(30)
    expect(await send()).toEqual(delivered)
    expect(await first).toMatchObject({ result: 'gone' })
    expect(apple.opened() - before).toBe(2)
  })

  test('a session that ends with an error leaves its pushes for later', async () => {
    goodbye(constants.NGHTTP2_INTERNAL_ERROR, call => call.stream.id ?? 0)
    expect(await send()).toMatchObject({ result: 'later' })
    expect(await send()).toEqual(delivered)
  })

  test('a broken session leaves its pushes for later', async () => {
    apple.answers(({ session }) => session.socket.destroy())
    expect(await send()).toMatchObject({
      result: 'later',
      reason: { code: expect.stringMatching(/^(lost|broke)$/), service: 'apns' },
    })
    apple.answers(({ stream }) => stream.close(constants.NGHTTP2_INTERNAL_ERROR))
    expect(await send()).toMatchObject({ result: 'later' })
    apple.answers(saying(200))
    expect(await send()).toEqual(delivered)
  })

  test('a hanging session is given up in time and not used again', async () => {
    apns = apple.openApns({ timeoutMs: 800 })
    apple.answers(() => {})
    const before = apple.opened()
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => send()))
    for (const outcome of outcomes) expect(outcome).toEqual({ result: 'later', reason: reasons.tooSlow('apns') })
    apple.answers(saying(200))
    expect(await send()).toEqual(delivered)
    expect(apple.opened() - before).toBe(2)
  })

  test('a session that no longer answers pings is noticed without a push', async () => {
    const relay = await openStallingRelay(apple.origin)
    try {
      apns.close()
      apns = apple.openApns({ origin: relay.origin, pingEveryMs: 100, timeoutMs: 800 })
      await send()
      const before = apple.opened()
      relay.stall()
      await sleep(1_200)
      expect(await send()).toEqual(delivered)
      expect(apple.opened() - before).toBe(1)
    } finally {
      await relay.close()
    }
  })

  test('an unneeded session is closed', async () => {
    apns = apple.openApns({ pingEveryMs: 50, idleMs: 500 })
    await send()
    const session = apple.calls[0]?.session
    await sleep(100)
    expect(session?.closed).toBe(false)
    await expect.poll(() => session?.closed).toBe(true)
    expect(await send()).toEqual(delivered)
  })

  test('a push to an absent or untrusted server is for later', async () => {
    const away = await openHttp2Service(saying(200))
    await away.close()
    apns = apple.openApns({ origin: away.origin })
    expect(await send()).toEqual({ result: 'later', reason: reasons.refusesConnections('apns') })
    apns = apple.openApns({ ca: undefined })
    expect(await send()).toEqual({ result: 'later', reason: reasons.untrustedCertificate('apns') })
  })

  test('closing leaves pushes in progress for later', async () => {
    apple.answers(() => {})
    const underWay = later(send())
    await expect.poll(() => apple.calls.length).toBe(1)
    apns.close()
    expect(await underWay).toMatchObject({ result: 'later' })
    expect(await send()).toMatchObject({ result: 'later' })
  })
})
