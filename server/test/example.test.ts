import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { enter } from './cast.ts'
import { openNotifiedApp } from './notified.ts'
import { bringIn, evening } from './party.ts'

const example = fileURLToPath(new URL('../../sdk/examples/listen.ts', import.meta.url))
const { app, subscribe } = await openNotifiedApp({ timing: { acknowledgeMs: 2000 } })

test('the example’s notification rings while its app is active, and its push otherwise; the trace explains both', async () => {
  const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
  const event = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, event.id, gus)
  await gus.api.notifications.readAllNotifications()
  const browser = await subscribe(gus)
  const messages = () => browser.messages().filter(({ kind }) => kind === 'message')
  const say = (message_content: string) =>
    olivia.api.chats.saveMessage({ group_chat_id: event.group_chat_id, message_content })

  const listening = spawn(process.execPath, [example, gus.token, app.url], { stdio: ['pipe', 'pipe', 'inherit'] })
  let said = ''
  listening.stdout.on('data', text => {
    said += text
  })
  const hears = (line: RegExp) => vi.waitFor(() => expect(said).toMatch(line), { timeout: 60_000, interval: 20 })
  try {
    await hears(/The app is active/)
    await say('The lanterns are lit')
    await hears(/Rings: .*The lanterns are lit/)
    await hears(/Trace: channel, acknowledged/)
    expect(messages()).toEqual([])

    await gus.api.notifications.readAllNotifications()
    listening.stdin.write('\n')
    await hears(/The app is inactive/)
    await say('The boats are coming')
    await hears(/Trace: push, delivered/)
    expect(messages()).toMatchObject([{ kind: 'message', body: expect.stringContaining('The boats are coming') }])
    expect(said).not.toMatch(/Rings: .*The boats are coming/)
  } finally {
    listening.kill()
  }
})
