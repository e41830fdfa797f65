import { expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { whenDone } from '../../../test/when-done.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { openRateLimits } from '../../platform/http/limits.ts'
import { Unreadable } from '../../platform/http/refusals.ts'
import { authenticate, signInAgain } from './sign-in.ts'

const app = await openTestApp()
const db = openDatabase(app.databaseUrl, { name: 'under test', connections: 1 })
whenDone(() => db.destroy())

/** Hashing costs a core: each network waits for its own share, and for nobody who has hung up. */
test('a password is checked in the turn of its sender', async () => {
  const { id } = await enter(app, 'gus')
  const asked = {
    password: 'wrong password',
    device: { deviceId: 'phone', platform: 'ios', timezone: 'UTC' },
    network: '192.0.2.1',
    turn: { who: 'network 192.0.2.1', gone: AbortSignal.abort() },
  }
  const limits = openRateLimits(1)
  await expect(authenticate(db, limits, { ...asked, loginId: 'nobody' })).rejects.toBeInstanceOf(Unreadable)
  await expect(signInAgain(db, id, asked)).rejects.toBeInstanceOf(Unreadable)
})
