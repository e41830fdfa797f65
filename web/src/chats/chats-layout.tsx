import { useLocation } from '../app/router/router.tsx'
import { TwoPanes } from '../ui/two-panes.tsx'
import { ChatsList } from './chats-list.tsx'

export const ChatsLayout = () => {
  const path = useLocation().path
  return <TwoPanes list={<ChatsList />} chosen={path !== '/chats'} />
}
