import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '../listener.ts'
import { demand, type Person } from '../people/party.ts'
import type { TestBed } from '../test-bed.ts'

/** Signs somebody in on another device and out again; returns the ended token. */
export const endSession = async ({ ask, address, party, report }: TestBed): Promise<string> => {
  const person = party.writers[0] as Person
  const { token } = await demand(ask, 'POST', 'api/account/authenticate', {
    json: {
      user_login_option_type: 1,
      user_login_id: person.username,
      user_password: person.password,
      device_id: `another of ${person.name}`,
      user_timezone: 'Europe/Madrid',
      user_device_platform: 'ios',
    },
  })
  const listener = listen(() => address, { token, ask })
  await sleep(200)
  await demand(ask, 'POST', 'api/account/logout', { token })
  await sleep(1000)
  report.checked('I8', 1, listener.isLive ? ['a channel is still open a second after its session ended'] : [])
  listener.close()
  return token
}

/** I8: ended tokens stay refused after everything that has happened since. */
export const checkEnded = async ({ ask, report }: TestBed, tokens: readonly string[]): Promise<void> => {
  for (const token of tokens) {
    const { status } = await ask('GET', 'api/account', { token })
    report.checked('I8', 1, status === 401 ? [] : [`a token that had ended was answered with ${status}`])
  }
}
