import { commented, photoOf, upload } from './gallery.ts'
import { picture } from './picture.ts'
import { Photo } from './shapes.ts'
import { answers, broken, faults, missing, part, refuses, same, shaped } from './statement.ts'

const unknown = 999_999_999

export const galleryStatements = [
  ...part('upload', {
    answers: [
      'uploading answers 200 with the photo',
      async world => {
        const { event_id, guest } = await world.party()
        const reply = await upload(world)
        const { event_id: of, taken_by, liked } = Object(reply.json)
        same(reply, [of, taken_by.id, liked], [String(event_id), guest.id, false], 'the photo')
      },
    ],
    files: [
      'its picture opens by its address as it stands',
      async world => {
        const reply = await upload(world)
        const { event_photo_url, event_photo_preview_url } = Object(reply.json)
        for (const url of [event_photo_url, event_photo_preview_url]) {
          const file = answers(await world.anyone('GET', url), 200)
          if (!file.type.startsWith('image/')) broken(file, `is ${file.type}, not a picture`)
        }
      },
    ],
    image: [
      'uploading needs an image',
      async world => {
        const { guest, event_id } = await world.party()
        faults(await guest.call('POST', 'api/gallery/upload', { form: { event_id } }), 'image')
      },
    ],
    text: [
      'which must be one',
      async world => {
        const { guest, event_id } = await world.party()
        const form = { event_id, image: new Blob(['no picture at all'], { type: 'image/png' }) }
        faults(await guest.call('POST', 'api/gallery/upload', { form }), 'image')
      },
    ],
    outside: [
      'who may not is refused in the field error',
      async world => {
        const { event_id } = await world.party()
        const { call } = await world.person('outsider')
        const reply = await call('POST', 'api/gallery/upload', { form: { event_id, image: picture() } })
        refuses(reply, "You're not authorized to upload an image for this event.", 'error')
      },
    ],
    missing: [
      'an unknown event is 404 in plain text, without an exclamation mark',
      async world => {
        const { call } = await world.person('organizer')
        const form = { event_id: unknown, image: picture() }
        missing(await call('POST', 'api/gallery/upload', { form }), 'Event not found')
      },
    ],
  }),
  ...part('photos', {
    read: [
      'one photo is read by its id',
      async world => {
        const { organizer } = await world.party()
        const id = await photoOf(world)
        const reply = shaped(await organizer.call('GET', `api/gallery/photo/details/${id}`), Photo)
        same(reply, Object(reply.json).id, String(id), 'id')
      },
    ],
    counts: [
      'its counts are strings that count comments',
      async world => {
        const { event_photo_id } = await commented(world, 'Counted')
        const { organizer } = await world.party()
        const reply = shaped(await organizer.call('GET', `api/gallery/photo/details/${event_photo_id}`), Photo)
        if (!(Number(Object(reply.json).event_photo_comments_count) >= 1)) broken(reply, 'counts no comment')
      },
    ],
    outside: [
      'who is outside of the event is refused',
      async world => {
        const id = await photoOf(world)
        const { call } = await world.person('outsider')
        refuses(await call('GET', `api/gallery/photo/details/${id}`), 'User is not allowed to access this event photo')
      },
    ],
    missing: [
      'an unknown photo is 404 in plain text',
      async world => {
        const { call } = await world.person('organizer')
        missing(await call('GET', `api/gallery/photo/details/${unknown}`), 'Event Photo not found!')
      },
    ],
  }),
]
