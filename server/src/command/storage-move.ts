/** `npm run storage:move -- --to s3://… [--from disk]`: copies every file to another storage while the service runs. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { type Move, moveFiles } from '../platform/media/storage/copy-files.ts'
import { mediaDirectory, openStorage } from '../platform/media/storage/open-storage.ts'
import { CannotStart } from '../platform/process/cannot-start.ts'
import { openDataDirectory } from '../platform/process/data-directory.ts'
import { readConfig } from '../settings/config.ts'

const everyMs = 1000

/** The target, and the source: if not given, the storage that the service uses, or used. */
const readPlaces = () => {
  const { values } = parseArgs({ options: { to: { type: 'string' }, from: { type: 'string' } } })
  const { STORAGE, STORAGE_FROM } = process.env
  const to = values.to ?? STORAGE ?? 'disk'
  const at = readConfig({ ...process.env, STORAGE: to, STORAGE_FROM: '' })
  const known = [values.from ?? STORAGE_FROM, STORAGE, 'disk'].filter(place => place !== undefined && place !== '')
  const others = known.map(place => ({ place, read: readConfig({ ...process.env, STORAGE: place, STORAGE_FROM: '' }) }))
  const from = others.find(({ read }) => !isDeepStrictEqual(read.storage.at, at.storage.at))
  if (!from) throw new CannotStart('Say where to: npm run storage:move -- --to s3://bucket (or --to disk).')
  return { to: { place: to, read: at }, from }
}

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`
const sayOf = ({ files, bytes, copied, there, damaged }: Move) =>
  `${files} files (${megabytes(bytes)}) seen, ${copied} copied, ${there} there already, ${damaged.length} damaged`

try {
  const { to, from } = readPlaces()
  // The service owns its temporaries; ours are on the same file system, and only one of us runs at a time.
  const own = join(mediaDirectory(to.read), 'moving')
  const lock = openDataDirectory(own)
  const source = await openStorage(from.read, { tmp: join(own, 'from') })
  const target = await openStorage(to.read, { tmp: join(own, 'to') })
  console.log(`Copying from ${from.place} to ${to.place}; what is there already is left alone.`)
  let saidAt = 0
  const onProgress = (soFar: Move) => {
    if (Date.now() - saidAt < everyMs) return
    saidAt = Date.now()
    console.log(`  ${sayOf(soFar)}`)
  }
  const move = await moveFiles(source, target, { onProgress })
  console.log(`Done: ${sayOf(move)}.`)
  for (const sha256 of move.damaged) console.log(`  damaged where it was, not copied: ${sha256}`)
  console.log(
    `The service may now run with STORAGE=${to.place} alone, if it ran with STORAGE=${to.place} and STORAGE_FROM=${from.place} since before this began; if not, restart it so and do this again.`,
  )
  source.close()
  target.close()
  lock.release()
  rmSync(own, { recursive: true, force: true })
  process.exitCode = move.damaged.length > 0 ? 2 : 0
} catch (fault) {
  console.error(fault instanceof CannotStart ? fault.message : fault)
  process.exit(1)
}
