import { useRouterState } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { TwoPanes } from '../ui/two-panes.tsx'

/** On a phone an event is looked at without the list beside it. */
const EventsList = lazy(() => import('./events-list.tsx').then(({ EventsList }) => ({ default: EventsList })))

export const EventsLayout = () => {
  const path = useRouterState({ select: state => state.location.pathname })
  return (
    <TwoPanes
      list={
        <Suspense fallback={<SkeletonRows />}>
          <EventsList />
        </Suspense>
      }
      chosen={path !== '/events'}
    />
  )
}
