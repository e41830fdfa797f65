import { sizeOf } from '../app/sizes.ts'
import { t } from '../app/words.ts'
import { filmOf } from './film.ts'
import type { Photo } from './queries.ts'

/** Saves a photo as a file, in full size, in its uploaded format. */
export const savePhoto = (photo: Photo) => save(photo.extra.original?.url ?? photo.event_photo_url, nameOfFile(photo))

/** The label of its button. */
export const saveLabel = (original: { bytes: number } | null | undefined) =>
  original ? t('photo.save', { size: sizeOf(original.bytes) }) : t('gallery.download')

export const nameOfFile = (photo: Photo) =>
  photo.extra.original?.name ?? `photo-${photo.id}.${filmOf(photo) ? 'mp4' : 'jpg'}`

/**
 * The film of a Live Photo or motion photo: the original for those who may have it, the converted one for everybody
 * else.
 */
export const momentOf = ({ id, extra }: Photo) =>
  extra.live ?? (extra.motion_url ? { url: extra.motion_url, name: `photo-${id}.mp4` } : undefined)

/** The name is used only if the server does not supply one. */
export const save = (url: string, name = '') => {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
}
