import { useEffect } from 'react'

/** Keeps the screen awake while this is shown; browsers release the lock whenever the page is hidden. */
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
        // A low battery, or no permission: then the screen behaves as usual.
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
