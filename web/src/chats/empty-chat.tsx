import { MessageCircleHeart } from 'lucide-react'
import { useWords } from '../app/words.ts'
import { Notice } from '../ui/notice.tsx'

/** Shown instead of an empty history. */
export const EmptyChat = ({ maySend }: { maySend: boolean }) => {
  const { t } = useWords()
  return maySend ? (
    <Notice icon={MessageCircleHeart} title={t('chat.empty')}>
      {t('chat.emptyMore')}
    </Notice>
  ) : (
    <Notice icon={MessageCircleHeart} title={t('chat.noMessages')} />
  )
}
