import { applyChanges } from '../app/cache/change.ts'
import { queryClient } from '../app/cache/query.ts'
import { api, statusOf } from '../app/net/client.ts'
import { onGalleryEvent } from '../gallery/reducer.ts'
import type { Upload } from './upload.ts'
import { uploads } from './upload-list.ts'
import { noteFolded } from './upload-tally.ts'

/* Added photos that look the same as an existing one: keep both, or keep only the earlier one. */

const settle = ({ at }: Upload, becomes: Partial<Upload>) =>
  uploads.set(
    uploads.get().map(each => {
      const { twin: _, ...rest } = each
      return each.at === at ? { ...rest, ...becomes } : each
    }),
  )

export const keepTwin = (upload: Upload) => settle(upload, {})

/** Removes the one just added; like everything that is deleted, it can be restored. */
export const foldTwin = async (upload: Upload) => {
  if (!upload.twin) return
  const { id } = upload.twin
  // An already deleted photo is fine.
  await api.gallery.deletePhoto({ event_photo_id: id }).catch(error => {
    if (statusOf(error) !== 404) throw error
  })
  const payload = { id, event_id: String(upload.eventId) }
  applyChanges(queryClient, onGalleryEvent({ kind: 'photo.deleted', payload }, upload.userId))
  settle(upload, { state: 'already' })
  noteFolded(upload)
}
