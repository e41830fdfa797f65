import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  BellRing,
  CalendarX2,
  DoorOpen,
  EllipsisVertical,
  Flag,
  Images,
  Megaphone,
  Pencil,
  QrCode,
  ScrollText,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import { api } from '../app/client.ts'
import { overlay } from '../app/later.tsx'
import { useWords } from '../app/words.ts'
import { askToReport } from '../people/report-target.ts'
import { IconButton } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { sayFailure } from '../ui/failure.ts'
import { Menu } from '../ui/menu.tsx'
import { say } from '../ui/toasts.ts'
import { cancelled } from './event-words.ts'
import { eventKey, eventsKey } from './keys.ts'
import type { Event } from './queries.ts'

const AllowanceDialog = overlay(async () => (await import('./allowance-dialog.tsx')).default)
const AnnounceDialog = overlay(async () => (await import('./announce-dialog.tsx')).default)
const EventLevelDialog = overlay(async () => (await import('./level-dialog.tsx')).default)

type Act = 'cancel' | 'delete' | 'leave'

/** What organizers and guests can do with an event as a whole. */
export const EventMenu = ({ event, className }: { event: Event; className: string }) => {
  const { t } = useWords()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [asking, setAsking] = useState<Act>()
  const [allowing, setAllowing] = useState(false)
  const [announcing, setAnnouncing] = useState(false)
  const [hearing, setHearing] = useState(false)
  const may = event.extra.may
  const act = useMutation({
    mutationFn: async (act: Act) => {
      const input = { event_id: event.id }
      if (act === 'cancel') await api.events.cancelEvent(input)
      else if (act === 'delete') await api.events.deleteEvent(input)
      else await api.events.leaveEvent(input)
    },
    onSuccess: async (_, act) => {
      say(t(`event.done.${act}`))
      if (act !== 'cancel') {
        await navigate({ to: '/events' })
        client.removeQueries({ queryKey: eventKey(event.id) })
      } else await client.invalidateQueries({ queryKey: eventKey(event.id) })
      await client.invalidateQueries({ queryKey: eventsKey() })
    },
    onError: sayFailure,
  })
  return (
    <>
      {hearing && (
        <EventLevelDialog
          eventId={event.id}
          organizes={event.event_role === 'organizer'}
          onClose={() => setHearing(false)}
        />
      )}
      <Menu
        trigger={
          <IconButton label={t('event.menu')} className={className}>
            <EllipsisVertical aria-hidden="true" />
          </IconButton>
        }
        items={[
          may?.manage === true && {
            label: t('announce.title'),
            icon: Megaphone,
            act: () => setAnnouncing(true),
          },
          may?.manage === true && {
            label: t('event.edit'),
            icon: Pencil,
            act: () => void navigate({ to: '/events/$eventId/edit', params: { eventId: event.id } }),
          },
          may?.manage === true && {
            label: t('links.title'),
            icon: QrCode,
            act: () => void navigate({ to: '/events/$eventId/links', params: { eventId: event.id } }),
          },
          may?.manage === true && {
            label: t('allowance.title'),
            icon: Images,
            act: () => setAllowing(true),
          },
          may?.manage === true && {
            label: t('reports.title'),
            icon: Flag,
            act: () => void navigate({ to: '/events/$eventId/reports', params: { eventId: event.id } }),
          },
          may?.manage === true && {
            label: t('log.title'),
            icon: ScrollText,
            act: () => void navigate({ to: '/events/$eventId/log', params: { eventId: event.id } }),
          },
          (event.event_role === 'organizer' || event.event_role === 'guest') && {
            label: t('patience.event'),
            icon: BellRing,
            act: () => setHearing(true),
          },
          may?.manage === false && {
            label: t('report.act'),
            icon: Flag,
            act: () => askToReport('event', event.id),
          },
          may?.leave === true && { label: t('event.act.leave'), icon: DoorOpen, act: () => setAsking('leave') },
          may?.manage === true &&
            !cancelled(event) && {
              label: t('event.act.cancel'),
              icon: CalendarX2,
              act: () => setAsking('cancel'),
              danger: true,
            },
          may?.manage === true && {
            label: t('event.act.delete'),
            icon: Trash2,
            act: () => setAsking('delete'),
            danger: true,
          },
        ]}
      />
      {announcing && <AnnounceDialog eventId={event.id} onClose={() => setAnnouncing(false)} />}
      {allowing && <AllowanceDialog event={event} onClose={() => setAllowing(false)} />}
      {asking && (
        <Confirm
          open
          onClose={() => setAsking(undefined)}
          title={t(`event.ask.${asking}`)}
          about={t(`event.askMore.${asking}`)}
          act={t(`event.act.${asking}`)}
          onAct={() => act.mutate(asking)}
        />
      )}
    </>
  )
}
