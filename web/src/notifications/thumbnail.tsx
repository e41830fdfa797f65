import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSettled } from '../app/idle.ts'
import { EventPicture } from '../events/event-picture.tsx'
import { eventQuery } from '../events/queries.ts'
import { photoQuery } from '../gallery/queries.ts'
import { photoOf } from './folding.ts'
import type { Notification } from './queries.ts'

/** What a notification is about, small: its photo, or else its event; nothing of what is gone. */
const Thumbnail = ({ notification, children }: { notification: Notification; children: ReactNode }) => {
  const photo = photoOf(notification)
  const { event_id } = notification
  const [broken, setBroken] = useState(false)
  const settled = useSettled()
  const ofPhoto = { ...photoQuery(photo ?? ''), enabled: settled && photo !== undefined, retry: false }
  const ofEvent = { ...eventQuery(event_id ?? 0), enabled: settled && event_id !== null && !photo, retry: false }
  const { data: shown } = useQuery(ofPhoto)
  const { data: event } = useQuery(ofEvent)
  if (!(shown && !broken) && !event) return children
  return (
    <span className="relative mt-0.5 size-12 shrink-0">
      <span className="block size-12 overflow-hidden rounded-xl bg-sunken">
        {shown ? (
          <img
            src={`${shown.event_photo_preview_url}&w=400`}
            alt=""
            loading="lazy"
            decoding="async"
            className="size-full object-cover"
            onError={() => setBroken(true)}
          />
        ) : (
          event && <EventPicture event={event} small />
        )}
      </span>
      <span className="absolute -end-1.5 -bottom-1.5 scale-60 rounded-full ring-4 ring-paper [transform-origin:100%_100%] rtl:[transform-origin:0_100%]">
        {children}
      </span>
    </span>
  )
}

export default Thumbnail
