import { resolve } from 'node:path'
import { userStatus } from '@afterglow/contract/accounts/user'
import { passwordLengthMax, passwordLengthMin } from '@afterglow/contract/limits'
import { type Command, InvalidArgumentError } from 'commander'
import { makeErasureDue } from '../accounts/account-deletion.ts'
import * as accounts from '../accounts/moderation.ts'
import { suspend, unsuspend } from '../events/suspension.ts'
import { type Database, transact } from '../platform/database/database.ts'
import { addJob } from '../platform/jobs/jobs.ts'
import type { Config } from '../settings/config.ts'
import { type Answer, columns, NotDone, type Terminal } from './answer.ts'
import { exportInto } from './user-export.ts'

/** Runs a command's work with the database and prints its answer. */
export type OnDatabase = (work: (db: Database) => Promise<Answer>) => Promise<void>

const statusNames = Object.fromEntries(Object.entries(userStatus).map(([name, status]) => [status, name]))

const shown = (row: accounts.ModeratedRow) => ({
  id: row.id,
  username: row.username,
  email: row.email,
  name: `${row.first_name} ${row.last_name}`,
  status: row.erased_at ? 'erased' : (statusNames[row.status] ?? String(row.status)),
  operator: row.operator,
  sessions: row.sessions,
  last_used_at: row.last_used_at,
  created_at: row.created_at,
})

const details = (row: accounts.ModeratedRow) => ({
  ...shown(row),
  plan: { title: row.plan_title, pricing: row.plan_pricing, expires_at: row.plan_expires_at },
  erased_after: row.erase_at,
  erased_at: row.erased_at,
})

const find = async (db: Database, name: string) => {
  const found = await accounts.findAccount(db, name)
  if (!found) throw new NotDone(`There is no user ${name}: give an id, a username or an e-mail.`)
  return found
}

/** An act on one account: its message on success, or if there was nothing to do. */
const act =
  (onDatabase: OnDatabase, work: (db: Database, user: accounts.ModeratedRow) => Promise<string>) => (name: string) =>
    onDatabase(async db => {
      const user = await find(db, name)
      const say = await work(db, user)
      return { say, json: { done: true, user: details(await find(db, String(user.id))) } }
    })

const amount = (value: string) => {
  if (!/^\d{1,9}(\.\d{1,4})?$/.test(value)) throw new InvalidArgumentError('Give a number, like 9.90.')
  return Number(value)
}
const moment = (value: string) => {
  const read = new Date(value)
  if (Number.isNaN(read.getTime())) throw new InvalidArgumentError('Give a date, like 2027-06-21.')
  return read
}
const wholeNumber = (value: string) => {
  if (!/^[1-9]\d{0,15}$/.test(value)) throw new InvalidArgumentError('Give a whole number.')
  return Number(value)
}
const status = (value: string) => {
  const found = (userStatus as Record<string, number>)[value]
  if (found === undefined) throw new InvalidArgumentError(`Give one of ${Object.keys(userStatus).join(', ')}.`)
  return found
}

type Means = { onDatabase: OnDatabase; config: () => Config; typed: Terminal['typed'] }
/** Begins a command about one account. */
type One = (name: string, description: string) => Command

export function usersCommands(program: Command, { onDatabase, config, typed }: Means): void {
  const users = program.command('users').description('list accounts and decide on them')
  const one: One = (name, description) =>
    users.command(name).description(description).argument('<user>', 'id, username or e-mail')
  readingCommands(users, onDatabase)
  standingCommands(one, onDatabase)
  passwordCommand(one, onDatabase, typed)
  departureCommands(one, onDatabase, config)
  planCommand(one, onDatabase)
}

function readingCommands(users: Command, onDatabase: OnDatabase): void {
  users
    .command('list')
    .description('accounts, the newest first')
    .option('--status <status>', `only those that are ${Object.keys(userStatus).join(', ')}`, status)
    .option('--search <text>', 'only those with this in a name, username or e-mail')
    .option('--operators', 'only operators')
    .option('--before <id>', 'go on below this id', wholeNumber)
    .option('--most <number>', 'how many', wholeNumber, 50)
    .action(asked =>
      onDatabase(async db => {
        const { status, search, operators, before, most } = asked
        const rows = await accounts.listAccounts(db, { status, text: search, operator: operators, before, most })
        return { say: columns(rows.map(shown), 'Nobody.'), json: rows.map(details) }
      }),
    )

  users
    .command('show')
    .description('one account')
    .argument('<user>', 'id, username or e-mail')
    .action(name =>
      onDatabase(async db => {
        const user = details(await find(db, name))
        const { plan, ...rest } = user
        const lines = { ...rest, plan: `${plan.title}, ${plan.pricing}, until ${plan.expires_at.toISOString()}` }
        const rows = Object.entries(lines).map(([field, value]) => ({ field, value }))
        return { say: columns(rows, ''), json: user }
      }),
    )
}

