import { getRouteApi } from '@tanstack/react-router'
import { ReportsList } from './reports-list.tsx'

const route = getRouteApi('/inside/events-beside/events/$eventId/reports')

/** Guests' reports; for organizers, who look at the item, hide it, and mark the report as resolved. */
export const EventReportsPage = () => {
  const { eventId } = route.useParams()
  return <ReportsList eventId={eventId} back={{ to: '/events/$eventId', params: { eventId } }} />
}
