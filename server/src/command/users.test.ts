import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter, type Member } from '../../test/cast.ts'
import { listen } from '../../test/channel.ts'
import { answered, command } from '../../test/command.ts'
import { newFolder } from '../../test/new-folder.ts'
import { evening } from '../../test/party.ts'
import { jpeg } from '../../test/pictures.ts'
import { refusal } from '../../test/refused.ts'

const app = await openTestApp()
const env = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir }
const afterglow = (...args: string[]) => answered(env, args)
const signIn = ({ email, password }: Member, device_id = 'another phone') =>
  app.as().accounts.authenticate({
    user_login_option_type: 1,
    user_login_id: email,
    user_password: password,
    device_id,
    user_timezone: 'UTC',
    user_device_platform: 'web',
  })
const unauthenticated = { status: 401, body: { message: 'Unauthenticated.' } }

test('every command has help, and misuse has a different exit code from failure', async () => {
  for (const args of [['--help'], ['users', '--help'], ['users', 'suspend', '--help'], ['doctor', '--help']]) {
    const { code, out, err } = await command(env, args)
    expect({ code, err, out }).toEqual({ code: 0, err: '', out: expect.stringContaining('Usage: afterglow') })
  }
  expect(await command(env, ['users', 'lst'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('unknown command'),
  })
  expect(await command(env, ['users', 'list', '--most', 'x'])).toMatchObject({ code: 2 })
  expect(await command(env, ['users', 'erase', 'somebody'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--yes'),
  })
  const nobody = await command(env, ['users', 'show', 'nobody'])
  expect(nobody).toEqual({ code: 1, out: '', err: 'There is no user nobody: give an id, a username or an e-mail.' })
  const elsewhere = { DATA_DIR: '/tmp/no-afterglow-is-here' }
  expect(await command(elsewhere, ['users', 'list'])).toEqual({
    code: 1,
    out: '',
    err: 'There is no Afterglow in /tmp/no-afterglow-is-here: DATA_DIR names it.',
  })
})

test('users are listed and found, as lines and as JSON, without a secret', async () => {
  const gus = await enter(app, 'gus')
  const listed = await afterglow('users', 'list', '--search', gus.username.toUpperCase())
  expect(listed).toMatchObject([{ id: gus.id, email: gus.email, status: 'unverified', operator: false, sessions: 1 }])
  expect(await afterglow('users', 'list', '--status', 'suspended', '--search', gus.username)).toEqual([])
  for (const name of [String(gus.id), gus.username, gus.email.toUpperCase()])
    expect(await afterglow('users', 'show', name)).toMatchObject({ id: gus.id, plan: { title: 'Free' } })
  const { out } = await command(env, ['users', 'show', gus.username])
  expect(out).toContain(gus.email)
  expect(out).not.toMatch(/argon2|password|token/)
})

test('an operator exports a person’s data into a private file', async () => {
  const gus = await enter(app, 'gus')
  const event = await gus.api.events.saveEvent(evening())
  await gus.api.gallery.uploadPhoto({ event_id: event.id, image: new Blob([await jpeg()]) })
  await gus.api.chats.saveMessage({ group_chat_id: event.group_chat_id, message_content: 'Words of mine.' })
  const folder = newFolder('export')
  const file = join(folder, 'gus.zip')
  expect(await afterglow('users', 'export', gus.username, '--to', file)).toEqual({ file, bytes: expect.any(Number) })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const names = spawnSync('unzip', ['-Z1', file], { encoding: 'utf8' }).stdout
  expect(names).toMatch(/^media\/\d+\.jpg$/m)
  expect(spawnSync('unzip', ['-p', file, 'messages.json'], { encoding: 'utf8' }).stdout).toContain('Words of mine.')
  const again = await command(env, ['users', 'export', gus.username, '--to', file])
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining(file) })
  expect(await app.db.selectFrom('account_exports').selectAll().execute()).toEqual([])
})

test('a name cannot move the cursor of the operator’s terminal', async () => {
  const gus = await enter(app, 'gus')
  await sql`update users set first_name = ${'\u001b[2JGus\u202e'} where id = ${gus.id}`.execute(app.db)
  const { out } = await command(env, ['users', 'list', '--search', gus.username])
  expect(out).toContain('Gus')
  for (const sign of ['\u001b', '\u202e']) expect(out).not.toContain(sign)
})

