import { getRouteApi } from '@tanstack/react-router'
import { ReportsList } from './reports-list.tsx'

const route = getRouteApi('/inside/events-beside/events/$eventId/reports')

/** What guests reported; for organizers, who look at it, hide it, and say that it was dealt with. */
export const EventReportsPage = () => {
  const { eventId } = route.useParams()
  return <ReportsList eventId={eventId} back={{ to: '/events/$eventId', params: { eventId } }} />
}
