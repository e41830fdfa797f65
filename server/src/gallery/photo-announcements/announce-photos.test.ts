import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { enter, type Member } from '../../../test/cast.ts'
import { notificationsOf, openNotifiedApp } from '../../../test/notified.ts'
import { bringIn, evening } from '../../../test/party.ts'
import { png } from '../../../test/pictures.ts'
import { transact } from '../../platform/database/database.ts'
import { addJob } from '../../platform/jobs/jobs.ts'

const { app, unread, subscribe, quiet } = await openNotifiedApp({ timing: { ringsPerHour: 6, ringAgainMs: 0 } })

/** Moves everything waiting to be announced this far into the past. */
const later = async (eventId: number, time: string) => {
  await sql`update untold_photos set added_at = added_at - ${time}::interval where event_id = ${eventId}`.execute(
    app.db,
  )
  await sql`update galleries set photos_told_at = photos_told_at - ${time}::interval where event_id = ${eventId}`.execute(
    app.db,
  )
}
const minute = async (...tasks: string[]) => {
  for (const task of tasks.length > 0 ? tasks : ['tellPhotos', 'tellPhotos'])
    await transact(app.db, tx => addJob(tx, task, {}))
  await quiet()
}

let shade = 0
const add = async (who: Member, event_id: number, many = 1) => {
  for (let n = 0; n < many; n += 1) {
    shade += 1
    const image = new Blob([await png({ width: 8 + (shade % 50), height: 8 + Math.floor(shade / 50) })])
    await who.api.gallery.uploadPhoto({ event_id, image })
  }
}
const gathering = async () => {
  const [olivia, gus, ana] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'ana')]
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  for (const guest of [gus, ana]) await bringIn(olivia, event_id, guest)
  await quiet()
  for (const one of [olivia, gus, ana]) await one.api.notifications.readAllNotifications()
  return { olivia, gus, ana, event_id, album: `/events/${event_id}/photos` }
}
const name = 'Midsummer at the lake'

test('photos are announced once uploads pause, together, to everybody but their uploaders, and at most once an hour', {
  tags: 'slow',
}, async () => {
  const { olivia, gus, ana, event_id, album } = await gathering()
  await add(gus, event_id, 3)
  await minute()
  expect(await unread(ana)).toEqual([])
  await later(event_id, '2 minutes')
  await minute()
  expect(await unread(ana)).toEqual([['photos_added', name, 'Gus Grant added 3 photos.', album, 3]])
  expect(await unread(gus)).toEqual([])
  await add(ana, event_id)
  await later(event_id, '3 minutes')
  await minute()
  expect((await unread(olivia)).map(([, , text]) => text)).toEqual(['Gus Grant added 3 photos.'])
  await later(event_id, '1 hour')
  await minute()
  // Unread photos are counted, too; nobody is notified of their own.
  expect((await unread(olivia)).map(([, , text]) => text)).toEqual(['4 new photos, the newest by Ana Álvarez.'])
  expect((await unread(gus)).map(([, , text]) => text)).toEqual(['Ana Álvarez added a photo.'])
  expect((await unread(ana)).map(([, , text]) => text)).toEqual(['Gus Grant added 3 photos.'])
})

test('an organizer may choose to hear of photos at once, and of each only once', async () => {
  const { olivia, gus, ana, event_id } = await gathering()
  await add(gus, event_id)
  await olivia.api.notifications.saveEventLevel({ event_id, level: 'everything', photos_at_once: true })
  await ana.api.notifications.saveEventLevel({ event_id, level: 'everything', photos_at_once: true })
  await add(gus, event_id, 2)
  await minute()
  expect((await unread(olivia)).map(([, , text]) => text)).toEqual(['Gus Grant added 2 photos.'])
  expect(await unread(ana)).toEqual([])
  await olivia.api.notifications.readAllNotifications()
  await later(event_id, '5 minutes')
  await minute()
  // This notice is from before the setting changed.
  expect((await unread(olivia)).map(([, , text]) => text)).toEqual(['Gus Grant added a photo.'])
  expect((await unread(ana)).map(([, , text]) => text)).toEqual(['Gus Grant added 3 photos.'])
})

