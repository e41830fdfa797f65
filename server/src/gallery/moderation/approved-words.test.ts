import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { eraseDue } from '../../../test/erase-due.ts'
import { bringIn, evening } from '../../../test/party.ts'
import { anew, png } from '../../../test/pictures.ts'

/* A photo is approved with its words and its uploader’s name: later ones wait alone. */

const app = await openTestApp()
const [olivia, ana] = [await enter(app, 'olivia'), await enter(app, 'ana')]
const image = new Blob([await png({ width: 24, height: 16 })])
const paged = { page: 1, page_length: 100 }

const approved = async (event_photo_approval: 'wall' | 'album', words: { event_photo_caption?: string } = {}) => {
  const { id: event_id } = await olivia.api.events.saveEvent(evening({ event_photo_approval }))
  const gus = await enter(app, 'gus')
  for (const guest of [gus, ana]) await bringIn(olivia, event_id, guest)
  const bytes = await anew(image)
  const { id } = await gus.api.gallery.uploadPhoto({ event_id, image: bytes, ...words })
  await olivia.api.gallery.approvePhotos({ event_id, event_photo_ids: [Number(id)] })
  const { link_code: code } = await olivia.api.links.makeLink({ event_id, kind: 'screen' })
  const screen = { extra: app.withExtra((await app.as().links.viewByLink({ code })).token) }
  const seenBy = async ({ extra }: Pick<Member, 'extra'>) => {
    const { data } = await extra.gallery.listPhotos({ event_id, ...paged })
    const photo = data.find(each => each.id === id)
    return `${photo?.taken_by.user_first_name}: ${photo?.extra.caption}`
  }
  const waiting = async () =>
    (await olivia.extra.gallery.listPhotos({ event_id, waiting: true, ...paged })).data.map(
      ({ extra }) => extra.new_words,
    )
  return { event_id, event_photo_id: Number(id), gus, bytes, screen, seenBy, waiting }
}

test.each(['wall', 'album'] as const)(
  'a changed caption of an approved photo waits alone: wall and album go on with the approved one (%s)',
  async approval => {
    const { event_id, event_photo_id, gus, screen, seenBy, waiting } = await approved(approval, {
      event_photo_caption: 'Cake',
    })
    const told = await gus.extra.gallery.captionPhoto({ event_photo_id, event_photo_caption: 'Ugly cake' })
    expect(told.extra).toMatchObject({
      caption: 'Cake',
      new_words: { caption: 'Ugly cake', alt_text: null, name: null },
    })
    for (const who of [ana, olivia, gus, screen]) expect(await seenBy(who)).toBe('Gus: Cake')
    expect((await ana.extra.gallery.readPhoto({ event_photo_id })).extra.new_words).toBeNull()
    expect(await waiting()).toEqual([{ caption: 'Ugly cake', alt_text: null, name: null }])

    await olivia.api.gallery.refusePhotos({ event_id, event_photo_ids: [event_photo_id] })
    expect([await waiting(), await seenBy(ana)]).toEqual([[], 'Gus: Cake'])

    await gus.api.gallery.captionPhoto({ event_photo_id, event_photo_caption: 'Lovely cake' })
    const { decision_id } = await olivia.api.gallery.approvePhotos({ event_id, all: true })
    expect([await waiting(), await seenBy(screen)]).toEqual([[], 'Gus: Lovely cake'])
    await olivia.api.gallery.undoDecision({ decision_id: decision_id as number })
    expect(await seenBy(ana)).toBe('Gus: Cake')
    expect(await waiting()).toMatchObject([{ caption: 'Lovely cake' }])
    await gus.api.gallery.captionPhoto({ event_photo_id, event_photo_caption: 'Cake' })
    expect(await waiting()).toEqual([])
  },
)

test('an approved photo keeps the name of its uploader until the new one is approved', async () => {
  const { event_id, gus, screen, seenBy, waiting } = await approved('wall')
  const rename = (user_first_name: string) =>
    gus.api.accounts.updateAccount({
      user_first_name,
      user_last_name: 'Grant',
      user_username: gus.username,
      user_email: gus.email,
    })
  await rename('Ghastly')
  expect(await seenBy(screen)).toBe('Gus: null')
  expect(await waiting()).toEqual([{ caption: null, alt_text: null, name: 'Ghastly Grant' }])
  await rename('Gus')
  expect(await waiting()).toEqual([])

  await rename('Ghastly')
  const all = { event_id, all: true }
  await olivia.api.gallery.refusePhotos(all)
  expect([await waiting(), await seenBy(screen)]).toEqual([[], 'Gus: null'])
  await rename('Gustav')
  await olivia.api.gallery.approvePhotos(all)
  expect([await waiting(), await seenBy(screen)]).toEqual([[], 'Gustav: null'])
})

test('a caption that comes with the same bytes by somebody else waits, too', async () => {
  const { event_id, bytes, seenBy, waiting } = await approved('album')
  await ana.api.gallery.uploadPhoto({ event_id, image: bytes, event_photo_caption: 'Ugly' })
  expect(await seenBy(olivia)).toBe('Gus: null')
  expect(await waiting()).toMatchObject([{ caption: 'Ugly' }])
})

test('words by those who approve, and by those who are trusted, wait for nobody', async () => {
  const { event_id, event_photo_id, gus, seenBy, waiting } = await approved('album')
  await olivia.api.gallery.allowPhotos({ event_id, user_id: gus.id, trusted: true })
  await gus.api.gallery.captionPhoto({ event_photo_id, event_photo_caption: 'Cake' })
  expect([await waiting(), await seenBy(ana)]).toEqual([[], 'Gus: Cake'])
})

test('an erased account leaves neither its name nor words that waited', async () => {
  const { event_id, event_photo_id, gus } = await approved('album')
  const planted = 'planted-word'
  await gus.api.accounts.updateAccount({
    user_first_name: 'Gustav',
    user_last_name: 'Grant',
    user_username: gus.username,
    user_email: gus.email,
  })
  await gus.api.gallery.captionPhoto({ event_photo_id, event_photo_caption: planted })
  await olivia.api.gallery.approvePhotos({ event_id, all: true })
  await gus.api.gallery.captionPhoto({ event_photo_id, event_photo_caption: `${planted} again` })
  await gus.api.gallery.deletePhoto({ event_photo_id })
  await gus.api.privacy.deleteAccount({ user_password: gus.password })
  await sql`update users set erase_at = now() where id = ${gus.id}`.execute(app.db)
  await eraseDue(app)
  const { rows } = await sql<{ held: string }>`
    select concat(to_jsonb(p), d.words) as held from photos p left join photo_decisions d on d.event_id = p.event_id
    where p.id = ${event_photo_id}`.execute(app.db)
  expect(rows.map(({ held }) => held).join()).not.toMatch(/planted|Grant/)
})
