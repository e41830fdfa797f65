import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, statusOf } from '../../app/net/client.ts'
import { newSecret } from '../../app/secret.ts'
import { begin, thisDevice } from '../../app/session.ts'
import { forgetReturnKey, type ReturnKey, returnKeys, saveReturnKey } from '../../app/storage/return-keys.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { reasonOf } from '../../ui/failure.ts'
import { FormProblem } from '../../ui/form-problem.tsx'

/** For guests without a password whose session ended on this device: one tap, and they are who they were. */
export const GoOn = ({ onReturned }: { onReturned?: () => void }) => {
  const { t } = useWords()
  const [people, setPeople] = useState(returnKeys)
  const forget = ({ userId }: ReturnKey) => {
    forgetReturnKey(userId)
    setPeople(returnKeys())
  }
  const goOn = useMutation({
    mutationFn: async (kept: ReturnKey) => {
      const next = kept.next ?? newSecret()
      saveReturnKey({ ...kept, next })
      const keys = { return_key: kept.key, next_return_key: next }
      const reply = await api.returns.returnByKey({ ...keys, ...thisDevice() })
      return { reply, kept: { userId: kept.userId, name: kept.name, eventId: kept.eventId, key: next, known: true } }
    },
    onSuccess: ({ reply, kept }) => {
      saveReturnKey(kept)
      begin(reply)
      onReturned?.()
    },
    onError: (error, kept) => statusOf(error) === 400 && forget(kept),
  })
  if (people.length === 0 && !goOn.error) return null
  return (
    <section className="grid grid-cols-1 gap-2 rounded-2xl bg-glow p-4 text-on-glow">
      <FormProblem
        text={goOn.error ? (statusOf(goOn.error) === 400 ? t('goOn.gone') : reasonOf(goOn.error)) : undefined}
      />
      {people.map(kept => (
        <div key={kept.userId} className="grid grid-cols-1 justify-items-center gap-1">
          <Button
            size="large"
            className="w-full"
            busy={goOn.isPending && goOn.variables.userId === kept.userId}
            onClick={() => goOn.mutate(kept)}
          >
            <span className="min-w-0 wrap-anywhere">{t('goOn.act', { name: kept.name })}</span>
          </Button>
          <Button look="bare" size="small" onClick={() => forget(kept)}>
            <span className="min-w-0 wrap-anywhere">{t('goOn.forget', { name: kept.name })}</span>
          </Button>
        </div>
      ))}
    </section>
  )
}
