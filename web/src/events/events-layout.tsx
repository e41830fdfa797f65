import { useRouterState } from '@tanstack/react-router'
import { later } from '../app/later.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { TwoPanes } from '../ui/two-panes.tsx'

/** On a phone, an event is shown without the list beside it. */
const EventsList = later(() => import('./events-list.tsx').then(({ EventsList }) => EventsList), <SkeletonRows />)

export const EventsLayout = () => {
  const path = useRouterState({ select: state => state.location.pathname })
  return <TwoPanes list={<EventsList />} chosen={path !== '/events'} />
}
