import { filmOf } from './film.ts'
import type { Photo } from './queries.ts'

/** Saves a photo as a file, in full, in the type that it came in. */
export const savePhoto = (photo: Photo) => save(photo.extra.original?.url ?? photo.event_photo_url, nameOfFile(photo))

export const nameOfFile = (photo: Photo) =>
  photo.extra.original?.name ?? `photo-${photo.id}.${filmOf(photo) ? 'mp4' : 'jpg'}`

/** A name only helps where the address does not bring one of its own. */
export const save = (url: string, name = '') => {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
}
