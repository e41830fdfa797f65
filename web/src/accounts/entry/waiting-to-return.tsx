import { useMutation, useQuery } from '@tanstack/react-query'
import { Hourglass } from 'lucide-react'
import { useEffect } from 'react'
import { api, statusOf } from '../../app/net/client.ts'
import { currentVisit } from '../../app/router/history.ts'
import { navigate } from '../../app/router/router.tsx'
import { begin, thisDevice } from '../../app/session.ts'
import { keepCode } from '../../app/storage/join-code.ts'
import { type AskedReturn, forgetAskedReturn } from '../../app/storage/return-requests.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { reasonOf } from '../../ui/failure.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { pageBehind } from './page-behind.ts'

const askEveryMs = 4_000

type Props = { code: string; eventName: string; asked: AskedReturn; onNew(): void }

/** Until an organizer lets them in, which this page notices by itself. */
export const WaitingToReturn = ({ code, eventName, asked, onNew }: Props) => {
  const { t } = useWords()
  const { over, failure, enter } = useReturn({ code, eventName, asked })
  return (
    <section
      role="status"
      className="grid grid-cols-1 justify-items-center gap-3 rounded-2xl border border-line bg-card p-4 text-center shadow-card"
    >
      {over ? (
        <p className="font-semibold text-balance">{t('returning.refused')}</p>
      ) : (
        <>
          <Hourglass className="size-8 text-ember" strokeWidth={1.6} />
          <h2 className="font-display text-xl font-semibold text-balance">{t('returning.waiting')}</h2>
          <p className="text-pretty text-soft wrap-anywhere">{t('returning.waitingMore', { name: asked.name })}</p>
          <FormProblem text={failure ? reasonOf(failure) : undefined} />
          {failure && <Button onClick={enter}>{t('common.tryAgain')}</Button>}
        </>
      )}
      <Button
        look="bare"
        size="small"
        onClick={() => {
          forgetAskedReturn(code)
          onNew()
        }}
      >
        {t('returning.new')}
      </Button>
    </section>
  )
}

/** Asks again until it is decided, and enters once they are let in. */
const useReturn = ({ code, eventName, asked }: Omit<Props, 'onNew'>) => {
  const { returnCode, eventId } = asked
  const { data, error } = useQuery({
    queryKey: ['return', returnCode],
    queryFn: () => api.returns.readReturn({ return_code: returnCode }),
    refetchInterval: query => (query.state.data?.return_status === 'asked' ? askEveryMs : false),
    staleTime: 0,
    gcTime: 0,
  })
  const enter = useMutation({
    mutationFn: (transfer_code: string) => api.transfers.takeTransfer({ transfer_code, ...thisDevice() }),
    onSuccess: async reply => {
      forgetAskedReturn(code)
      begin(reply)
      keepCode(eventId, { code, name: eventName, adds: false })
      await navigate({ href: pageBehind(currentVisit(), eventId), replace: true })
    },
  })
  const letIn = data?.return_status === 'let_in'
  const { mutate, isIdle } = enter
  useEffect(() => {
    if (letIn && isIdle) mutate(returnCode)
  }, [letIn, isIdle, mutate, returnCode])
  const over = data?.return_status === 'refused' || [error, enter.error].some(each => each && statusOf(each) === 400)
  return { over, failure: enter.error, enter: () => mutate(returnCode) }
}
