import { useWords } from '../../app/words.ts'
import { Spinner } from '../../ui/spinner.tsx'

/** Back from a provider, while the service checks the result. */
export const Coming = () => {
  const { t } = useWords()
  return (
    <div role="status" className="grid justify-items-center gap-3 py-8 text-ember">
      <Spinner className="size-7" />
      <p className="text-soft">{t('common.loading')}</p>
    </div>
  )
}