function standingCommands(one: One, onDatabase: OnDatabase): void {
  one('suspend', 'keep an account out: its sessions and sockets end within a second').action(
    act(onDatabase, async (db, user) =>
      (await suspend(db, user.id))
        ? `${user.username} is suspended and signed out.`
        : `${user.username} is out already.`,
    ),
  )
  one('unsuspend', 'let it in again').action(
    act(onDatabase, async (db, user) =>
      (await unsuspend(db, user.id)) ? `${user.username} may sign in again.` : `${user.username} is not suspended.`,
    ),
  )
  one('make-operator', 'make somebody an operator of this instance').action(
    act(onDatabase, async (db, user) => {
      await accounts.setOperator(db, user.id, true)
      return `${user.username} is an operator.`
    }),
  )
  one('unmake-operator', 'make an operator an ordinary user again').action(
    act(onDatabase, async (db, user) => {
      await accounts.setOperator(db, user.id, false)
      return `${user.username} is no operator.`
    }),
  )
  one('revoke', 'sign somebody out on every device').action(
    act(onDatabase, async (db, user) => {
      await accounts.revokeSessions(db, user.id)
      return `${user.username} is signed out on ${user.sessions} devices.`
    }),
  )
}

function passwordCommand(one: One, onDatabase: OnDatabase, typed: Terminal['typed']): void {
  one('reset-password', 'give an account a new password, printed once, and sign it out everywhere')
    .option('--stdin', 'read the new password from the standard input instead of making one')
    .action((name, { stdin }) =>
      onDatabase(async db => {
        const user = await find(db, name)
        const password = await accounts.resetPassword(db, user.id, stdin ? passwordIn(await typed()) : undefined)
        const say = `${user.username} is signed out and has a new password${stdin ? '.' : `: ${password}`}`
        return { say, json: { done: true, ...(!stdin && { password }) } }
      }),
    )
}

function departureCommands(one: One, onDatabase: OnDatabase, config: () => Config): void {
  one('erase', 'erase an account now, without the fourteen days to return: nobody brings it back')
    .option('--content', 'its messages, comments and photos too')
    .requiredOption('--yes', 'really')
    .action((name, { content }) =>
      act(onDatabase, async (db, user) => {
        await transact(db, async tx => {
          await makeErasureDue(tx, user.id, { erasesContent: Boolean(content) })
          await addJob(tx, 'eraseAccounts', {}, { lane: 'eraseAccounts' })
        })
        return `${user.username} is signed out; the service erases the account as soon as it runs.`
      })(name),
    )

  one('export', 'write everything of theirs into a zip, as they would get it by asking for it')
    .requiredOption('--to <file>', 'a new file, which only you can read')
    .action((name, { to }) =>
      onDatabase(async db => {
        const user = await find(db, name)
        const file = resolve(to)
        const bytes = await exportInto(db, config(), user.id, file)
        return { say: `Everything of ${user.username} is in ${file}.`, json: { file, bytes } }
      }),
    )
}

function planCommand(one: One, onDatabase: OnDatabase): void {
  one('plan', 'set the subscription plan')
    .requiredOption('--title <title>', 'its name')
    .option('--price <amount>', 'what it costs', amount, 0)
    .option('--until <date>', 'when it ends', moment, new Date('9999-12-31T23:59:59Z'))
    .action((name, { title, price, until }) =>
      act(onDatabase, async (db, user) => {
        await accounts.setPlan(db, user.id, { title, pricing: price, expiresAt: until })
        return `${user.username} has the plan ${title} until ${until.toISOString()}.`
      })(name),
    )
}

function passwordIn(typed: string): string {
  const password = typed.replace(/\r?\n$/, '')
  if (password.length < passwordLengthMin || password.length > passwordLengthMax)
    throw new NotDone(`A password has ${passwordLengthMin} to ${passwordLengthMax} characters.`)
  return password
}
