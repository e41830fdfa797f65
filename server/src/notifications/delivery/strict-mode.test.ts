import { expect, test } from 'vitest'
import { enter } from '../../../test/cast.ts'
import { openNotifiedApp, traceOfNewest } from '../../../test/notified.ts'
import { evening } from '../../../test/party.ts'

const { app, subscribe, quiet } = await openNotifiedApp({ env: { NOTIFY_STRICT: '1' } })

test('with NOTIFY_STRICT nothing goes both ways: what is not acknowledged is told in the trace', async () => {
  const olivia = await enter(app, 'olivia')
  const gus = await enter(app, 'gus')
  const browser = await subscribe(gus)
  await gus.api.accounts.ping()
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  await olivia.api.events.invite({ event_id, user_ids: [gus.id] })
  await quiet()
  expect(browser.messages()).toEqual([])
  expect(await traceOfNewest(gus)).toEqual([
    expect.stringMatching(/channel failed\..* within 0\.3 seconds\. NOTIFY_STRICT forbids a push\.$/),
  ])
})
