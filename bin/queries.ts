/** `npm run queries`: prints into server/queries the statements that are put together of pieces, as they run. */
import { writeQueries } from '../server/test/queries.ts'

await writeQueries()
