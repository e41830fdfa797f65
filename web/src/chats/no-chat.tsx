import { MessagesSquare } from 'lucide-react'
import { useWords } from '../app/words.ts'
import { Notice } from '../ui/notice.tsx'

/** Shown beside the list, while no chat is selected. */
export const NoChat = () => {
  const { t } = useWords()
  return (
    <div className="grid min-h-dvh place-items-center max-lg:hidden">
      <Notice icon={MessagesSquare} title={t('chats.chooseOne')} />
    </div>
  )
}
