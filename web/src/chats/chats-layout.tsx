import { Outlet, useLocation } from '../app/router/router.tsx'
import { useWide } from '../ui/wide.ts'
import { ChatsList } from './chats-list.tsx'
import { useChats } from './queries.ts'

/** A chat, beside the others if there are any; on a phone alone. */
export const ChatsLayout = () => {
  const wide = useWide()
  const chosen = useLocation().path !== '/chats'
  const several = (useChats()?.length ?? 0) > 1
  const beside = chosen && wide && several
  return (
    <div className={beside ? 'lg:grid lg:grid-cols-[minmax(20rem,26rem)_1fr]' : ''}>
      {beside && (
        <div className="scroll-thin border-e border-line lg:h-page lg:overflow-y-auto lg:[--bar:0px]">
          <ChatsList />
        </div>
      )}
      <div
        data-scrolls
        className={
          chosen ? 'scroll-thin lg:relative lg:h-page lg:overflow-y-auto lg:[--bar:0px]' : 'mx-auto max-w-2xl lg:pt-4'
        }
      >
        <Outlet />
      </div>
    </div>
  )
}
