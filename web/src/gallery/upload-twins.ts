import { applyChanges } from '../app/change.ts'
import { api, statusOf } from '../app/client.ts'
import { queryClient } from '../app/query.ts'
import { hearGallery } from './reducer.ts'
import type { Upload } from './upload.ts'
import { uploads } from './upload-list.ts'
import { noteFolded } from './upload-tally.ts'

/* Photos that were added and look the same as one that was there: both stay, or the earlier one stands for both. */

const settle = ({ at }: Upload, becomes: Partial<Upload>) =>
  uploads.set(
    uploads.get().map(each => {
      const { twin: _, ...rest } = each
      return each.at === at ? { ...rest, ...becomes } : each
    }),
  )

export const keepTwin = (upload: Upload) => settle(upload, {})

/** Takes the one that was just added out again; like everything that is deleted, it can be put back. */
export const foldTwin = async (upload: Upload) => {
  if (!upload.twin) return
  const { id } = upload.twin
  // Gone already is as wished.
  await api.gallery.deletePhoto({ event_photo_id: id }).catch(error => {
    if (statusOf(error) !== 404) throw error
  })
  const payload = { id, event_id: String(upload.eventId) }
  applyChanges(queryClient, hearGallery({ kind: 'photo.deleted', payload }, upload.userId))
  settle(upload, { state: 'already' })
  noteFolded(upload)
}
