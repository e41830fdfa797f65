import { useRouterState } from '@tanstack/react-router'
import { TwoPanes } from '../ui/two-panes.tsx'
import { EventsList } from './events-list.tsx'

export const EventsLayout = () => {
  const path = useRouterState({ select: state => state.location.pathname })
  return <TwoPanes list={<EventsList />} chosen={path !== '/events'} />
}
