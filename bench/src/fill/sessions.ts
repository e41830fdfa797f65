import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { hashPassword } from '../../../server/src/accounts/passwords/passwords.ts'
import { bulk } from './bulk.ts'

const secretOf = (userId: number) => createHash('sha256').update(`a bench's device of ${userId}`).digest()

/** The bearer token of a filled user. */
export const tokenOf = (userId: number): string => secretOf(userId).toString('base64url')

export const password = 'the password of everybody'

/** A session on one device for everybody, and the same password for the first thousand. */
export const fillSessions = async (db: Client): Promise<void> => {
  await bulk(db, ['devices'], () =>
    db.query(`
      insert into devices (user_id, device_id, platform, timezone, token_hash, token_expires_at)
      select id, 'phone', 'android', 'UTC',
        sha256(convert_to(rtrim(translate(encode(sha256(convert_to('a bench''s device of ' || id, 'UTF8')), 'base64'), '+/', '-_'), '='), 'UTF8')),
        now() + interval '30 days'
      from users order by id`),
  )
  await db.query('update users set password_hash = $1 where id <= 1000', [await hashPassword(password)])
}
