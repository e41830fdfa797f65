import { ours } from '../app/public-path.ts'
import '../app/storage/storage.ts'
import { openStore } from '../app/store.ts'
import type { Upload, UploadRefusal } from './upload.ts'
import { thisTab } from './upload-files.ts'

/* Reasons that hold files back: the user's pause, or a refusal concerning a whole album. */

const place = `${ours}.uploads.paused`

/** Paused by a person until they resume: also after a reload, and in every tab. */
export const paused = openStore(localStorage.getItem(place) !== null)

export const setPaused = (now: boolean) => {
  if (now) localStorage.setItem(place, 'yes')
  else localStorage.removeItem(place)
  paused.set(now)
}

window.addEventListener('storage', ({ key, newValue }) => {
  if (key === place) paused.set(newValue !== null)
})

/** The reason why nothing more can be added to an event's album; waiting files stay until the user retries. */
export const barriers = openStore<ReadonlyMap<number, UploadRefusal>>(new Map())

export const setBarrier = (eventId: number, refused: UploadRefusal | undefined) => {
  const now = new Map(barriers.get())
  if (refused) now.set(eventId, refused)
  else now.delete(eventId)
  barriers.set(now)
}

/** True if this tab may send it, as far as this is concerned. */
export const isDue = ({ state, eventId, holder = thisTab }: Upload) =>
  state === 'waiting' && holder === thisTab && !barriers.get().has(eventId)
