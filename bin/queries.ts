/** `npm run queries`: prints composed SQL statements into server/queries, as they run. */
import { writeQueries } from '../server/test/queries.ts'

await writeQueries()
