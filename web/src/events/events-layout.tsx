import { later } from '../app/later.tsx'
import { useLocation } from '../app/router.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { TwoPanes } from '../ui/two-panes.tsx'

/** On a phone, an event is shown without the list beside it. */
const EventsList = later(() => import('./events-list.tsx').then(({ EventsList }) => EventsList), <SkeletonRows />)

export const EventsLayout = () => {
  const path = useLocation().path
  return <TwoPanes list={<EventsList />} chosen={path !== '/events'} />
}
