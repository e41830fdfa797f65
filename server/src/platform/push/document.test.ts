import { channelExamples } from '@afterglow/contract/channel-examples'
import { expect, test } from 'vitest'
import { openPushServices } from '../../../test/push/on-the-wire.ts'
import { whenDone } from '../../../test/when-done.ts'
import type { PushMessage } from './message.ts'

test('the AsyncAPI document shows the pushes that browsers, Android and iOS phones get', async () => {
  const services = await openPushServices()
  whenDone(() => services.close())
  const kinds = Object.entries(channelExamples.pushes)
  expect(kinds.length).toBeGreaterThan(20)
  for (const [kind, seen] of kinds) expect([kind, await services.send(seen.web as PushMessage)]).toEqual([kind, seen])
  expect(channelExamples.pushes.photos_added?.web).toMatchObject({ images: [expect.stringMatching(/^\/media\//)] })
  expect(await services.clear({ unread: 2, read: ['31', '32'] })).toEqual(channelExamples.clearings)
})
