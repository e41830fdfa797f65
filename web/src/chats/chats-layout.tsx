import { later } from '../app/later.tsx'
import { useLocation } from '../app/router.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { TwoPanes } from '../ui/two-panes.tsx'

/** On a phone a chat is read without the list beside it. */
const ChatsList = later(() => import('./chats-list.tsx').then(({ ChatsList }) => ChatsList), <SkeletonRows />)

export const ChatsLayout = () => {
  const path = useLocation().path
  return <TwoPanes list={<ChatsList />} chosen={path !== '/chats'} />
}
