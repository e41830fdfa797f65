import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Crown, EllipsisVertical, Images, KeyRound, ShieldMinus, ShieldPlus, UserRoundX } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../app/net/client.ts'
import { useWords } from '../../app/words.ts'
import { nameOf } from '../../people/names.ts'
import { IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { Menu, type MenuItem } from '../../ui/layers/menu.tsx'
import { say, sayUndoable } from '../../ui/layers/toasts.ts'
import { proveOrSay } from '../../ui/prove-first.ts'
import { eventKey, guestsKey } from '../keys.ts'
import { LetInDialog } from '../links/let-in-dialog.tsx'
import type { Event, Guest } from '../queries.ts'
import { AllowanceDialog } from './allowance-dialog.tsx'

type Act = 'raise' | 'lower' | 'remove' | 'bringBack' | 'offer' | 'offerBack'
/** What is asked about first. */
type Grave = 'remove' | 'offer'

export type GuestInMenu = Pick<Guest, 'user' | 'event_role' | 'event_owner'>

type Props = {
  guest: GuestInMenu
  event: Event
  /** They have been offered the event. */
  offered: boolean
  me: boolean
  /** What is offered first. */
  change?: MenuItem | undefined
}

/** What organizers do about a guest. */
export const GuestMenu = ({ guest, event, offered, me, change }: Props) => {
  const { t } = useWords()
  const [asking, setAsking] = useState<Grave>()
  const [allowing, setAllowing] = useState(false)
  const [lettingIn, setLettingIn] = useState(false)
  const name = nameOf(guest.user)
  const act = useGuestAct(event.id, guest)
  const organizer = guest.event_role === 'organizer'
  const owner = guest.event_owner
  const { own, manage } = event.extra.may
  return (
    <>
      {manage && (
        <Menu
          trigger={
            <IconButton label={t('guests.menu', { name })}>
              <EllipsisVertical aria-hidden="true" />
            </IconButton>
          }
          items={[
            change ?? false,
            !organizer && { label: t('guests.raise'), icon: ShieldPlus, act: () => act.mutate('raise') },
            organizer && !owner && { label: t('guests.lower'), icon: ShieldMinus, act: () => act.mutate('lower') },
            { label: t('allowance.menu'), icon: Images, act: () => setAllowing(true) },
            own && !me && !offered && { label: t('guests.handOver'), icon: Crown, act: () => setAsking('offer') },
            offered && { label: t('guests.offerBack'), icon: Crown, act: () => act.mutate('offerBack') },
            !organizer && { label: t('returns.letIn'), icon: KeyRound, act: () => setLettingIn(true) },
            !organizer && {
              label: t('guests.remove'),
              icon: UserRoundX,
              act: () => setAsking('remove'),
              danger: true,
            },
          ]}
        />
      )}
      {lettingIn && <LetInDialog event={event} guest={guest} onClose={() => setLettingIn(false)} />}
      {allowing && <AllowanceDialog event={event} guest={guest} onClose={() => setAllowing(false)} />}
      <Questions asking={asking} name={name} onClose={() => setAsking(undefined)} onAct={act.mutate} />
    </>
  )
}

type QuestionsProps = { asking: Grave | undefined; name: string; onClose(): void; onAct(act: Grave): void }

const Questions = ({ asking, name, onClose, onAct }: QuestionsProps) => {
  const { t } = useWords()
  return (
    <>
      <Confirm
        open={asking === 'offer'}
        onClose={onClose}
        title={t('guests.handOverTitle', { name })}
        about={t('guests.handOverAbout')}
        act={t('guests.handOver')}
        tone="plain"
        onAct={() => onAct('offer')}
      />
      <Confirm
        open={asking === 'remove'}
        onClose={onClose}
        title={t('guests.removeTitle', { name })}
        about={t('guests.removeAbout')}
        act={t('guests.remove')}
        onAct={() => onAct('remove')}
      />
    </>
  )
}

const useGuestAct = (event_id: number, { user }: GuestInMenu) => {
  const { t } = useWords()
  const client = useQueryClient()
  const [user_id, name] = [user.id, nameOf(user)]
  const act = useMutation({
    mutationFn: async (act: Act) => {
      const input = { event_id, user_id }
      if (act === 'raise') await api.events.makeOrganizer(input)
      else if (act === 'lower') await api.events.unmakeOrganizer(input)
      else if (act === 'remove') await api.events.removeGuest(input)
      else if (act === 'offer') await api.events.handOver(input)
      else if (act === 'bringBack') await api.events.bringGuestBack(input)
      else await api.events.endOffer(input)
    },
    onSuccess: (_, done) => {
      if (done === 'raise') sayUndoable(t('guests.raised', { name }), () => act.mutate('lower'))
      if (done === 'lower') sayUndoable(t('guests.lowered', { name }), () => act.mutate('raise'))
      if (done === 'remove') sayUndoable(t('guests.removed', { name }), () => act.mutate('bringBack'))
      if (done === 'bringBack') say(t('guests.broughtBack', { name }))
      return Promise.all([guestsKey, eventKey].map(keyOf => client.invalidateQueries({ queryKey: keyOf(event_id) })))
    },
    onError: (error, asked) => proveOrSay(error, () => act.mutate(asked)),
  })
  return act
}
