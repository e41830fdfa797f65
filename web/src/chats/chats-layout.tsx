import { useRouterState } from '@tanstack/react-router'
import { later } from '../app/later.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { TwoPanes } from '../ui/two-panes.tsx'

/** On a phone a chat is read without the list beside it. */
const ChatsList = later(() => import('./chats-list.tsx').then(({ ChatsList }) => ChatsList), <SkeletonRows />)

export const ChatsLayout = () => {
  const path = useRouterState({ select: state => state.location.pathname })
  return <TwoPanes list={<ChatsList />} chosen={path !== '/chats'} />
}
