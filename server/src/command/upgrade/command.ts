import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Config } from '../../settings/config.ts'
import type { Environment } from '../../settings/setting.ts'
import { type Answer, NotDone } from '../answer.ts'
import { checkVersion } from '../database.ts'
import { goBack, upgrade } from './upgrade.ts'

type Options = { backup?: string; backedUp?: true; back?: true; check?: true }

export function upgradeCommand(
  program: Command,
  { config, env }: { config: () => Config; env: () => Environment },
  run: (work: () => Promise<Answer>) => Promise<void>,
  tell: (progress: string) => void,
): void {
  // npm changes the working directory.
  const pathOf = (given: string) => resolve(process.env.INIT_CWD ?? '.', given)
  program
    .command('upgrade')
    .description('build a version, back the instance up, switch to it and restart')
    .argument(
      '[archive]',
      'of the new version: afterglow-<version>.tar.gz; without it, the version that this command is part of',
    )
    .option('--backup <folder>', 'where the backup before the switch is made, in a directory of its own')
    .option('--backed-up', 'there is a backup already, as with a database of your own')
    .option('--back', 'return to the version before, if the database lets it start')
    .option('--check', 'say whether this version can start beside the one that runs; changes nothing')
    .action((archive: string | undefined, { backup, backedUp, back, check }: Options) =>
      run(async () => {
        const at = { config: config(), env: env(), tell }
        if (back && !archive && !check) return goBack(at)
        if (check && !archive && !back) return beforehand(config())
        if (back || check) throw new NotDone('Say --back or --check alone.')
        if (!backup === !backedUp)
          throw new NotDone(
            'Say where the backup goes (--backup <folder>), or that you have one (--backed-up): once the new version has migrated the database, a backup is the only way back.',
          )
        return upgrade(at, { archive: archive && pathOf(archive), backups: backup ? pathOf(backup) : null })
      }),
    )
}

async function beforehand(config: Config): Promise<Answer> {
  const { say, json } = await checkVersion(config)
  const how = json.besideOlder
    ? 'It can start beside the version that runs: several processes are restarted one after the other.'
    : 'It cannot start beside the version that runs: all processes stop, and then this version starts.'
  return { say: `${say}\n${how}`, json }
}