test('photos are not announced across a block, and deleted ones to nobody', async () => {
  const { olivia, gus, ana, event_id } = await gathering()
  await olivia.api.people.block({ user_id: ana.id })
  await add(gus, event_id)
  await add(ana, event_id, 2)
  const [newest] = (await ana.api.gallery.listPhotos({ event_id, page: 1, page_length: 1 })).data
  await ana.api.gallery.deletePhoto({ event_photo_id: Number(newest?.id) })
  await later(event_id, '2 minutes')
  await minute()
  expect((await unread(olivia)).map(([, , text]) => text)).toEqual(['Gus Grant added a photo.'])
  expect((await unread(gus)).map(([, , text]) => text)).toEqual(['Ana Álvarez added a photo.'])
  await olivia.api.people.unblock({ user_id: ana.id })
})

test('a push shows the three newest photos, by URLs that need no session, and no deleted one', async () => {
  const { gus, ana, event_id } = await gathering()
  let taken = false
  const browser = await subscribe(ana, reply => reply.writeHead(taken ? 201 : 503).end())
  const shown = () => browser.messages().map(({ images }) => images?.map((path: string) => path.split('?')[0]))
  await add(gus, event_id, 4)
  const photos = (await gus.api.gallery.listPhotos({ event_id, page: 1, page_length: 4 })).data
  const [first, second, third] = photos.map(({ event_photo_preview_url }) => new URL(event_photo_preview_url).pathname)
  await later(event_id, '2 minutes')
  await transact(app.db, tx => addJob(tx, 'tellPhotos', {}))
  await expect.poll(() => shown()[0]).toEqual([first, second, third])
  const reply = await fetch(app.url + browser.messages()[0].images[0])
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  await gus.api.gallery.deletePhoto({ event_photo_id: Number(photos[0]?.id) })
  taken = true
  await quiet()
  expect(shown().at(-1)).toEqual([second, third])
})

test('the recap is sent once, at nine on the next morning by the event’s clock', async () => {
  const { olivia, gus, ana, event_id, album } = await gathering()
  await add(gus, event_id, 2)
  await add(ana, event_id)
  const { id } = (await gus.api.gallery.listPhotos({ event_id, page: 1, page_length: 1 })).data[0] ?? {}
  await olivia.api.gallery.likePhoto({ event_photo_id: Number(id) })
  await sql`delete from untold_photos`.execute(app.db)
  await quiet()
  for (const one of [olivia, gus, ana]) await one.api.notifications.readAllNotifications()
  // The event has just ended; nine o'clock is more than an hour away, then some minutes past.
  const zone = `Etc/GMT${((hour: number) => (hour > 12 ? `-${24 - hour}` : `+${hour}`))((new Date().getUTCHours() + 24 - 7) % 24)}`
  await sql`update events set ends_at = now() - interval '1 minute', starts_at = now() - interval '9 hours', timezone = ${zone}
    where id = ${event_id}`.execute(app.db)
  await minute('tellRecaps')
  expect(await unread(ana)).toEqual([])
  await sql`update events set ends_at = now() - interval '25 hours', starts_at = now() - interval '30 hours'
    where id = ${event_id}`.execute(app.db)
  await minute('tellRecaps', 'tellRecaps')
  const told = ['recap', name, '3 photos by 2 people. The favourite has one like.', album, 1]
  for (const one of [olivia, gus, ana]) expect(await unread(one)).toEqual([told])
  for (const one of [olivia, gus, ana]) await one.api.notifications.readAllNotifications()
  // Moving the event, or the clock, changes nothing.
  await sql`update events set ends_at = now() - interval '26 hours' where id = ${event_id}`.execute(app.db)
  await minute('tellRecaps')
  expect(await unread(olivia)).toEqual([])
})

