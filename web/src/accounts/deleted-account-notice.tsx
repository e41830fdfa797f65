import { Hourglass } from 'lucide-react'
import { longDayOf } from '../app/date-format.ts'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'
import { leaving } from './deleted-account.ts'

/** Tells people signing in that an account was deleted here, and that signing in restores it. */
export const LeavingNotice = () => {
  const { t } = useWords()
  const account = useStore(leaving)
  if (!account) return null
  const day = longDayOf(account.until)
  return (
    <section className="flex gap-3 rounded-2xl bg-glow px-4 py-3 text-on-glow" aria-labelledby="leaving">
      <Hourglass className="mt-0.5 size-5 shrink-0" />
      <div className="grid gap-1">
        <h3 id="leaving" className="font-semibold">
          {t('leaving.title')}
        </h3>
        <p className="text-sm text-pretty">
          {account.returns ? t('leaving.returnUntil', { day }) : t('leaving.erasedOn', { day })}
        </p>
      </div>
    </section>
  )
}
