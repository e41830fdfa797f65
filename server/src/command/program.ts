import { Command, CommanderError } from 'commander'
import type { Database } from '../platform/database/database.ts'
import { version } from '../platform/process/version.ts'
import { readConfig } from '../settings/config.ts'
import { gatherSettings } from '../settings/settings-file.ts'
import { type Answer, answer, exitCodes, type Terminal } from './answer.ts'
import { backupCommands } from './backups.ts'
import { databaseCommands } from './database.ts'
import { doctorCommand } from './doctor.ts'
import { eventsCommands } from './events.ts'
import { reachDatabase } from './instance.ts'
import { jobsCommands } from './jobs.ts'
import { mockCommand } from './mock.ts'
import { reportsCommands } from './reports.ts'
import { restartCommand } from './restart.ts'
import { upgradeCommand } from './upgrade/command.ts'
import { usersCommands } from './users.ts'

const once = <Value>(make: () => Value): (() => Value) => {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Runs the operator's command and returns the exit code. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  let code: number = exitCodes.done
  const program = new Command('afterglow')
    .usage('[--json] <command>')
    .description(
      'What the operator of an Afterglow does with it. Settings are those of the service: from the environment, and from the file that AFTERGLOW_ENV names (/etc/afterglow.env where there is one).',
    )
    .version(`Afterglow ${version}`, '--version', 'print the version')
    .option('--json', 'answer as JSON')
    .addHelpText('after', '\nEnds with 0 when done, 1 when something is wrong, 2 when asked wrongly.')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: terminal.print, writeErr: terminal.complain })
    .exitOverride()

  const given = once(() => {
    const settings = gatherSettings(terminal.env)
    for (const hint of settings.hints) terminal.complain(hint)
    return settings
  })
  const config = () => readConfig(given().env)
  const run = async (work: () => Promise<Answer>) => {
    code = await answer(work, terminal, { json: Boolean(program.opts().json) })
  }
  const onDatabase = (work: (db: Database) => Promise<Answer>) =>
    run(async () => {
      const { db, close } = await reachDatabase(config())
      try {
        return await work(db)
      } finally {
        await close()
      }
    })

  usersCommands(program, { onDatabase, config, typed: terminal.typed })
  eventsCommands(program, onDatabase)
  reportsCommands(program, onDatabase)
  jobsCommands(program, onDatabase)
  restartCommand(program, config, run, terminal.complain)
  upgradeCommand(program, { config, env: () => given().env }, run, terminal.complain)
  backupCommands(program, config, run)
  databaseCommands(program, config, run, terminal.complain)
  doctorCommand(program, { config, given }, run)
  mockCommand(program, run, terminal.print)

  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (fault) {
    if (!(fault instanceof CommanderError)) throw fault
    // Requested help is not a usage error.
    return fault.exitCode === 0 ? exitCodes.done : exitCodes.misused
  }
}
