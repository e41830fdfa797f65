import { useEffect } from 'react'

/** Keeps the screen from going dark while this is shown; browsers take it back whenever the page is hidden. */
export const useWakeLock = () =>
  useEffect(() => {
    if (!('wakeLock' in navigator)) return
    let lock: WakeLockSentinel | undefined
    let gone = false
    const ask = async () => {
      if (document.visibilityState === 'hidden') return
      try {
        const got = await navigator.wakeLock.request('screen')
        if (gone) return await got.release()
        lock = got
      } catch {
        // A low battery, or nobody asked for it: then the screen does as it always does.
      }
    }
    const onShow = () => void ask()
    onShow()
    document.addEventListener('visibilitychange', onShow)
    return () => {
      gone = true
      document.removeEventListener('visibilitychange', onShow)
      void lock?.release().catch(() => {})
    }
  }, [])
