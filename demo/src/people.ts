import { type Afterglow, afterglow } from '@afterglow/sdk'

export const password = 'lanterns on the lake'

const names = {
  olivia: ['Olivia', 'Ortega'],
  gus: ['Gus', 'Grant'],
  ana: ['Ana', 'Álvarez'],
  asha: ['Asha', 'Adeyemi'],
  remy: ['Rémy', 'Roux'],
  gwen: ['Gwen', 'Gallo'],
  rita: ['Rita', 'Reyes'],
  sam: ['Sam', 'Stranger'],
} as const

export type Name = keyof typeof names
type Person = { id: number; api: Afterglow }
export type People = Record<Name, Person>

/** Registers everybody of the story on a fresh instance. */
export const enterPeople = async (baseUrl: string): Promise<People> => {
  const entries = Object.entries(names).map(async ([username, [first, last]]) => [
    username,
    await enterPerson(baseUrl, username, first, last),
  ])
  return Object.fromEntries(await Promise.all(entries)) as People
}

export const enterPerson = async (baseUrl: string, username: string, first: string, last: string): Promise<Person> => {
  const { user, token } = await afterglow({ baseUrl }).accounts.register({
    user_first_name: first,
    user_last_name: last,
    user_username: username,
    user_email: `${username}@example.com`,
    user_password: password,
    user_password_confirmation: password,
    user_login_option_type: 1,
    device_id: `demo phone of ${username}`,
    user_timezone: 'Europe/Madrid',
    user_device_platform: 'android',
  })
  return { id: user.id, api: afterglow({ baseUrl, token }) }
}
