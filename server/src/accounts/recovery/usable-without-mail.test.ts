import { expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'

test('an account whose address nobody can prove is active, as no mail leaves', async () => {
  const app = await openTestApp({}, { provesAddresses: false })
  const olivia = await enter(app, 'olivia')
  expect((await olivia.api.accounts.readAccount()).user_status).toBe(1)
})

test('where mails leave it says that the address is to be proven', async () => {
  const olivia = await enter(await openTestApp(), 'olivia')
  expect((await olivia.api.accounts.readAccount()).user_status).toBe(2)
})
