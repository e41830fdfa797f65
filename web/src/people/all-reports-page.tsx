import { ReportsList } from './reports-list.tsx'

/** Reports in all of one's events; for an operator in the whole instance. */
export const AllReportsPage = () => <ReportsList back={{ to: '/settings' }} />
