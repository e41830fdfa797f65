import { useWords } from '../app/words.ts'
import { nameOf } from '../people/names.ts'
import type { Photo } from './queries.ts'

/** The alternative text of a photo: its description, or at least whose it is. */
export const useAlt = (photo: Photo | undefined): string => {
  const { t } = useWords()
  if (!photo) return t('gallery.title')
  return photo.extra.alt_text ?? photo.extra.caption ?? t('gallery.photoBy', { name: nameOf(photo.taken_by) })
}
