import { useMutation, useQueryClient } from '@tanstack/react-query'
import { EllipsisVertical, Images, ShieldMinus, ShieldPlus, UserRoundX } from 'lucide-react'
import { useState } from 'react'
import { api } from '../app/client.ts'
import { overlay } from '../app/later.tsx'
import { session } from '../app/session.ts'
import { useWords } from '../app/words.ts'
import { nameOf } from '../people/names.ts'
import { PersonLine } from '../people/person-line.tsx'
import { IconButton } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { sayFailure } from '../ui/failure.ts'
import { Menu } from '../ui/menu.tsx'
import { guestsKey } from './keys.ts'
import type { Event, Guest } from './queries.ts'

const AllowanceDialog = overlay(async () => (await import('./allowance-dialog.tsx')).default)

type Act = 'raise' | 'lower' | 'remove'

export const GuestRow = ({ guest, event }: { guest: Guest; event: Event }) => {
  const { t } = useWords()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const [allowing, setAllowing] = useState(false)
  const name = nameOf(guest.user)
  const act = useMutation({
    mutationFn: async (act: Act) => {
      const input = { event_id: event.id, user_id: guest.user.id }
      if (act === 'raise') await api.events.makeOrganizer(input)
      else if (act === 'lower') await api.events.unmakeOrganizer(input)
      else await api.events.removeGuest(input)
    },
    onSuccess: () => client.invalidateQueries({ queryKey: guestsKey(event.id) }),
    onError: sayFailure,
  })
  const organizer = guest.event_role === 'organizer'
  const me = guest.user.id === session.get()?.userId
  return (
    <PersonLine
      person={guest.user}
      about={
        me && (
          <span className="flex gap-1" dir={document.documentElement.dir}>
            <span className="truncate" dir="auto">
              @{guest.user.user_username}
            </span>
            <span className="shrink-0">· {t('guests.you')}</span>
          </span>
        )
      }
    >
      {organizer && (
        <span className="rounded-full bg-glow px-3 py-1 text-sm font-medium text-on-glow">
          {t('event.role.organizer')}
        </span>
      )}
      {event.extra.may.manage && (
        <Menu
          trigger={
            <IconButton label={t('guests.menu', { name })}>
              <EllipsisVertical aria-hidden="true" />
            </IconButton>
          }
          items={[
            !organizer && { label: t('guests.raise'), icon: ShieldPlus, act: () => act.mutate('raise') },
            organizer && { label: t('guests.lower'), icon: ShieldMinus, act: () => act.mutate('lower') },
            { label: t('allowance.menu'), icon: Images, act: () => setAllowing(true) },
            !organizer && { label: t('guests.remove'), icon: UserRoundX, act: () => setAsking(true), danger: true },
          ]}
        />
      )}
      {allowing && <AllowanceDialog event={event} guest={guest} onClose={() => setAllowing(false)} />}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('guests.removeTitle', { name })}
        about={t('guests.removeAbout')}
        act={t('guests.remove')}
        onAct={() => act.mutate('remove')}
      />
    </PersonLine>
  )
}
