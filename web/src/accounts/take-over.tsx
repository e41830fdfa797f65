import { useMutation } from '@tanstack/react-query'
import { api } from '../app/net/client.ts'
import { navigate } from '../app/router/router.tsx'
import { begin, session, thisDevice } from '../app/session.ts'
import { forgetReturnKey } from '../app/storage/return-keys.ts'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'
import { isIn } from '../events/event-words.ts'
import { nameOf } from '../people/names.ts'
import { Button } from '../ui/button.tsx'
import { reasonOf } from '../ui/failure.ts'
import { FormProblem } from '../ui/form-problem.tsx'
import { Avatar } from '../ui/pictures/avatar.tsx'
import type { Account } from './queries.ts'

/** The event that somebody came for: the only one that is to come or goes on, or else the only one there is. */
const onlyEvent = async (): Promise<number | undefined> => {
  for (const filter of ['upcoming', 'past'] as const) {
    const { data } = await api.events.listEvents({ filter, page: 1, page_length: 20 })
    const mine = data.filter(isIn)
    if (mine.length > 0) return mine.length === 1 ? mine[0]?.id : undefined
  }
  return undefined
}

/** Signs in, and goes to what somebody came for. */
export const useTaking = (transfer_code: string, next: string | undefined) => {
  const now = useStore(session)
  return useMutation({
    mutationFn: () => api.transfers.takeTransfer({ transfer_code, ...thisDevice() }),
    onSuccess: async reply => {
      if (now && now.userId !== reply.user.id) forgetReturnKey(now.userId)
      begin(reply)
      if (next) return navigate({ href: next, replace: true })
      const eventId = await onlyEvent().catch(() => undefined)
      if (eventId === undefined) await navigate({ to: '/events', replace: true })
      else await navigate({ to: '/events/:eventId', params: { eventId }, replace: true })
    },
  })
}

type Props = {
  user: Awaited<ReturnType<typeof api.transfers.openTransfer>>['user']
  /** The guest account of this device. */
  account: Account | undefined
  take: ReturnType<typeof useTaking>
}

/** Whose account a code leads to, and the button that signs in to it. */
export const TakeOver = ({ user, account, take }: Props) => {
  const { t } = useWords()
  return (
    <>
      <Avatar src={user.user_avatar_url} size={96} />
      {account && account.id !== user.id && (
        <p className="text-pretty text-soft wrap-anywhere">{t('transfer.twin', { name: nameOf(account) })}</p>
      )}
      <FormProblem text={take.error ? reasonOf(take.error) : undefined} />
      <Button size="large" className="w-full" busy={take.isPending || take.isSuccess} onClick={() => take.mutate()}>
        <span className="min-w-0 wrap-anywhere">{t('transfer.take', { name: nameOf(user) })}</span>
      </Button>
    </>
  )
}
