import { afterAll, expect, test } from 'vitest'
import { allRows } from '../../test/all-rows.ts'
import { openTestApp } from '../../test/app.ts'
import { enter } from '../../test/cast.ts'
import { refusal } from '../../test/refused.ts'

const app = await openTestApp()
const olivia = await enter(app, 'olivia')
const gus = await enter(app, 'gus')
const before = await allRows(app)

afterAll(async () => expect(await allRows(app)).toEqual(before))

const newcomer = {
  user_first_name: 'New',
  user_last_name: 'Comer',
  user_username: olivia.username,
  user_email: olivia.email,
  user_password: 'a fine password',
  user_password_confirmation: 'a fine password',
  user_login_option_type: 1,
  device_id: 'phone',
  user_timezone: 'UTC',
  user_device_platform: 'ios',
}
const taken = {
  user_username: ['The user username has already been taken.'],
  user_email: ['The user email has already been taken.'],
}

test('registering names what is taken beside what is missing and wrong', async () => {
  const asked = { ...newcomer, user_first_name: '', user_timezone: 'Mars/Base', user_password_confirmation: 'another' }
  expect(await refusal(app.as().accounts.register(asked))).toEqual({
    status: 400,
    body: {
      ...taken,
      user_first_name: ['The user first name field is required.'],
      user_timezone: ['The user timezone field must be a valid timezone.'],
      user_password: ['The user password field confirmation does not match.'],
    },
  })
})

test('registering names a provider that is none beside what is taken', async () => {
  const asked = { ...newcomer, user_login_option_type: 77, user_login_option_unique_identifier: 'me' }
  expect(await refusal(app.as().accounts.register(asked))).toEqual({
    status: 400,
    body: { ...taken, user_login_option_type: ['The selected user login option type is invalid.'] },
  })
})

test('updating names what others have beside what is wrong, and not what one has oneself', async () => {
  const asked = {
    user_first_name: '',
    user_email: gus.email,
    user_username: olivia.username,
    user_visible: 'perhaps',
  }
  expect(await refusal(gus.api.accounts.updateAccount(asked as never))).toEqual({
    status: 400,
    body: {
      user_first_name: ['The user first name field is required.'],
      user_last_name: ['The user last name field is required.'],
      user_visible: ['The user visible field must be true or false.'],
      user_username: taken.user_username,
    },
  })
})

test('where nobody may come, registering tells nothing of others', async () => {
  const closed = await openTestApp({}, { env: { REGISTRATION: 'closed' } })
  const asked = { ...newcomer, user_timezone: 'Mars/Base' }
  expect(await refusal(closed.as().accounts.register(asked))).toEqual({
    status: 400,
    body: { user_timezone: ['The user timezone field must be a valid timezone.'] },
  })
})
