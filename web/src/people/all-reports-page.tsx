import { ReportsList } from './reports-list.tsx'

/** What was reported in all of one's events; of an operator in the whole instance. */
export const AllReportsPage = () => <ReportsList back={{ to: '/settings' }} />
