import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import { merged } from '../slice.ts'
import { slices } from '../slices.ts'
import { type Wrong, wrongAtMost } from './wrong.ts'

const ofFiles: Record<string, RawBuilder<unknown>> = {
  'the bytes of a person, or of all (0), are not those of their files': sql`
    with files (user_id, bytes, arrived) as (
      select owner_id, original_bytes + variant_bytes(original_sha256, variants), original_bytes + variant_bytes(original_sha256, variants) from media where given_up_at is null
      union all
      select m.owner_id, v.original_bytes, v.original_bytes from videos v join media m on m.id = v.media_id where m.given_up_at is null
      union all
      select user_id, bytes, received from upload_sessions where used_at is null
    ), recounted (user_id, bytes) as (
      select user_id, sum(bytes) from files group by user_id union all select 0, coalesce(sum(arrived), 0) from files
    )
    select coalesce(s.user_id, r.user_id) as id from stored_bytes s full join recounted r using (user_id)
    where coalesce(s.bytes, 0) <> coalesce(r.bytes, 0)`,
}

/** Every stored count equals its recount. */
export const wrongCounts = async (db: Database): Promise<Wrong[]> => {
  const wrong: Wrong[] = []
  for (const [what, query] of Object.entries({ ...merged(slices, 'recounts'), ...ofFiles })) {
    const { rows } = await sql<{ id: number }>`${query} limit ${wrongAtMost}`.execute(db)
    wrong.push(...rows.map(({ id }) => ({ what, about: String(id) })))
  }
  return wrong
}
