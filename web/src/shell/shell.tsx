import { startTransition, useEffect, useRef, useState } from 'react'
import { whenIdle } from '../app/idle.ts'
import { loaded } from '../app/net/network.ts'
import { lazy } from '../app/router/lazy.tsx'
import { Outlet, useLocation } from '../app/router/router.tsx'
import { session } from '../app/session.ts'
import { performBy } from '../app/storage/pending-acts.ts'
import { useStore } from '../app/store.ts'
import { onlookerOf, viewing } from '../app/viewing.ts'
import { useWords } from '../app/words.ts'
import { goLive } from './go-live.ts'
import { Navigation } from './navigation.tsx'
import { NetworkBar } from './network-bar.tsx'
import { Waiting } from './page-placeholder.tsx'
import { performers } from './performers.ts'
import { refreshWhenDue } from './refresh-session.ts'

performBy(performers)

/** Loaded after the page itself, like the queue. */
const UploadPill = lazy(
  async () => {
    await whenIdle()
    return (await import('../uploads/upload-pill.tsx')).UploadPill
  },
  null,
  null,
)

/**
 * The layout of every page of an account: the channel, the navigation, and the state of the network. A viewer by a link
 * has no other pages, and no pending items.
 */
export const Shell = () => {
  const { t } = useWords()
  const by = useStore(viewing)
  // A user who is redirected does not see another's navigation on the way.
  const [looking] = useState(by !== undefined)
  const now = useStore(session)
  /** A guest who only adds photos to one event has no other page. */
  const alone = looking || now?.addsTo !== undefined
  const userId = by ? onlookerOf(by) : now?.userId
  const ready = useLive(userId, { looking, alone })
  const path = useLocation().path
  const main = useNewPagesTop(path)
  const immersed = /\/chat$/.test(path)
  return (
    <>
      <a
        href="#main"
        className="sr-only z-60 rounded-full bg-ember px-4 py-2 text-on-ember focus:not-sr-only focus:fixed focus:start-3 focus:top-3"
      >
        {t('nav.skip')}
      </a>
      <div className={alone ? '' : 'lg:ps-24'}>
        {!alone && <Navigation immersed={immersed} />}
        {!alone && <UploadPill immersed={immersed} />}
        <NetworkBar />
        <main
          ref={main}
          id="main"
          tabIndex={-1}
          className={`outline-none ${looking && immersed ? 'h-page' : 'min-h-page'} ${immersed || alone ? '' : 'pb-[calc(5rem+var(--pill))] lg:pb-0'}`}
        >
          {ready && !(looking && !by) ? <Outlet /> : <Waiting />}
        </main>
      </div>
    </>
  )
}

/**
 * Follows the channel, and then sends pending items, for as long as a page is shown. Returns true once it has started.
 */
const useLive = (userId: number | undefined, { looking, alone }: { looking: boolean; alone: boolean }) => {
  const [ready, setReady] = useState(false)
  useEffect(() => {
    if (userId === undefined) return
    const stops: (() => void)[] = []
    let gone = false
    void goLive(userId).then(stop => {
      if (gone) return stop()
      stops.push(stop)
      // The page is rendered in small steps, between which the browser responds.
      startTransition(() => setReady(true))
      void refreshWhenDue()
    })
    void whenIdle().then(async () => {
      if (looking) return
      const { sendAllWaiting } = await loaded(() => import('./send-waiting.ts'))
      if (!gone) stops.push(sendAllWaiting())
      if (alone) return
      const { keepReturnKey } = await loaded(() => import('../accounts/keep-return-key.ts'))
      if (!gone) void keepReturnKey()
    })
    return () => {
      gone = true
      for (const stop of stops) stop()
    }
  }, [userId, looking, alone])
  return ready
}

/** Screen readers start a new page from its top. */
const useNewPagesTop = (path: string) => {
  const main = useRef<HTMLElement>(null)
  const before = useRef(path)
  useEffect(() => {
    if (before.current !== path) main.current?.focus({ preventScroll: true })
    before.current = path
  }, [path])
  return main
}
