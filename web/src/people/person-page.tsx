import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ban, EllipsisVertical, Flag, UserRoundPlus, UserRoundX } from 'lucide-react'
import { useState } from 'react'
import { api } from '../app/net/client.ts'
import { goBack } from '../app/router/history.ts'
import { useParams } from '../app/router/router.tsx'
import { session } from '../app/session.ts'
import { useWords } from '../app/words.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Failed } from '../ui/failed.tsx'
import { sayFailure } from '../ui/failure.ts'
import { Confirm } from '../ui/layers/confirm.tsx'
import { Menu } from '../ui/layers/menu.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Avatar } from '../ui/pictures/avatar.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { nameOf } from './names.ts'
import { askToReport } from './report-target.ts'

type Act = 'befriend' | 'unfriend' | 'block' | 'unblock'

export const PersonPage = () => {
  const { t } = useWords()
  const { userId } = useParams('/people/:userId')
  const client = useQueryClient()
  const {
    data: person,
    error,
    refetch,
  } = useQuery({
    queryKey: ['person', userId],
    queryFn: () => api.people.readUser({ user_id: userId }),
    staleTime: 0,
  })
  const act = useMutation({
    mutationFn: async (act: Act): Promise<unknown> => api.people[act]({ user_id: userId }),
    // Their content is collapsed from now on, or no longer.
    onSuccess: (_, act) =>
      act === 'block' || act === 'unblock'
        ? client.invalidateQueries()
        : Promise.all([refetch(), client.invalidateQueries({ queryKey: ['friends'] })]),
    onError: sayFailure,
  })
  const me = userId === session.get()?.userId
  return (
    <>
      <title>{`${person ? nameOf(person) : t('person.title')} · Afterglow`}</title>
      <PageHeader
        title=""
        onBack={() => goBack('/friends')}
        actions={person && !me && <PersonMenu person={person} onAct={act.mutate} />}
      />
      {!person && error && <Failed heading="h1" error={error} gone={t('person.gone')} retry={() => void refetch()} />}
      {!person && !error && <Skeleton className="mx-auto mt-8 size-32 rounded-full" />}
      {person && (
        <div className="mx-auto grid max-w-md grid-cols-1 justify-items-center gap-2 px-4 py-8 text-center">
          <Avatar src={person.user_avatar_url} size={132} />
          <h1 className="mt-3 max-w-full font-display text-2xl font-semibold" dir="auto">
            {nameOf(person)}
          </h1>
          <p className="max-w-full text-soft">
            <bdi dir="ltr">@{person.user_username}</bdi>
          </p>
          {!me && <Friendship person={person} busy={act.isPending} onAct={act.mutate} />}
        </div>
      )}
    </>
  )
}

type Person = Awaited<ReturnType<typeof api.people.readUser>>

const PersonMenu = ({ person, onAct }: { person: Person; onAct(act: Act): void }) => {
  const { t } = useWords()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t('person.menu')}>
            <EllipsisVertical aria-hidden="true" />
          </IconButton>
        }
        items={[
          person.friend_status === 'friends' && {
            label: t('person.unfriend'),
            icon: UserRoundX,
            act: () => onAct('unfriend'),
          },
          { label: t('report.act'), icon: Flag, act: () => askToReport('user', person.id) },
          !person.blocked && { label: t('person.block'), icon: Ban, act: () => setAsking(true), danger: true },
        ]}
      />
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('person.blockTitle', { name: nameOf(person) })}
        about={t('person.blockAbout')}
        act={t('person.block')}
        onAct={() => onAct('block')}
      />
    </>
  )
}

type FriendshipProps = { person: Person; busy: boolean; onAct(act: Act): void }
const Friendship = ({ person, busy, onAct }: FriendshipProps) => {
  const { t } = useWords()
  const friends = person.friend_status
  return (
    <div className="mt-4 flex flex-wrap justify-center gap-2">
      {person.blocked ? (
        <Button look="quiet" busy={busy} onClick={() => onAct('unblock')}>
          {t('person.unblock')}
        </Button>
      ) : friends === 'none' || friends === 'asks_you' ? (
        <Button
          icon={<UserRoundPlus className="size-5" aria-hidden="true" />}
          busy={busy}
          onClick={() => onAct('befriend')}
        >
          {friends === 'none' ? t('person.befriend') : t('person.accept')}
        </Button>
      ) : friends === 'asked' ? (
        <Button look="quiet" busy={busy} onClick={() => onAct('unfriend')}>
          {t('person.takeBack')}
        </Button>
      ) : (
        <p className="rounded-full bg-glow px-4 py-2 font-semibold text-on-glow">{t('person.friends')}</p>
      )}
    </div>
  )
}
