import type { Client } from 'pg'
import { jpeg } from '../../../server/test/pictures.ts'
import { bulk } from '../fill/bulk.ts'
import { tokenOf } from '../fill/sessions.ts'
import { greatEvent } from '../fill/size.ts'

const looks = [
  { width: 1600, height: 1200 },
  { width: 1200, height: 1600 },
  { width: 1600, height: 900 },
]
const each = 4

/**
 * Gives every filled picture files: none of the fill's has any. A dozen real photos and a face are uploaded, and the
 * others share theirs; a browser still loads each under an address of its own.
 */
export const hangPictures = async (db: Client, port: number, userId: number): Promise<void> => {
  const upload = async (
    path: string,
    field: string,
    wish: Parameters<typeof jpeg>[0],
    more: Record<string, string>,
  ) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(more)) body.set(name, value)
    body.set(field, new Blob([new Uint8Array(await jpeg(wish))], { type: 'image/jpeg' }), 'picture.jpg')
    const headers = { Authorization: `Bearer ${tokenOf(userId)}` }
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })
    if (!reply.ok) throw new Error(`A picture was answered ${reply.status}: ${await reply.text()}`)
  }
  const count = looks.length * each
  for (let seed = 0; seed < count; seed++)
    await upload(
      '/api/gallery/upload',
      'image',
      { ...looks[seed % looks.length], seed, grain: 4 },
      { event_id: String(greatEvent) },
    )
  await upload('/api/account/avatar', 'profile_picture', { width: 800, height: 800, grain: 4 }, {})
  // Without the trigger that counts a file's pictures anew for each row: a quarter of a million rows share thirteen files.
  await bulk(db, ['media'], async () => {
    await share(db, 'event_id is not null', count)
    await share(db, 'event_id is null', 1)
  })
}

/** The newest of them lend their files to all the others. */
const share = (db: Client, which: string, count: number) =>
  db.query(
    `with real as (
       select row_number() over (order by id) - 1 as n, variants, width, height, thumbhash
       from (select * from media where ${which} order by id desc limit $1) newest
     )
     update media m set variants = real.variants, width = real.width, height = real.height, thumbhash = real.thumbhash
     from real where ${which.replace('event_id', 'm.event_id')} and real.n = m.id % $1`,
    [count],
  )
