import { ours } from '../app/public-path.ts'
import { isLoose, type Upload, type UploadRefusal } from './upload.ts'
import { barriers } from './upload-barriers.ts'
import { thisTab } from './upload-files.ts'
import { sent, uploads } from './upload-list.ts'

/* A single queue, whichever tab shows it: tabs tell each other what happens to each file. One at a time sends. */

type TabMessage = {
  changed?: readonly Upload[]
  gone?: readonly number[]
  sent?: ReadonlyMap<number, number>
  barriers?: ReadonlyMap<number, UploadRefusal>
  /** Sent by a tab that has just opened: files chosen elsewhere may not be stored yet. */
  asks?: true
}

type Listeners = {
  /** There may be something to send. */
  onTold(): void
  /** A tab closed, perhaps without a message. Files that it alone had are gone; others it may have stored last. */
  onLost(): void
}

/** Returns a function to stop. */
export const shareUploads = ({ onTold, onLost }: Listeners) => {
  // Without locks no tab's turn is known: each then sends its own.
  if (!navigator.locks) return () => {}
  const tabs = new BroadcastChannel(`${ours}.uploads`)
  const tell = (told: TabMessage) => tabs.postMessage(told)
  let known = byTime(uploads.get())
  let heard: TabMessage = {}
  const tellUploads = () => {
    const before = known
    known = byTime(uploads.get())
    const changed = uploads.get().filter(each => before.get(each.at) !== each)
    const gone = [...before.keys()].filter(at => !known.has(at))
    if (changed.length + gone.length > 0) tell({ changed, gone })
  }
  const stopFollowing = [
    uploads.follow(tellUploads),
    sent.follow(now => now !== heard.sent && tell({ sent: now })),
    barriers.follow(now => now !== heard.barriers && tell({ barriers: now })),
  ]
  const stop = new AbortController()
  const watched = new Set<string>()
  const watch = async (holder = thisTab) => {
    if (holder === thisTab || watched.has(holder)) return
    watched.add(holder)
    const lost = () => {
      watched.delete(holder)
      uploads.set(uploads.get().filter(each => each.holder !== holder || !isLoose(each)))
      onLost()
    }
    await navigator.locks.request(holder, { mode: 'shared', signal: stop.signal }, lost).catch(() => {})
  }
  tabs.onmessage = ({ data: told }: MessageEvent<TabMessage>) => {
    heard = told
    if (told.sent) sent.set(told.sent)
    if (told.barriers) barriers.set(told.barriers)
    if (told.changed || told.gone) {
      known = new Map([...byTime(uploads.get()), ...byTime(told.changed ?? [])])
      for (const at of told.gone ?? []) known.delete(at)
      uploads.set([...known.values()])
      for (const each of told.changed ?? []) if (isLoose(each)) void watch(each.holder)
    }
    if (told.asks && uploads.get().length > 0)
      tell({ changed: uploads.get(), sent: sent.get(), barriers: barriers.get() })
    onTold()
  }
  tell({ asks: true })
  return () => {
    stop.abort()
    for (const stop of stopFollowing) stop()
    tabs.close()
  }
}

const byTime = (all: readonly Upload[]) => new Map(all.map(each => [each.at, each]))
