import { useEffect } from 'react'
import { api } from '../app/net/client.ts'

/** A screen that shows the same for long reports that it is still there. */
const againMs = 60_000

/** Reports to organizers' phones what this screen shows, if it is one. */
export const useReportShown = (eventId: number, ids: readonly string[], isScreen: boolean) => {
  const shown = ids.join()
  useEffect(() => {
    if (!isScreen || shown === '') return
    const say = () =>
      void api.wall.sayShown({ event_id: eventId, event_photo_ids: shown.split(',').map(Number) }).catch(() => {})
    say()
    const timer = setInterval(say, againMs)
    return () => clearInterval(timer)
  }, [eventId, shown, isScreen])
}
