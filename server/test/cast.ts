import type { Api, TestApp } from './app.ts'

/** A member of the cast, signed in on one device. */
export type Member = {
  id: number
  username: string
  email: string
  password: string
  token: string
  api: Api
  extra: Api<true>
}

const people = {
  olivia: ['Olivia', 'Ortega'],
  gus: ['Gus', 'Grant'],
  asha: ['Asha', 'Adeyemi'],
  sam: ['Sam', 'Stranger'],
  remy: ['Rémy', 'Roux'],
  gwen: ['Gwen', 'Gallo'],
  rita: ['Rita', 'Reyes'],
  ana: ['Ana', 'Álvarez'],
} as const

export type Name = keyof typeof people

let registered = 0

/** Registers a person; the second of a name gets a number after the username. */
export const enter = async (app: Pick<TestApp, 'as' | 'withExtra'>, name: Name): Promise<Member> => {
  const [first, last] = people[name]
  registered += 1
  const username = `${name}.${registered}`
  const email = `${username}@example.com`
  const password = `${name}-has-a-password`
  const { user, token } = await app.as().accounts.register({
    user_first_name: first,
    user_last_name: last,
    user_username: username,
    user_email: email,
    user_password: password,
    user_password_confirmation: password,
    user_login_option_type: 1,
    device_id: `phone of ${username}`,
    user_timezone: 'Europe/Madrid',
    user_device_platform: 'android',
  })
  return { id: user.id, username, email, password, token, api: app.as(token), extra: app.withExtra(token) }
}
