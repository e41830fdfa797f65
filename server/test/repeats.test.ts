import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { allRows } from './all-rows.ts'
import { enter } from './cast.ts'
import { outside, type Row, rows } from './matrix.ts'
import { call, folders, openMatrixApp, operationsOf } from './matrix-of.ts'
import { quiet } from './notified.ts'
import { bringIn } from './party.ts'
import { openCompany, openScene, type Role, type Scene } from './scene.ts'

/*
 * Every act of the contract, run twice: the second time it answers as the first, and nothing changes or is announced.
 */

type Excuse = { answers?: number | Record<string, unknown> | string; writes?: true; why: string }

const single = (why: string): Excuse => ({ answers: 400, why })
const again = (why: string): Excuse => ({ writes: true, why })
const gone = (why: string): Excuse => ({ answers: 404, why })

/** Operations that answer differently the second time, or act again, with the reason. */
const excused: Record<string, Excuse> = {
  // Documented.
  addToAlbum: single('interface.md: The attachment is in the gallery'),
  undoDecision: single('once undone, a decision is known no more'),
  remindGuests: single('within a day, nobody is reminded again'),
  logout: { answers: 401, why: 'decisions.md: it ends the token' },
  // The row is gone with its secret: its former owner is unknown.
  deleteWebhook: gone('an unknown webhook answers alike to everybody'),
  // Each call creates another one, or repeats on purpose.
  authenticate: again('each sign-in is another session'),
  viewByLink: again('each time another session; the same device keeps its place'),
  register: again('under its key alone'),
  refreshToken: again('each time another token'),
  makeTransfer: again('each time another code'),
  takeTransfer: again('the same device signs in again, if its reply was lost'),
  joinByLink: again('under its key, the same account is given another token'),
  exportAccount: again('each time another file'),
  renewWebhookSecret: again('each time another secret'),
  tryWebhook: again('each time another try'),
  linkAlbum: again('each time another link'),
  makeCalendarFeed: again('each time another address'),
  sendAwayByLink: again('widens what it did within the hour'),
  ping: again('prolongs presence'),
  forgotPassword: again('each time another mail'),
  resendVerification: again('each time another mail'),
  stageAvatar: again('replaces the picture that is staged'),
  updateAccount: again('saves whatever it is given'),
  saveWall: again('shows the photo once more'),
  sayShown: again('a screen says that it still does'),
}
/** Tried where their requirements exist: a video tool, a provider, a mailbox, a correct password, a namesake. */
const elsewhere = new Set([
  ...['beginProviderSignIn', 'finishProviderSignIn', 'linkLoginOption', 'unlinkLoginOption', 'claimAccount'],
  ...['updatePassword', 'proveAccount', 'resetPassword', 'undoEmail', 'verifyEmail', 'removeDevice', 'deleteAccount'],
  ...[
    'sendVideo',
    'block',
    'testDevice',
    'makeReturnKey',
    'returnByKey',
    'keepOwnCode',
    'readReturn',
    'letInAgain',
    'claimPerson',
  ],
])

const app = await openMatrixApp()
outside.api = () => app.as()
const company = await openCompany(app)
const shared = await openScene(company)

const writes = folders.flatMap(operationsOf).filter(({ at }) => at[0]?.[0] !== 'GET')

/** A member of the cast who may do it. */
const doer = ({ outcomes }: Row): Role | 'anyone' | 'nobody' | undefined => {
  if ('anyone' in outcomes) return 'anyone'
  if ('nobody' in outcomes) return outcomes.nobody === 200 ? 'nobody' : undefined
  return (Object.keys(outcomes) as Role[]).find(role => typeof outcomes[role] === 'number')
}
const tried = writes.flatMap(operation =>
  rows
    .filter(row => row.operation === operation.name && doer(row) !== undefined)
    .map(row => [row.use ? `${row.operation} (${row.use})` : row.operation, operation, row] as const),
)

test('every write is tried here, or excused', () => {
  const here = new Set(tried.map(([, { name }]) => name))
  expect(writes.map(({ name }) => name).filter(name => !here.has(name) && !elsewhere.has(name))).toEqual([])
  const names = new Set(writes.map(({ name }) => name))
  expect([...Object.keys(excused), ...elsewhere].filter(name => !names.has(name))).toEqual([])
})

describe.each(tried)('%s', (_, operation, row) => {
  test('repeated changes nothing', async () => {
    const who = doer(row) as Role | 'anyone' | 'nobody'
    const role = who === 'anyone' || who === 'nobody' ? 'guest' : who
    const input = await row.input(row.alone ? await openScene(company) : shared, company, role)
    const api = { anyone: async () => (await enter(app, 'sam')).api, nobody: async () => app.as() }[who as 'anyone']
    const caller = api ? await api() : company[role].api
    // An act that creates something recognizes its repetition by a key; asking to join is the one such act that needs
    // none.
    const key = operation.idempotent && operation.name !== 'askToJoin' ? randomUUID() : undefined
    const first = await call(caller, operation, input, key)
    expect(first).toMatchObject({ status: 200 })
    const { answers = first, writes: acts }: Excuse = excused[operation.name] ?? { why: '' }
    const before = acts ? undefined : await allRows(app)
    const second = await call(caller, operation, input, key)
    if (acts) expect(second.status).toBe(200)
    else if (typeof answers === 'number') expect(second.status).toBe(answers)
    else expect(second).toEqual(answers)
    if (!acts) expect(await allRows(app)).toEqual(before)
  })
})

describe('two organizers who do the same at once are both answered 200, and it is announced once:', () => {
  const ofOrganizers = tried.filter(
    ([, { at, name }, row]) =>
      row.alone && at[0]?.[0] !== 'POST' && doer(row) === 'organizer' && !(name in excused) && !row.use,
  )
  /** The new media epoch after several removals is announced once for all, seconds later. */
  const folded = (name: string) => (name === 'removeGuest' ? 'event.updated' : '')
  const told = async (since: number, without: string) => {
    await quiet(app)
    return (
      await sql`select kind, audience, count(*) from changes
        where id > ${since} and kind not like 'notification.%' and kind <> ${without} group by 1, 2 order by 1, 2`.execute(
        app.db,
      )
    ).rows
  }
  const newest = async () => {
    await quiet(app)
    const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0)::float8 as id from changes`.execute(app.db)
    return rows[0]?.id ?? 0
  }
  const organized = async (): Promise<Scene> => {
    const scene = await openScene(company)
    const event = { event_id: scene.event_id, user_id: company.otherOrganizer.id }
    await bringIn(company.organizer, scene.event_id, company.otherOrganizer)
    await company.organizer.api.events.makeOrganizer(event)
    return scene
  }
  // Operations for the owner alone.
  const owners = new Set(['deleteEvent', 'restoreEvent', 'handOver', 'endOffer', 'leaveEvent', 'askToJoin'])

  test.each(ofOrganizers.filter(([name]) => !owners.has(name)))('%s', async (_, operation, row) => {
    const [one, other] = await Promise.all([organized(), organized()])
    const inputs = [await row.input(one, company, 'organizer'), await row.input(other, company, 'organizer')]
    const beforeOne = await newest()
    expect(await call(company.organizer.api, operation, inputs[0])).toMatchObject({ status: 200 })
    const alone = await told(beforeOne, folded(operation.name))
    const beforeBoth = await newest()
    const both = await Promise.all(
      [company.organizer, company.otherOrganizer].map(({ api }) => call(api, operation, inputs[1])),
    )
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(await told(beforeBoth, folded(operation.name))).toEqual(alone)
  })
})
