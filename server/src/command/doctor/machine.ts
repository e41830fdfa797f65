import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '../../config.ts'
import { lostSecrets } from '../../platform/lost-secrets.ts'
import { openFilesMax } from '../../platform/open-files.ts'
import { readSecrets, secretsPath } from '../../platform/secrets.ts'
import { type Finding, fault, good, mind, wordsOf } from './finding.ts'

/** The machine: room on the disk, files that may be open, and who may read the secrets. */
export async function examineMachine(config: Config): Promise<Finding[]> {
  return [await examineDisk(config), examineOpenFiles(), ...(await examineSecrets(config))]
}

const gigabyte = 1024 ** 3

async function examineDisk({ dataDir }: Config): Promise<Finding> {
  const there = existsSync(dataDir) ? dataDir : dirname(dataDir)
  try {
    const { bavail, bsize } = await statfs(there)
    const free = (bavail * bsize) / gigabyte
    const found = `${free.toFixed(1)} GiB are free for ${dataDir}.`
    if (free < 1) return fault('disk', found, 'Make room: uploads are refused and the database stops when it is full.')
    if (free < 10) return mind('disk', found, 'Make room soon: an evening of photos takes some 5 GiB.')
    return good('disk', found)
  } catch (error) {
    return fault('disk', wordsOf(error), 'Name a DATA_DIR that can be used.')
  }
}

const openFilesWanted = 20_000

function examineOpenFiles(): Finding {
  const most = openFilesMax()
  const found = `A process may have ${most} files and sockets open.`
  return most < openFilesWanted
    ? mind(
        'open files',
        found,
        `Raise it to ${openFilesWanted} or more (ulimit -n, or LimitNOFILE of systemd): each phone holds one.`,
      )
    : good('open files', found)
}

async function examineSecrets(config: Config): Promise<Finding[]> {
  const path = secretsPath(config)
  const lost = await lostSecrets(path, config).catch(() => null)
  if (lost) return [fault('secrets', lost, 'Until then the service does not start.')]
  if (!existsSync(path)) return [mind('secrets', `There are none at ${path} yet.`, 'The first start makes them.')]
  try {
    readSecrets(path)
  } catch (error) {
    return [fault('secrets', wordsOf(error), 'Put back the file of the last backup.')]
  }
  const open = [path, ...(existsSync(config.dataDir) ? [config.dataDir] : [])].filter(
    file => statSync(file).mode & 0o077,
  )
  if (open.length === 0) return [good('secrets', 'They are there, and only their owner reads them.')]
  return open.map(file => fault('secrets', `Others may read ${file}.`, `chmod go= ${file}`))
}
