import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { MailOpen } from 'lucide-react'
import { rowsOf } from '../../app/cache/pages.ts'
import { api } from '../../app/net/client.ts'
import { navigate } from '../../app/router/router.tsx'
import { useWords } from '../../app/words.ts'
import { nameOf } from '../../people/names.ts'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { sayFailure } from '../../ui/failure.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { EventPicture } from '../event-picture.tsx'
import { whenOf } from '../event-words.ts'
import { eventsKey, invitationsKey } from '../keys.ts'
import { type Invitation, invitationsQuery } from '../queries.ts'

export const InvitationsPage = () => {
  const { t } = useWords()
  const list = useInfiniteQuery(invitationsQuery)
  const invitations = rowsOf(list.data, invitation => invitation.id)
  return (
    <>
      <title>{`${t('invitations.title')} · Afterglow`}</title>
      <PageHeader title={t('invitations.title')} back={{ to: '/events' }} />
      <div className="mx-auto grid max-w-2xl grid-cols-1 gap-4 p-4">
        {list.isPending && <Skeleton className="h-44" />}
        {list.isError && !list.data && <Failed error={list.error} retry={() => void list.refetch()} />}
        {list.data && invitations.length === 0 && (
          <Notice icon={MailOpen} title={t('invitations.none')}>
            {t('invitations.noneMore')}
          </Notice>
        )}
        {invitations.map(invitation => (
          <InvitationCard key={invitation.id} invitation={invitation} />
        ))}
        <LoadMore more={list.hasNextPage} loading={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />
      </div>
    </>
  )
}

const InvitationCard = ({ invitation }: { invitation: Invitation }) => {
  const { t } = useWords()
  const client = useQueryClient()
  const { event, invited_by } = invitation
  const answer = useMutation({
    mutationFn: async (accept: boolean) => {
      const input = { invitation_id: invitation.id }
      if (accept) await api.events.acceptInvitation(input)
      else await api.events.declineInvitation(input)
    },
    onSuccess: async (_, accept) => {
      void client.invalidateQueries({ queryKey: eventsKey() })
      if (accept) await navigate({ to: '/events/:eventId', params: { eventId: event.id } })
      await client.invalidateQueries({ queryKey: invitationsKey })
    },
    onError: sayFailure,
  })
  return (
    <article className="overflow-hidden rounded-2xl border border-line bg-card shadow-card">
      <div className="aspect-[3/1] overflow-hidden">
        <EventPicture event={event} />
      </div>
      <div className="grid grid-cols-1 gap-1 p-4 wrap-anywhere">
        <h2 className="font-display text-xl font-semibold" dir="auto">
          {event.event_name}
        </h2>
        <p className="text-soft">{whenOf(event)}</p>
        <p className="text-sm text-soft">{t('invitations.by', { name: nameOf(invited_by) })}</p>
        <div className="mt-3 flex flex-wrap gap-2">
          <Button busy={answer.isPending && answer.variables} onClick={() => answer.mutate(true)}>
            {t('invitations.accept')}
          </Button>
          <Button look="quiet" busy={answer.isPending && !answer.variables} onClick={() => answer.mutate(false)}>
            {t('invitations.decline')}
          </Button>
        </div>
      </div>
    </article>
  )
}
