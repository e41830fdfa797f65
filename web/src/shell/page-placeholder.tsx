import { useWords } from '../app/words.ts'
import { Spinner } from '../ui/spinner.tsx'

export const Waiting = () => {
  const { t } = useWords()
  return (
    <div role="status" className="grid min-h-[60dvh] place-items-center text-ember">
      <Spinner className="size-7" />
      <span className="sr-only">{t('common.loading')}</span>
    </div>
  )
}
