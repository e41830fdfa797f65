import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { enter } from '../../../test/cast.ts'
import { answered, command } from '../../../test/command.ts'
import { later } from '../../../test/later.ts'
import { newFolder } from '../../../test/new-folder.ts'
import { openNodes } from '../../../test/nodes.ts'
import { evening } from '../../../test/party.ts'
import { png } from '../../../test/pictures.ts'

const folder = newFolder('backup')
const backup = join(folder, 'backup')

type AcknowledgedMessage = { id: string; text: string; at: number }

const nodes = await openNodes()
const home = nodes.homeOf(1)
const olivia = await enter(nodes.first, 'olivia')
const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
const messages: AcknowledgedMessage[] = []
const photos: { id: string; at: number }[] = []

/** Writes until told to stop, and remembers what was acknowledged and when. */
const write = async (stopped: { now: boolean }, writer: number) => {
  for (let n = 0; !stopped.now; n++) {
    const text = `message ${n} of writer ${writer}`
    const { id } = await olivia.api.chats.saveMessage({ group_chat_id, message_content: text })
    messages.push({ id, text, at: Date.now() })
  }
}
const upload = async (stopped: { now: boolean }) => {
  for (let n = 0; !stopped.now; n++) {
    const image = new Blob([await png({ width: 40, height: 30, seed: n + 1 })])
    const { id } = await olivia.api.gallery.uploadPhoto({ event_id, image })
    photos.push({ id, at: Date.now() })
  }
}

const stopped = { now: false }
const writers = later([write(stopped, 1), write(stopped, 2), write(stopped, 3), upload(stopped)])
await sleep(300)
const taken = await answered({ DATA_DIR: home }, ['backup', backup])
stopped.now = true
await Promise.all(writers)
const holdsUntil = new Date(taken.holdsUntil).getTime()

const elsewhere = join(folder, 'elsewhere')
const restored = await answered({ DATA_DIR: elsewhere }, ['restore', backup])
const again = await openNodes({ DATA_DIR: elsewhere })

test('a backup under load, restored elsewhere, holds everything acknowledged before its end', async () => {
  const due = messages.filter(({ at }) => at < holdsUntil)
  const duePhotos = photos.filter(({ at }) => at < holdsUntil)
  expect(due.length).toBeGreaterThan(20)
  expect(duePhotos.length).toBeGreaterThan(0)
  expect(messages.length).toBeGreaterThan(due.length)

  expect(new Date(restored.holdsUntil).getTime()).toBe(holdsUntil)

  const api = again.first.as(olivia.token)
  const found = new Map<string, string>()
  for (let page = 1, more = true; more; page++) {
    const list = await api.chats.listMessages({ group_chat_id, page, page_length: 100 })
    for (const { id, message_content } of list.data) {
      expect(found.has(id)).toBe(false)
      found.set(id, message_content)
    }
    more = list.next_page_url !== null
  }
  for (const { id, text } of due) expect(found.get(id)).toBe(text)

  for (const { id } of duePhotos) {
    const { event_photo_url: url } = await api.gallery.readPhoto({ event_photo_id: Number(id) })
    const before = await olivia.api.gallery.readPhoto({ event_photo_id: Number(id) })
    const bytesOf = (link: string) => fetch(link).then(reply => reply.bytes())
    expect(await bytesOf(url)).toEqual(await bytesOf(before.event_photo_url))
  }
  // Counts equal the rows, sessions remain valid, and everything continues from there.
  await api.chats.saveMessage({ group_chat_id, message_content: 'after the restore' })
  await again.first.stop()
  expect(existsSync(join(elsewhere, 'postgres/cluster/backup_label'))).toBe(false)
})

test('a backup has every file of the data directory with equal bytes, except those that a start recreates', () => {
  const media = readdirSync(join(backup, 'media'), { recursive: true, withFileTypes: true }).filter(file =>
    file.isFile(),
  )
  expect(media.length).toBeGreaterThanOrEqual(photos.filter(({ at }) => at < holdsUntil).length * 2)
  for (const file of media) {
    const sum = createHash('sha256')
      .update(readFileSync(join(file.parentPath, file.name)))
      .digest('hex')
    expect(sum).toBe(file.name)
  }
  expect(readFileSync(join(backup, 'secrets.json'))).toEqual(readFileSync(join(home, 'secrets.json')))
  expect(readdirSync(backup).sort()).toEqual(['cluster', 'manifest.json', 'media', 'secrets.json'])
  expect(existsSync(join(backup, 'cluster/postmaster.pid'))).toBe(false)
  for (const path of ['.', 'cluster', 'secrets.json', 'manifest.json'])
    expect(statSync(join(backup, path)).mode & 0o077).toBe(0)
})

