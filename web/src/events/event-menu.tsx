import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  BellRing,
  CalendarCheck,
  CalendarX2,
  DoorOpen,
  EllipsisVertical,
  Flag,
  History,
  ImageUp,
  Megaphone,
  MonitorPlay,
  Pencil,
  QrCode,
  ScrollText,
  SlidersHorizontal,
  Trash2,
  UserRoundPlus,
} from 'lucide-react'
import { useState } from 'react'
import { api } from '../app/net/client.ts'
import { navigate } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { askToReport } from '../people/report-target.ts'
import { IconButton } from '../ui/button.tsx'
import { Confirm } from '../ui/layers/confirm.tsx'
import { Menu } from '../ui/layers/menu.tsx'
import { say } from '../ui/layers/toasts.ts'
import { proveOrSay } from '../ui/prove-first.ts'
import { AgainDialog } from './again-dialog.tsx'
import { AnnounceDialog } from './announcements/announce-dialog.tsx'
import { DeleteEventDialog } from './delete-dialog.tsx'
import { cancelled, isIn, waitingOf } from './event-words.ts'
import { askToInvite } from './invite/inviting.ts'
import { eventKey, eventsKey } from './keys.ts'
import type { Event } from './queries.ts'

type Act = 'cancel' | 'uncancel' | 'leave'

/** What organizers and guests can do with an event as a whole: to bring people together, to run it, to end it. */
export const EventMenu = ({ event, className }: { event: Event; className: string }) => {
  const { t } = useWords()
  const [asking, setAsking] = useState<Act>()
  const [dialog, setDialog] = useState<'again' | 'announce' | 'delete'>()
  const close = () => setDialog(undefined)
  const to = (page: 'edit' | 'links' | 'reports' | 'log' | 'waiting' | 'remote') => () =>
    void navigate({ to: `/events/:eventId/${page}`, params: { eventId: event.id } })
  const { may } = event.extra
  const { manage, announce, moderate, approve, leave, own } = may
  const waits = waitingOf(event, 'photos')
  const approves = approve && (waits > 0 || event.extra.photo_approval !== 'none')
  const cancels = manage && !cancelled(event)
  const act = useCancelOrLeave(event.id)
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t('event.menu')} className={className}>
            <EllipsisVertical aria-hidden="true" />
          </IconButton>
        }
        items={[
          may.invite && { label: t('invite.act'), icon: UserRoundPlus, act: () => askToInvite(event.id) },
          announce && { label: t('announce.title'), icon: Megaphone, act: () => setDialog('announce') },
          isIn(event) && {
            label: t('settings.notifications'),
            icon: BellRing,
            act: () => void navigate({ to: '/settings/notifications', search: { event: event.id } }),
          },
          'line',
          manage && { label: t('event.edit'), icon: Pencil, act: to('edit') },
          manage && {
            label: t('eventForm.settings'),
            icon: SlidersHorizontal,
            act: () => void navigate({ href: `/events/${event.id}/edit#settings` }),
          },
          manage && { label: t('links.title'), icon: QrCode, act: to('links') },
          approves && {
            label: waits > 0 ? t('waiting.hint', { count: waits }) : t('waiting.title'),
            icon: ImageUp,
            act: to('waiting'),
          },
          moderate && { label: t('wall.title'), icon: MonitorPlay, act: to('remote') },
          moderate && { label: t('reports.title'), icon: Flag, act: to('reports') },
          manage && { label: t('log.title'), icon: ScrollText, act: to('log') },
          manage && { label: t('again.title'), icon: History, act: () => setDialog('again') },
          'line',
          !manage && { label: t('report.act'), icon: Flag, act: () => askToReport('event', event.id) },
          leave && { label: t('event.act.leave'), icon: DoorOpen, act: () => setAsking('leave') },
          manage &&
            cancelled(event) && {
              label: t('event.act.uncancel'),
              icon: CalendarCheck,
              act: () => setAsking('uncancel'),
            },
          cancels && { label: t('event.act.cancel'), icon: CalendarX2, act: () => setAsking('cancel'), danger: true },
          own && { label: t('event.act.delete'), icon: Trash2, act: () => setDialog('delete'), danger: true },
        ]}
      />
      {dialog === 'again' && <AgainDialog event={event} onClose={close} />}
      {dialog === 'announce' && <AnnounceDialog eventId={event.id} onClose={close} />}
      {dialog === 'delete' && <DeleteEventDialog event={event} onClose={close} />}
      {asking && (
        <Confirm
          open
          onClose={() => setAsking(undefined)}
          title={t(`event.ask.${asking}`)}
          about={t(`event.askMore.${asking}`)}
          act={t(`event.act.${asking}`)}
          {...(asking === 'uncancel' && { tone: 'plain' })}
          onAct={() => act.mutate(asking)}
        />
      )}
    </>
  )
}

const useCancelOrLeave = (event_id: number) => {
  const { t } = useWords()
  const client = useQueryClient()
  const acting = useMutation({
    mutationFn: (act: Act): Promise<unknown> => api.events[`${act}Event`]({ event_id }),
    onSuccess: async (_, act) => {
      say(t(`event.done.${act}`))
      if (act === 'leave') {
        await navigate({ to: '/events' })
        client.removeQueries({ queryKey: eventKey(event_id) })
      } else await client.invalidateQueries({ queryKey: eventKey(event_id) })
      await client.invalidateQueries({ queryKey: eventsKey() })
    },
    onError: (error, act) => proveOrSay(error, () => acting.mutate(act)),
  })
  return acting
}
