import { useLocation } from '../app/router/router.tsx'
import { TwoPanes } from '../ui/two-panes.tsx'
import { EventsList } from './events-list.tsx'

export const EventsLayout = () => {
  const path = useLocation().path
  return <TwoPanes list={<EventsList />} chosen={path !== '/events'} />
}