test('a participant with few photos is asked for more once, on the second day, unless they declined, muted it or a host opted out', async () => {
  const cast = await Promise.all((['olivia', 'gus', 'ana', 'asha'] as const).map(name => enter(app, name)))
  const [olivia, gus, ana, asha] = cast as [Member, Member, Member, Member]
  const hold = async (fields = {}) => {
    const { id: event_id } = await olivia.api.events.saveEvent(evening(fields))
    for (const guest of [gus, ana, asha]) await bringIn(olivia, event_id, guest)
    return event_id
  }
  const [event_id, unasked] = [await hold(), await hold({ event_asks_for_photos: false })]
  for (let n = 0; n < 5; n++) await add(gus, event_id)
  await ana.api.plans.answerEvent({ event_id, event_answer: 'no' })
  await asha.api.notifications.saveEventLevel({ event_id, level: 'nothing' })
  const over = (hours: number) =>
    sql`update events set timezone = 'UTC', starts_at = now() - make_interval(hours => ${hours + 5}),
      ends_at = now() - make_interval(hours => ${hours}) where id in (${event_id}, ${unasked})`.execute(app.db)
  const asked = async () => {
    await minute('tellRecaps')
    await quiet()
    return Promise.all(
      cast.map(
        async one =>
          (await notificationsOf(one)).filter(({ notification_kind }) => notification_kind === 'photos_wanted').length,
      ),
    )
  }
  await over(20)
  expect(await asked()).toEqual([0, 0, 0, 0])
  await over(66)
  expect(await asked()).toEqual([1, 0, 0, 0])
  expect(await asked()).toEqual([1, 0, 0, 0])
})

test('a thousand photos by twenty guests in an evening ring everybody at most three times an hour, and the list has all', {
  tags: 'slow',
}, async () => {
  const olivia = await enter(app, 'olivia')
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  const gus = await enter(app, 'gus')
  await bringIn(olivia, event_id, gus)
  await quiet()
  await gus.api.notifications.readAllNotifications()
  const browser = await subscribe(gus)
  await add(olivia, event_id)
  await sql`
    with people as (
      insert into users (first_name, last_name, username, email, timezone)
      select 'Guest', n::text, 'many' || n, 'many' || n || '@party.example', 'UTC' from generate_series(1, 20) n returning id
    ) insert into guests (event_id, user_id) select ${event_id}, id from people`.execute(app.db)
  // Six hours of it, announced at every minute's end.
  for (let part = 0; part < 36; part += 1) {
    await sql`
      with one as (select * from photos where event_id = ${event_id} order by id limit 1), added as (
        insert into photos (event_id, sequence, media_id, taken_by, shares_media, moment, created_at, updated_at, picture_epoch)
        select one.event_id, g.last_sequence + n, one.media_id, u.id, false, now(), clock_timestamp(), now(), one.picture_epoch
        from one join galleries g using (event_id), generate_series(1, 28) n
          join users u on u.username = 'many' || (1 + n % 20) returning id, event_id, created_at
      ), counted as (update galleries set last_sequence = last_sequence + 28 where event_id = ${event_id})
      insert into untold_photos (photo_id, event_id, added_at) select id, event_id, created_at from added`.execute(
      app.db,
    )
    await later(event_id, '10 minutes')
    await sql`update ring_budgets set rung_at = array(select at - 600000 from unnest(rung_at) at)`.execute(app.db)
    await minute('tellPhotos')
  }
  await later(event_id, '1 hour')
  await minute('tellPhotos')
  const rung = browser.messages().filter(({ kind, ...message }) => kind === 'photos_added' && !('silent' in message))
  expect(rung.length).toBeGreaterThan(0)
  expect(rung.length).toBeLessThanOrEqual(7)
  expect(await unread(gus)).toMatchObject([['photos_added', name, expect.any(String), expect.any(String), 36 * 28 + 1]])
})
