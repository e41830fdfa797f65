import { useMutation, useQuery } from '@tanstack/react-query'
import { rare } from '../app/rare.ts'
import { Link, navigate } from '../app/router.tsx'
import { begin, session, thisDevice } from '../app/session.ts'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'
import { nameOf } from '../people/names.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { reasonOf } from '../ui/failure.ts'
import { FormProblem } from '../ui/form-problem.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useMailedCode } from './mailed-code.ts'

/** Where another device's code leads: whose account it is, and sign in. */
export const TransferPage = () => {
  const { t } = useWords()
  const transfer_code = useMailedCode()
  const signedIn = useStore(session) !== undefined
  const opened = useQuery({
    queryKey: ['transfer', transfer_code],
    queryFn: () => rare.transfers.openTransfer({ transfer_code }),
    enabled: !signedIn && transfer_code !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const take = useMutation({
    mutationFn: () => rare.transfers.takeTransfer({ transfer_code, ...thisDevice() }),
    onSuccess: async reply => {
      begin(reply)
      await navigate({ to: '/events', replace: true })
    },
  })
  const user = opened.data?.user
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
        <>
          <Avatar src={user.user_avatar_url} size={96} />
          <FormProblem text={take.error ? reasonOf(take.error) : undefined} />
          <Button size="large" className="w-full" busy={take.isPending || take.isSuccess} onClick={() => take.mutate()}>
            <span className="min-w-0 wrap-anywhere">{t('transfer.take', { name: nameOf(user) })}</span>
          </Button>
        </>
      ) : opened.error || !transfer_code ? (
        <>
          {opened.error && <p className="font-medium text-bad">{reasonOf(opened.error)}</p>}
          <p className="text-pretty text-soft">{t('transfer.dead')}</p>
          <Link to="/" className={buttonClass('soft')}>
            {t('links.home')}
          </Link>
        </>
      ) : (
        <Skeleton className="h-40 w-full rounded-2xl" />
      )}
    </div>
  )
}
