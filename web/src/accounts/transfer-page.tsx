import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, statusOf } from '../app/net/client.ts'
import { online } from '../app/net/network.ts'
import { Link, navigate, useSearch } from '../app/router/router.tsx'
import { begin, session, thisDevice } from '../app/session.ts'
import { forgetReturnKey } from '../app/storage/return-keys.ts'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'
import { isIn } from '../events/event-words.ts'
import { nameOf } from '../people/names.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Failed } from '../ui/failed.tsx'
import { reasonOf } from '../ui/failure.ts'
import { Field } from '../ui/field.tsx'
import { formText, useForm } from '../ui/form.ts'
import { FormProblem } from '../ui/form-problem.tsx'
import { Avatar } from '../ui/pictures/avatar.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useMailedCode } from './entry/mailed-code.ts'
import { nextOf } from './entry/next.ts'
import { type Account, accountQuery } from './queries.ts'

/** The event that somebody came for: the only one that is to come or goes on, or else the only one there is. */
const onlyEvent = async (): Promise<number | undefined> => {
  for (const filter of ['upcoming', 'past'] as const) {
    const { data } = await api.events.listEvents({ filter, page: 1, page_length: 20 })
    const mine = data.filter(isIn)
    if (mine.length > 0) return mine.length === 1 ? mine[0]?.id : undefined
  }
  return undefined
}

/** Where another device's code leads: whose account it is, and sign in. */
export const TransferPage = () => {
  const { t } = useWords()
  const linked = useMailedCode()
  const [typed, setTyped] = useState('')
  const { next } = useSearch(nextOf)
  const transfer_code = linked || typed
  const now = useStore(session)
  // A guest without a password may come back as who they were before; nobody else changes accounts by a link.
  const signedIn = now !== undefined && !now.guest
  const { data: account } = useQuery({ ...accountQuery, enabled: now?.guest === true })
  const opened = useQuery({
    queryKey: ['transfer', transfer_code],
    queryFn: () => api.transfers.openTransfer({ transfer_code }),
    enabled: !signedIn && transfer_code !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const take = useTaking(transfer_code, next)
  const user = opened.data?.user
  const reachable = useStore(online)
  return (
    <div className="grid grid-cols-1 justify-items-center gap-4 text-center">
      <title>{`${t('transfer.arrive')} · Afterglow`}</title>
      <h1 className="font-display text-2xl font-semibold text-balance">{t('transfer.arrive')}</h1>
      {signedIn && take.isIdle ? (
        <>
          <p className="text-pretty text-soft">{t('transfer.signedIn')}</p>
          <Link to="/events" className={buttonClass('main')}>
            {t('missing.home')}
          </Link>
        </>
      ) : user ? (
        <TakeOver user={user} account={account} take={take} />
      ) : opened.error || !transfer_code ? (
        <>
          {opened.error && <p className="font-medium text-bad">{reasonOf(opened.error)}</p>}
          {!linked ? (
            <TypedCode last={typed} onTyped={code => (code === typed ? void opened.refetch() : setTyped(code))} />
          ) : statusOf(opened.error) === 400 ? (
            <p className="text-pretty text-soft">{t('transfer.dead')}</p>
          ) : (
            <Button onClick={() => void opened.refetch()}>{t('common.tryAgain')}</Button>
          )}
          <Link to="/" className={buttonClass('soft')}>
            {t('links.home')}
          </Link>
        </>
      ) : !reachable ? (
        <Failed error={null} />
      ) : (
        <Skeleton className="h-40 w-full rounded-2xl" />
      )}
    </div>
  )
}

/** Signs in, and goes to what somebody came for. */
const useTaking = (transfer_code: string, next: string | undefined) => {
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

type TakeOverProps = {
  user: Awaited<ReturnType<typeof api.transfers.openTransfer>>['user']
  /** Whoever is here as a guest. */
  account: Account | undefined
  take: ReturnType<typeof useTaking>
}

const TakeOver = ({ user, account, take }: TakeOverProps) => {
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

/** For a code that somebody wrote down. */
const TypedCode = ({ last, onTyped }: { last: string; onTyped(code: string): void }) => {
  const { t } = useWords()
  return (
    <form
      onSubmit={useForm(form => onTyped(formText(form, 'code').trim()))}
      className="grid w-full grid-cols-1 gap-3 text-start"
    >
      <Field
        name="code"
        label={t('ownCode.enter')}
        defaultValue={last}
        autoComplete="off"
        autoCapitalize="characters"
        required
        dir="ltr"
      />
      <Button type="submit" size="large">
        {t('transfer.go')}
      </Button>
    </form>
  )
}
