import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, statusOf } from '../app/net/client.ts'
import { online } from '../app/net/network.ts'
import { Link, useSearch } from '../app/router/router.tsx'
import { session } from '../app/session.ts'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Failed } from '../ui/failed.tsx'
import { reasonOf } from '../ui/failure.ts'
import { Field } from '../ui/field.tsx'
import { formText, useForm } from '../ui/form.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { useMailedCode } from './entry/mailed-code.ts'
import { nextOf } from './entry/next.ts'
import { accountQuery } from './queries.ts'
import { TakeOver, useTaking } from './take-over.tsx'

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
