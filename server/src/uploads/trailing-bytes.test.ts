import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { evening, party } from '../../test/party.ts'
import { jpeg, png } from '../../test/pictures.ts'
import { addressOf, sessionIn, tusFor } from '../../test/tus.ts'

const app = await openTestApp()
const { olivia, gus, event, chatId } = await party(app)
const event_id = event.id

const word = 'Rumpelstilzchen'
const more = Buffer.from(`PK\x03\x04 ${word} ${'.'.repeat(300_000)}`)
const blobOf = (bytes: Buffer) => new Blob([new Uint8Array(bytes)])
const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
let seed = 100
const fresh = (make: typeof jpeg = jpeg) => make({ width: 64, height: 48, seed: seed++ })

/** All stored files, concatenated. */
const stored = async () => {
  const files = []
  for await (const { sha256 } of app.storage.stored())
    files.push(...(await (await app.storage.open(sha256)).stream.toArray()))
  return Buffer.concat(files)
}
const originals = async () =>
  (
    await sql<{ sha256: string; bytes: number; upload: string | null }>`
      select original_sha256 as sha256, original_bytes as bytes, upload_sha256 as upload from media order by id`.execute(
      app.db,
    )
  ).rows

test('the bytes after a picture are removed, however it arrives', async () => {
  const bySession = async (bytes: Buffer) => {
    const tus = tusFor(app.url, gus)
    const at = await addressOf(tus.open(bytes.length, { event_id, kind: 'image' }))
    expect((await tus.patch(at, 0, bytes)).status).toBe(204)
    return gus.api.gallery.uploadPhoto({ event_id, image_session_id: sessionIn(at) })
  }
  const ways: ((bytes: Buffer) => Promise<unknown>)[] = [
    bytes => gus.api.gallery.uploadPhoto({ event_id, image: blobOf(bytes) }),
    bySession,
    bytes =>
      gus.api.chats.saveMessage({ group_chat_id: chatId, message_content: 'Look', attachments: [blobOf(bytes)] }),
    bytes => gus.api.accounts.stageAvatar({ profile_picture: blobOf(bytes) }),
    bytes => olivia.api.events.saveEvent(evening({ event_avatar: blobOf(bytes) } as never)),
  ]
  for (const way of ways)
    for (const make of [jpeg, png]) {
      const picture = await fresh(make)
      await way(Buffer.concat([picture, more]))
      expect((await originals()).at(-1)).toEqual({
        sha256: sumOf(picture),
        bytes: picture.length,
        upload: sumOf(Buffer.concat([picture, more])),
      })
    }
  expect((await stored()).includes(word)).toBe(false)
})

test('a picture is one photo, with and without bytes after its end, and a check finds either', async () => {
  const picture = await fresh()
  const longer = Buffer.concat([picture, more])
  const upload = (bytes: Buffer) => gus.api.gallery.uploadPhoto({ event_id, image: blobOf(bytes) })
  const ask = async (bytes: Buffer) =>
    (await gus.api.gallery.checkUploads({ event_id, sha256: [sumOf(bytes)] })).known.map(one => one.event_photo_id)
  const first = await upload(longer)
  expect(await ask(longer)).toEqual([Number(first.id)])
  expect(await ask(picture)).toEqual([Number(first.id)])
  for (const again of [longer, picture, Buffer.concat([picture, Buffer.from('something else')])])
    expect((await upload(again)).id).toBe(first.id)
  const other = await fresh()
  const plain = await upload(other)
  expect((await upload(Buffer.concat([other, more]))).id).toBe(plain.id)
})
