import { useQuery } from '@tanstack/react-query'
import {
  AtSign,
  BellRing,
  CalendarCheck,
  CalendarClock,
  CalendarX2,
  Clock,
  Crown,
  Heart,
  Images,
  ImageUp,
  Link2,
  type LucideIcon,
  Mail,
  Megaphone,
  MessageCircle,
  Pin,
  Reply,
  SmilePlus,
  UserRoundMinus,
  UserRoundPlus,
} from 'lucide-react'
import { useState } from 'react'
import { useSettled } from '../app/idle.ts'
import { EventPicture } from '../events/event-picture.tsx'
import { eventQuery } from '../events/queries.ts'
import { photoQuery } from '../gallery/queries.ts'
import { photoOf } from './grouped-rows.ts'
import type { Notification } from './queries.ts'

const icons: Partial<Record<Notification['notification_kind'], LucideIcon>> = {
  message: MessageCircle,
  mention: AtSign,
  comment_mention: AtSign,
  message_reply: Reply,
  comment_reply: Reply,
  photo_comment: MessageCircle,
  message_reaction: SmilePlus,
  comment_reaction: SmilePlus,
  message_pinned: Pin,
  photo_like: Heart,
  join_request: UserRoundPlus,
  join_approved: UserRoundPlus,
  return_request: UserRoundPlus,
  let_in_again: UserRoundPlus,
  friend_request: UserRoundPlus,
  invitation: Mail,
  event_changed: CalendarClock,
  event_cancelled: CalendarX2,
  event_uncancelled: CalendarCheck,
  event_deleted: CalendarX2,
  event_restored: CalendarClock,
  answer_wanted: CalendarClock,
  place_given: CalendarCheck,
  owner_offered: Crown,
  owner_changed: Crown,
  owner_made: Crown,
  guest_removed: UserRoundMinus,
  organizer_unmade: UserRoundMinus,
  link_paused: Link2,
  announcement: Megaphone,
  reminder: Clock,
  recap: Images,
  photos_added: Images,
  photos_revealed: Images,
  photos_waiting: ImageUp,
  photos_wanted: ImageUp,
}

/** A small picture of a notification's subject: its photo, or else its event; nothing for something that is gone. */
export const Thumbnail = ({ notification, unread }: { notification: Notification; unread: boolean }) => {
  const Icon = icons[notification.notification_kind] ?? BellRing
  const photo = photoOf(notification)
  const { event_id } = notification
  const [broken, setBroken] = useState(false)
  const settled = useSettled()
  const ofPhoto = { ...photoQuery(photo ?? ''), enabled: settled && photo !== undefined, retry: false }
  const ofEvent = { ...eventQuery(event_id ?? 0), enabled: settled && event_id !== null && !photo, retry: false }
  const { data: shown } = useQuery(ofPhoto)
  const { data: event } = useQuery(ofEvent)
  const icon = (
    <span
      className={`grid size-10 place-items-center rounded-full ${unread ? 'bg-ember text-on-ember' : 'bg-sunken text-soft'}`}
    >
      <Icon className="size-5" />
    </span>
  )
  if (!(shown && !broken) && !event) return icon
  return (
    <span className="relative block size-12">
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
        {icon}
      </span>
    </span>
  )
}
