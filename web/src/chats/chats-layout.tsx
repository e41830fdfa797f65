import { useRouterState } from '@tanstack/react-router'
import { TwoPanes } from '../ui/two-panes.tsx'
import { ChatsList } from './chats-list.tsx'

export const ChatsLayout = () => {
  const path = useRouterState({ select: state => state.location.pathname })
  return <TwoPanes list={<ChatsList />} chosen={path !== '/chats'} />
}
