import { type Speech, useWords } from '../app/words.ts'
import { nameOf } from '../people/names.ts'
import type { Photo } from './queries.ts'

/** The alternative text of a photo: its description, or at least whose it is. */
export const altOf = ({ extra, taken_by }: Photo, t: Speech['t']): string =>
  extra.alt_text ?? extra.caption ?? t('gallery.photoBy', { name: nameOf(taken_by) })

export const useAlt = (photo: Photo | undefined): string => {
  const { t } = useWords()
  return photo ? altOf(photo, t) : t('gallery.title')
}
