import { queryClient } from '../app/cache/query.ts'
import { nextTask, whenIdle } from '../app/idle.ts'
import { tell } from '../app/net/channel-listeners.ts'
import { channelStart, storedPlace } from '../app/net/channel-start.ts'
import { loaded } from '../app/net/network.ts'

const keeping = () => import('../app/cache/persisted-cache.ts')

/** Restores stored data, then follows the channel. Returns a function to stop, once stored data has been restored. */
export const goLive = async (userId: number): Promise<() => void> => {
  // Without stored data, the page does not wait for the code that reads it.
  const anew = localStorage.getItem(storedPlace()) === null
  const kept = anew ? undefined : await restored(userId)
  const stops: (() => void)[] = []
  let closed = false
  // After the page is rendered: the channel's code is as large as the page's.
  void whenIdle().then(async () => {
    const [{ follow }, { keep }] = await loaded(() => Promise.all([import('./follow-channel.ts'), keeping()]))
    // The code has just run: the page may respond before it is used.
    await nextTask()
    const begun = await channelStart.get()
    if (closed) return
    // The cursor is for data loaded by this page: a user who signs in later starts afresh.
    channelStart.set(undefined)
    const following = follow(userId, anew ? begun : kept, tell)
    stops.push(following.stop, keep(queryClient, userId, following.cursor))
    localStorage.setItem(storedPlace(), 'yes')
  })
  return () => {
    closed = true
    for (const stop of stops) stop()
  }
}

/** Rather render a page without stored data than not at all. */
const withinMs = 2500

const restored = async (userId: number) => {
  const tooLong = new Promise<undefined>(resolve => setTimeout(resolve, withinMs))
  try {
    const { restore, holdsUnsent } = await keeping()
    const cursor = await Promise.race([restore(queryClient, userId), tooLong])
    await Promise.race([holdsUnsent().then(holds => (holds ? showUnsent() : undefined)), tooLong])
    return cursor
  } catch {
    // Neither its code arrived, nor a network to load the data again.
    return undefined
  }
}

const showUnsent = () => import('./send-waiting.ts').then(({ showWaiting }) => showWaiting()).catch(() => {})
