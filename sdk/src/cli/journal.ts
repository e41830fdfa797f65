import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { PreviousUpload, UrlStorage } from '../upload.ts'
import type { FolderFile } from './folder.ts'

/*
 * Survives a kill: hashes of unchanged files, sessions of large files, and the guest account created by a link. A line
 * is written completely before anything relies on it; a torn last line is ignored.
 */

export type Guest = { token: string; deviceId: string; eventId: number }
type Line =
  | { sum: string; of: string }
  | { session: string; fingerprint: string; upload: PreviousUpload }
  | { ended: string }
  | { guest: Guest }

export type Journal = {
  sumOf(found: FolderFile): string | undefined
  keepSum(found: FolderFile, sum: string): void
  guest(): Guest | undefined
  keepGuest(guest: Guest): void
  sessions: UrlStorage
}

const folder = () => join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'afterglow')
const nameOf = ({ path, bytes, changedMs }: FolderFile) => `${bytes} ${changedMs} ${path}`

/** One for each service and each way in. It contains a token, so nobody else may read it. */
export const openJournal = (of: string): Journal => {
  mkdirSync(folder(), { recursive: true, mode: 0o700 })
  const path = join(folder(), `upload-${createHash('sha256').update(of).digest('hex').slice(0, 16)}.jsonl`)
  const sums = new Map<string, string>()
  const sessions = new Map<string, { fingerprint: string; upload: PreviousUpload }>()
  let guest: Guest | undefined
  for (const line of linesOf(path)) {
    if ('sum' in line) sums.set(line.of, line.sum)
    else if ('session' in line) sessions.set(line.session, line)
    else if ('ended' in line) sessions.delete(line.ended)
    else guest = line.guest
  }
  const append = (line: Line) => appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 })
  // Expired entries are removed once per run.
  const kept: Line[] = [
    ...(guest ? [{ guest }] : []),
    ...[...sums].map(([of, sum]) => ({ sum, of })),
    ...[...sessions].map(([session, rest]) => ({ session, ...rest })),
  ]
  writeFileSync(`${path}.new`, kept.map(line => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 })
  renameSync(`${path}.new`, path)
  const previous = (wanted?: string) =>
    [...sessions].flatMap(([urlStorageKey, { fingerprint, upload }]) =>
      wanted === undefined || fingerprint === wanted ? [{ ...upload, urlStorageKey }] : [],
    )
  return {
    sumOf: found => sums.get(nameOf(found)),
    keepSum(found, sum) {
      sums.set(nameOf(found), sum)
      append({ sum, of: nameOf(found) })
    },
    guest: () => guest,
    keepGuest(now) {
      guest = now
      append({ guest: now })
    },
    sessions: {
      findAllUploads: async () => previous(),
      findUploadsByFingerprint: async fingerprint => previous(fingerprint),
      async addUpload(fingerprint, upload) {
        const session = `${fingerprint} ${crypto.randomUUID()}`
        sessions.set(session, { fingerprint, upload })
        append({ session, fingerprint, upload })
        return session
      },
      async removeUpload(session) {
        sessions.delete(session)
        append({ ended: session })
      },
    },
  }
}

const linesOf = (path: string): Line[] => {
  let text = ''
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return []
  }
  return text.split('\n').flatMap(line => {
    try {
      return line ? [JSON.parse(line) as Line] : []
    } catch {
      return []
    }
  })
}
