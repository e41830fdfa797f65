import { Sunset } from 'lucide-react'
import { useWords } from '../app/words.ts'
import { Notice } from '../ui/notice.tsx'

/** Shown beside the list while nothing is selected. */
export const NoEvent = () => {
  const { t } = useWords()
  return (
    <div className="grid min-h-dvh place-items-center max-lg:hidden">
      <Notice icon={Sunset} title={t('events.chooseOne')}>
        {t('events.chooseOneMore')}
      </Notice>
    </div>
  )
}
