import { sql } from 'kysely'

/** The file endings of a photo's full-size and preview URLs, of its `media m`; stored with the photo. */
export const endingsOfMedia = sql`
  case coalesce(m.variants #>> '{full,type}', m.original_type)
    when 'image/png' then 'png' when 'image/webp' then 'webp' when 'image/gif' then 'gif' else 'jpg' end
  || case m.variants #>> '{preview,type}' when 'image/webp' then ' webp' else ' jpg' end`
