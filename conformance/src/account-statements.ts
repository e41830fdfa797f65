import { Account, AuthenticatedAccount, MinimalUserWithFriend } from './shapes.ts'
import { answers, broken, faults, listed, part, refuses, same, shaped } from './statement.ts'
import type { Person } from './world.ts'

const page = { page: 1, page_length: 10 }
const signIn = ({ username, password }: Pick<Person, 'username' | 'password'>) => ({
  user_login_option_type: 1,
  user_login_id: username,
  user_password: password,
  device_id: 'conformance',
  user_timezone: 'Europe/Berlin',
  user_device_platform: 'android',
})
const wrong = 'Incorrect Details. Please try again.'

const unauthenticated = [
  'GET api/account',
  'GET api/message/group/list',
  'PUT api/realtime/ping',
  'POST api/gallery/comment',
]

export const accountStatements = [
  ...part('register', {
    answers: [
      'registering answers 200 with an authenticated account',
      async world => {
        shaped((await world.person('organizer')).registered, AuthenticatedAccount)
      },
    ],
    fields: [
      'registering without fields names the required ones, each with sentences',
      async world => {
        const needed = [
          'user_first_name',
          'user_last_name',
          'user_username',
          'user_email',
          'device_id',
          'user_timezone',
        ]
        faults(await world.anyone('POST', 'api/account/register', { json: {} }), ...needed)
      },
    ],
    taken: [
      'a username and an e-mail are unique',
      async world => {
        const { username, email } = await world.person('organizer')
        const json = { ...world.newcomer(), user_username: username, user_email: email }
        faults(await world.anyone('POST', 'api/account/register', { json }), 'user_username', 'user_email')
      },
    ],
    email: [
      'an e-mail that is none is refused',
      async world => {
        faults(
          await world.anyone('POST', 'api/account/register', { json: { ...world.newcomer(), user_email: 'none' } }),
          'user_email',
        )
      },
    ],
    confirmation: [
      'a password that is confirmed otherwise is refused',
      async world => {
        const json = { ...world.newcomer(), user_password_confirmation: 'something else' }
        answers(await world.anyone('POST', 'api/account/register', { json }), 400)
      },
    ],
    middle: [
      'any middle name may be null',
      async world => {
        const { registered } = await world.person('organizer')
        same(registered, Object(registered.json).user?.user_middle_name, null, 'user_middle_name')
      },
    ],
  }),
  ...part('authenticate', {
    answers: [
      'signing in answers 200 with an authenticated account',
      async world => {
        const person = await world.person('organizer')
        shaped(await world.anyone('POST', 'api/account/authenticate', { json: signIn(person) }), AuthenticatedAccount)
      },
    ],
    token: [
      'the token of a sign-in opens the account',
      async world => {
        const person = await world.person('organizer')
        const { json } = await world.anyone('POST', 'api/account/authenticate', { json: signIn(person) })
        const headers = { Authorization: `Bearer ${Object(json).token}` }
        const reply = shaped(await world.anyone('GET', 'api/account', { headers }), Account)
        same(reply, Object(reply.json).id, person.id, 'id')
      },
    ],
    wrong: [
      'a wrong password is refused by 401 in the documented words',
      async world => {
        const person = { ...(await world.person('organizer')), password: 'not this one' }
        refuses(
          await world.anyone('POST', 'api/account/authenticate', { json: signIn(person) }),
          wrong,
          'error_message',
          401,
        )
      },
    ],
    unknown: [
      'an unknown name is refused alike',
      async world => {
        const nobody = { username: world.newcomer().user_username, password: 'whatever it is' }
        refuses(
          await world.anyone('POST', 'api/account/authenticate', { json: signIn(nobody) }),
          wrong,
          'error_message',
          401,
        )
      },
    ],
    fields: [
      'signing in without fields names them',
      async world => {
        faults(await world.anyone('POST', 'api/account/authenticate', { json: {} }), 'user_login_id', 'user_password')
      },
    ],
  }),
  ...part('account', {
    read: [
      'one reads the own account',
      async world => {
        const { call, id } = await world.person('organizer')
        const reply = shaped(await call('GET', 'api/account'), Account)
        same(reply, Object(reply.json).id, id, 'id')
      },
    ],
    bearer: [
      'every operation but register and authenticate needs a bearer token',
      async world => {
        for (const each of unauthenticated) {
          const [method, path] = each.split(' ') as [string, string]
          answers(await world.anyone(method, path), 401)
        }
      },
    ],
    garbage: [
      'a token that is none is refused',
      async world => {
        const headers = { Authorization: `Bearer ${'x'.repeat(43)}` }
        answers(await world.anyone('GET', 'api/account', { headers }), 401)
      },
    ],
    update: [
      'updating answers 200 with the account as it is then',
      async world => {
        const { call, username, email } = await world.person('changing')
        const json = {
          user_first_name: 'Corrie',
          user_middle_name: 'Q',
          user_last_name: 'Formance',
          user_email: email,
          user_username: username,
          user_visible: true,
          profile_picture_updated: false,
        }
        const reply = shaped(await call('POST', 'api/account/details/update', { json }), Account)
        const { user_first_name, user_middle_name, user_visible } = Object(reply.json)
        same(reply, [user_first_name, user_middle_name, user_visible], ['Corrie', 'Q', true], 'what was changed')
      },
    ],
    'update-fields': [
      'updating names what is wrong',
      async world => {
        const { call } = await world.person('changing')
        faults(await call('POST', 'api/account/details/update', { json: { user_email: 'none' } }), 'user_email')
      },
    ],
  }),
  ...part('realtime', {
    ping: [
      'saying that the app is active answers 200',
      async world => {
        answers(await (await world.person('organizer')).call('PUT', 'api/realtime/ping'), 200)
      },
    ],
    put: [
      'saying that it is inactive by PUT answers 200',
      async world => {
        answers(await (await world.person('organizer')).call('PUT', 'api/realtime/disconnect'), 200)
      },
    ],
    delete: [
      'and by DELETE',
      async world => {
        answers(await (await world.person('organizer')).call('DELETE', 'api/realtime/disconnect'), 200)
      },
    ],
  }),
  ...part('search', {
    mention: [
      'people are found by name, in a list of minimal users with friend',
      async world => {
        const { username } = await world.person('guest')
        const { call } = await world.person('organizer')
        const reply = await call('GET', 'api/user/mention/search', { query: { name: username, ...page } })
        const { data } = listed(reply, MinimalUserWithFriend)
        if (!data.some(({ user_username }) => user_username === username)) broken(reply, `does not find ${username}`)
        if (!data.every(each => each.user_visible === '0' || each.user_visible === '1'))
          broken(reply, 'user_visible is neither "0" nor "1"')
      },
    ],
    example: [
      'so they are at the address of the example',
      async world => {
        const { call } = await world.person('organizer')
        listed(await call('GET', 'api/user/search', { query: { name: 'Connie', ...page } }), MinimalUserWithFriend)
      },
    ],
    name: [
      'a search needs a name',
      async world => {
        const { call } = await world.person('organizer')
        faults(await call('GET', 'api/user/mention/search', { query: page }), 'name')
      },
    ],
  }),
  ...part('lists', {
    page: [
      'lists need page and page_length',
      async world => {
        const { call } = await world.person('organizer')
        faults(await call('GET', 'api/message/group/list'), 'page', 'page_length')
      },
    ],
    integers: [
      'which are integers',
      async world => {
        const { call } = await world.person('organizer')
        faults(
          await call('GET', 'api/message/group/list', { query: { page: 'one', page_length: 'ten' } }),
          'page',
          'page_length',
        )
      },
    ],
    echo: [
      'an envelope says which page it is, and its length as a string',
      async world => {
        const { call } = await world.person('organizer')
        const reply = answers(await call('GET', 'api/message/group/list', { query: { page: 1, page_length: 7 } }), 200)
        const { current_page, per_page } = Object(reply.json)
        same(reply, [current_page, per_page], [1, '7'], 'the page')
      },
    ],
  }),
]