describe('suspending', () => {
  test('suspending ends tokens and sockets within a second; after lifting it the user can sign in again', async () => {
    const gus = await enter(app, 'gus')
    const phone = await listen(app, gus)
    await gus.api.accounts.readAccount()
    const { user } = await afterglow('users', 'suspend', gus.username)
    const doneAt = Date.now()
    expect(user).toMatchObject({ status: 'suspended', sessions: 0 })
    await vi.waitFor(() => expect(phone.states).toMatchObject({ lost: 1, signedOut: 1 }), {
      timeout: 60_000,
      interval: 5,
    })
    await vi.waitFor(async () => expect(await refusal(gus.api.accounts.readAccount())).toEqual(unauthenticated), 20_000)
    // A busy machine may be slower; the promise is a second.
    expect(Date.now() - doneAt).toBeLessThan(3000)
    expect((await refusal(signIn(gus))).status).toBe(401)

    expect(await afterglow('users', 'unsuspend', gus.username)).toMatchObject({ user: { status: 'unverified' } })
    expect(await refusal(gus.api.accounts.readAccount())).toEqual(unauthenticated)
    expect((await signIn(gus)).user.user_status).toBe(2)
  })

  test('suspending keeps the account’s data, and twice is once', async () => {
    const gus = await enter(app, 'gus')
    await sql`update users set status = 1 where id = ${gus.id}`.execute(app.db)
    await afterglow('users', 'suspend', gus.username)
    expect(await command(env, ['users', 'suspend', gus.username])).toMatchObject({
      code: 0,
      out: `${gus.username} is out already.`,
    })
    expect(await afterglow('users', 'unsuspend', gus.username)).toMatchObject({ user: { status: 'active' } })
  })
})

test('a password reset prints the new one once and ends the old one and every session', async () => {
  const gus = await enter(app, 'gus')
  const { password } = await afterglow('users', 'reset-password', gus.username)
  expect((await refusal(signIn(gus))).status).toBe(401)
  expect((await signIn({ ...gus, password })).user.id).toBe(gus.id)
  await vi.waitFor(async () => expect(await refusal(gus.api.accounts.readAccount())).toEqual(unauthenticated), 20_000)

  const given = await answered(env, ['users', 'reset-password', gus.username, '--stdin'], 'a password of my own\n')
  expect(given).toEqual({ done: true })
  expect((await signIn({ ...gus, password: 'a password of my own' })).user.id).toBe(gus.id)
  expect(await command(env, ['users', 'reset-password', gus.username, '--stdin'], 'short')).toMatchObject({
    code: 1,
    err: 'A password has 8 to 128 characters.',
  })
})

test('revoking signs a user out everywhere', async () => {
  const gus = await enter(app, 'gus')
  await signIn(gus)
  expect(await afterglow('users', 'revoke', gus.username)).toMatchObject({ user: { sessions: 0 } })
  await vi.waitFor(async () => expect(await refusal(gus.api.accounts.readAccount())).toEqual(unauthenticated), 20_000)
})

test('operators can be appointed and dismissed, and a plan is shown to its owner', async () => {
  const gus = await enter(app, 'gus')
  expect(await afterglow('users', 'make-operator', gus.username)).toMatchObject({ user: { operator: true } })
  expect(await afterglow('users', 'list', '--operators')).toMatchObject([{ id: gus.id }])
  expect(await afterglow('users', 'unmake-operator', gus.username)).toMatchObject({ user: { operator: false } })

  await afterglow('users', 'plan', gus.username, '--title', 'Wedding', '--price', '9.90', '--until', '2030-01-01')
  expect((await gus.api.accounts.readAccount()).subscription_plan).toEqual({
    subscription_plan_title: 'Wedding',
    subscription_plan_pricing: 9.9,
    subscription_plan_expiration: '2030-01-01T00:00:00.000Z',
  })
})

test('reports are listed and resolved once', async () => {
  const [gus, sam] = [await enter(app, 'gus'), await enter(app, 'sam')]
  await gus.api.people.report({ report_type: 'user', report_id: sam.id, report_reason: 'Spam' })
  const [report] = await afterglow('reports', 'list')
  expect(report).toMatchObject({ type: 'user', target_id: sam.id, reporter: gus.username, reason: 'Spam' })
  await afterglow('reports', 'resolve', String(report.id))
  expect(await afterglow('reports', 'list')).toEqual([])
  expect(await afterglow('reports', 'list', '--all')).toMatchObject([{ id: report.id, status: 'resolved' }])
  expect(await command(env, ['reports', 'resolve', String(report.id)])).toMatchObject({
    code: 1,
    err: `There is no open report ${report.id}.`,
  })
})

test('the program runs, and its exit code matches its result', { tags: 'slow' }, () => {
  const program = new URL('main.ts', import.meta.url).pathname
  const run = (...args: string[]) => spawnSync(process.execPath, [program, ...args], { env, encoding: 'utf8' })
  expect(run('--json', 'users', 'list', '--most', '1')).toMatchObject({ status: 0, stderr: '' })
  expect(run('users', 'show', 'nobody')).toMatchObject({ status: 1, stdout: '' })
  expect(run('users', 'lst')).toMatchObject({ status: 2, stdout: '' })
})
