import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { freeBytesOf } from '../../platform/media/storage/free-disk.ts'
import { openFilesMax } from '../../platform/process/open-files.ts'
import { lostSecrets } from '../../platform/secrets/lost-secrets.ts'
import { readSecrets, secretsPath } from '../../platform/secrets/secrets.ts'
import type { Config } from '../../settings/config.ts'
import { type Finding, fault, good, mind, wordsOf } from './finding.ts'

/** Checks free disk space, the limit of open files, and the permissions of the secrets. */
export async function examineMachine(config: Config): Promise<Finding[]> {
  return [await examineDisk(config), ...examineMount(config), examineOpenFiles(), ...(await examineSecrets(config))]
}

const megabyte = 1024 ** 2
const gigabyte = 1024 ** 3

async function examineDisk({ dataDir, limits }: Config): Promise<Finding> {
  const there = existsSync(dataDir) ? dataDir : dirname(dataDir)
  try {
    const free = await freeBytesOf(there)
    const found = `${(free / gigabyte).toFixed(1)} GiB are free for ${dataDir}.`
    const least = `${limits.freeBytesMin / megabyte} MiB (FREE_MB_MIN)`
    if (free < limits.freeBytesMin)
      return fault(
        'disk',
        found,
        `Make room: below ${least} uploads are refused, and the database stops on a full disk.`,
      )
    if (free < 10 * gigabyte + limits.freeBytesMin)
      return mind('disk', found, 'Make room soon: an evening of photos takes some 5 GiB.')
    return good('disk', found)
  } catch (error) {
    return fault('disk', wordsOf(error), 'Name a DATA_DIR that can be used.')
  }
}

function examineMount({ dataDir }: Config): Finding[] {
  if (process.platform !== 'linux' || !existsSync(dataDir)) return []
  const mount = mountOf(realpathSync(dataDir), readFileSync('/proc/self/mountinfo', 'utf8'))
  if (mount?.type !== 'ext4') return []
  if (mount.options.includes('data_err=abort')) return [good('mount', `${mount.point} is mounted with data_err=abort.`)]
  return [
    mind(
      'mount',
      `${mount.point} is ext4 without data_err=abort: after a disk's error it may lose what it had confirmed.`,
      `Add data_err=abort to its options in /etc/fstab and mount it anew.`,
    ),
  ]
}

type Mount = { point: string; type: string; options: string[] }

/**
 * The mount that a path lies on, from the lines of /proc/self/mountinfo: of two at one place the later covers the
 * other.
 */
export function mountOf(path: string, lines: string): Mount | undefined {
  const mounts = lines.split('\n').flatMap(line => {
    const [here = '', there = ''] = line.split(' - ')
    const point = here
      .split(' ')[4]
      ?.replace(/\\(\d{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)))
    const [type = '', , options = ''] = there.split(' ')
    return point ? [{ point, type, options: options.split(',') }] : []
  })
  const holds = (point: string) => path === point || path.startsWith(point.endsWith('/') ? point : `${point}/`)
  return mounts
    .filter(({ point }) => holds(point))
    .reduce<Mount | undefined>((best, one) => (best && best.point.length > one.point.length ? best : one), undefined)
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
