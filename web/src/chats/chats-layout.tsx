import { useRouterState } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { TwoPanes } from '../ui/two-panes.tsx'

/** On a phone a chat is read without the list beside it. */
const ChatsList = lazy(() => import('./chats-list.tsx').then(({ ChatsList }) => ({ default: ChatsList })))

export const ChatsLayout = () => {
  const path = useRouterState({ select: state => state.location.pathname })
  return (
    <TwoPanes
      list={
        <Suspense fallback={<SkeletonRows />}>
          <ChatsList />
        </Suspense>
      }
      chosen={path !== '/chats'}
    />
  )
}
