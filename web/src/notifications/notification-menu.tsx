import { Check, CircleHelp, EllipsisVertical } from 'lucide-react'
import { useWords } from '../app/words.ts'
import { IconButton } from '../ui/button.tsx'
import { Menu } from '../ui/layers/menu.tsx'

type Props = { unread: boolean; onRead(): void; onWhy(): void }

export const NotificationMenu = ({ unread, onRead, onWhy }: Props) => {
  const { t } = useWords()
  return (
    <Menu
      trigger={
        <IconButton label={t('notifications.more')}>
          <EllipsisVertical />
        </IconButton>
      }
      items={[
        unread && { label: t('notifications.read'), icon: Check, act: onRead },
        { label: t('trace.why'), icon: CircleHelp, act: onWhy },
      ]}
    />
  )
}