describe('verifying', () => {
  const copy = (name: string) => {
    const to = join(folder, name)
    cpSync(backup, to, { recursive: true })
    return to
  }

  test('verification passes an intact backup', async () => {
    expect(await answered({}, ['backup', 'verify', backup])).toMatchObject({ faults: [] })
  })

  test('verification reports a changed byte, a missing and a superfluous file, and a restore refuses them', async () => {
    const damaged = copy('damaged')
    const file = join(damaged, 'cluster/PG_VERSION')
    writeFileSync(file, '19\n')
    rmSync(join(damaged, 'cluster/pg_hba.conf'))
    writeFileSync(join(damaged, 'cluster/stranger'), 'x')
    const { code, out } = await command({}, ['--json', 'backup', 'verify', damaged])
    expect(code).toBe(1)
    expect(JSON.parse(out).faults.sort()).toEqual([
      'cluster/PG_VERSION has changed',
      'cluster/pg_hba.conf is missing',
      'cluster/stranger is not of this backup',
    ])
    const into = join(folder, 'of damaged')
    expect(await command({ DATA_DIR: into }, ['restore', damaged])).toMatchObject({ code: 1 })
    expect(readdirSync(into).filter(name => name !== 'lock')).toEqual([])
  })

  test.each([
    ['a list that was changed', (to: string) => writeFileSync(join(to, 'manifest.json'), '{}'), 'is damaged'],
    ['no list', (to: string) => rmSync(join(to, 'manifest.json')), 'is no backup, or one that was not finished'],
  ])('verification refuses %s', async (name, spoil, sentence) => {
    const to = copy(name)
    spoil(to)
    expect(await command({}, ['backup', 'verify', to])).toMatchObject({
      code: 1,
      err: expect.stringContaining(sentence),
    })
  })
})

describe('nothing is overwritten:', () => {
  test('a backup into a non-empty directory or the data directory is refused', async () => {
    expect(await command({ DATA_DIR: home }, ['backup', backup])).toMatchObject({
      code: 1,
      err: `${backup} is not empty: each backup has a directory of its own.`,
    })
    expect(await command({ DATA_DIR: home }, ['backup', join(home, 'backup')])).toMatchObject({ code: 1 })
  })

  test('a backup to an impossible place is refused with a sentence', async () => {
    const file = join(folder, 'a file')
    writeFileSync(file, 'of somebody')
    for (const [place, why] of [
      [join(file, 'backup'), 'part of the path is no directory (ENOTDIR)'],
      ['/proc/backup', 'nothing can be made there (ENOENT)'],
    ] as const) {
      const refused = await command({ DATA_DIR: home }, ['backup', place])
      expect(refused).toEqual({ code: 1, out: '', err: `${place} cannot be written: ${why}.` })
    }
  })

  test('a restore into a non-empty directory is refused and leaves it unchanged', async () => {
    const taken = join(folder, 'taken')
    mkdirSync(taken)
    writeFileSync(join(taken, 'letter.txt'), 'mine')
    expect(await command({ DATA_DIR: taken }, ['restore', backup])).toMatchObject({
      code: 1,
      err: `${taken} is not empty (letter.txt): restore into a new directory.`,
    })
    expect(readdirSync(taken)).toEqual(['letter.txt'])
  })

  test('a restore of another major version is refused with both numbers', async () => {
    const older = join(folder, 'older')
    cpSync(backup, older, { recursive: true })
    const { checksum: _, ...manifest } = JSON.parse(readFileSync(join(older, 'manifest.json'), 'utf8'))
    manifest.database.postgresVersion = '17.2'
    const checksum = createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
    writeFileSync(join(older, 'manifest.json'), JSON.stringify({ ...manifest, checksum }))
    const said = await command({ DATA_DIR: join(folder, 'never') }, ['restore', older])
    expect(said).toMatchObject({ code: 1, err: expect.stringMatching(/PostgreSQL 17\.2.* brings 18/) })
    expect(existsSync(join(folder, 'never'))).toBe(false)
  })
})

test('an external database is not copied; everything else is, on request', async () => {
  const env = { DATA_DIR: home, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
  const files = join(folder, 'files')
  expect(await command(env, ['backup', files])).toMatchObject({ code: 1, err: expect.stringContaining('pg_dump') })
  expect(await answered(env, ['backup', files, '--without-database'])).toMatchObject({ holdsUntil: null, damaged: [] })
  expect(readdirSync(files).sort()).toEqual(['manifest.json', 'media', 'secrets.json'])
})

test('a backup reports media that were damaged before', async () => {
  const spoiled = join(folder, 'spoiled')
  mkdirSync(join(spoiled, 'media/aa/bb'), { recursive: true })
  writeFileSync(join(spoiled, 'media/aa/bb', `aabb${'0'.repeat(60)}`), 'rotten')
  writeFileSync(join(spoiled, 'secrets.json'), readFileSync(join(home, 'secrets.json')))
  const env = { DATA_DIR: spoiled, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
  const { code, out } = await command(env, ['--json', 'backup', join(folder, 'of spoiled'), '--without-database'])
  expect(code).toBe(1)
  expect(JSON.parse(out).damaged).toEqual([`media/aa/bb/aabb${'0'.repeat(60)}`])
})

test('commands and backups work on a stopped instance, and leave it stopped', { tags: 'slow' }, async () => {
  await nodes.first.stop()
  const stopped = join(folder, 'of stopped')
  await answered({ DATA_DIR: home }, ['backup', stopped])
  expect(await answered({}, ['backup', 'verify', stopped])).toMatchObject({ faults: [] })
  expect(await answered({ DATA_DIR: home }, ['users', 'show', olivia.username])).toMatchObject({ id: olivia.id })
  expect(existsSync(join(home, 'postgres/cluster/postmaster.pid'))).toBe(false)
})
