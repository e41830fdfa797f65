import { filmOf } from './film.ts'
import type { Photo } from './queries.ts'

/** Milliseconds between files: browsers drop what is asked for at once. */
const apartMs = 400

/** Saves photos as files, in full. */
export const saveFiles = async (photos: readonly Photo[]) => {
  for (const [at, photo] of photos.entries()) {
    if (at > 0) await new Promise(resolve => setTimeout(resolve, apartMs))
    save(photo.event_photo_url, nameOfFile(photo))
  }
}

export const nameOfFile = (photo: Photo) =>
  photo.extra?.original?.name ?? `photo-${photo.id}.${filmOf(photo) ? 'mp4' : 'jpg'}`

/** A name only helps where the address does not bring one of its own. */
export const save = (url: string, name = '') => {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
}
