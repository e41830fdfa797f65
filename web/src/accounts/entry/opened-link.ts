import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { troubleOf } from '../../app/cache/query.ts'
import { api } from '../../app/net/client.ts'
import { navigate, useLocation } from '../../app/router/router.tsx'
import { session } from '../../app/session.ts'
import { enteredBy } from '../../app/storage/join-code.ts'
import { useStore } from '../../app/store.ts'
import { isIn } from '../../events/event-words.ts'
import { eventQuery } from '../../events/queries.ts'
import { behindCode, pageBehind } from './page-behind.ts'

export type OpenedLink = Awaited<ReturnType<typeof api.links.openLink>>

/**
 * What a code opens. Someone already in the event is taken to it, or asked whether they are its photographer: until that
 * is known, the link is not shown.
 */
export const useOpenedLink = (code: string) => {
  const visit = useLocation()
  const signedIn = useStore(session) !== undefined
  // Whatever became of the link meanwhile, and without asking.
  const [entered] = useState(() => enteredBy(code))
  const link = useQuery({
    queryKey: ['link', code],
    queryFn: () => api.links.openLink({ code }),
    enabled: entered === undefined,
    staleTime: 0,
    gcTime: 0,
  })
  const { data, refetch } = link
  const [arrivedIn, setArrivedIn] = useState(signedIn)
  // What is on the venue's screen is nobody's.
  const asSomebody = arrivedIn && data !== undefined && data.link_kind !== 'screen'
  const event = useQuery({ ...eventQuery(data?.event_id ?? 0), enabled: asSomebody })
  const isInside = asSomebody && event.data !== undefined && isIn(event.data)
  const eventId = entered ?? (isInside && !data.link_photographer ? data.event_id : undefined)
  // Who typed a short code goes on with the link's own, which this device keeps.
  const ownCode = data && data.link_code !== code ? data.link_code : undefined
  useEffect(() => {
    if (ownCode !== undefined) void navigate({ href: behindCode(visit, ownCode), replace: true })
  }, [ownCode, visit])
  useEffect(() => {
    if (eventId !== undefined) void navigate({ href: pageBehind(visit, eventId), replace: true })
  }, [eventId, visit])
  const leaves = eventId !== undefined || ownCode !== undefined || (asSomebody && event.isPending)
  return {
    opened: data,
    shown: leaves ? undefined : data,
    isInside,
    error: troubleOf(link),
    retry: () => void refetch(),
    onReturned: () => setArrivedIn(true),
  }
}
