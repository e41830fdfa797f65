import { useParams } from '../app/router/router.tsx'
import { ReportsList } from './reports-list.tsx'

/** Guests' reports; for organizers, who look at the item, hide it, and mark the report as resolved. */
export const EventReportsPage = () => {
  const { eventId } = useParams('/events/:eventId/reports')
  return <ReportsList eventId={eventId} back={{ to: '/events/:eventId', params: { eventId } }} />
}
