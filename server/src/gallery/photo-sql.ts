import { sql } from 'kysely'

/** For shownTo: a photo `p`. */
export const photo = { row: sql`p`, author: sql`p.taken_by`, sealedFrom: sql`p.sealed_from` }
