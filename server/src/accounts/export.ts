import { allRows } from '../platform/database/rows.ts'
import type { ExportPart } from '../platform/export/export-part.ts'

/** The profile, and the signed-in devices. No passwords or tokens: those are secrets, not data. */
export const accountExport: ExportPart[] = [
  {
    name: 'account',
    tables: ['users', 'login_options', 'moved_emails'],
    rows: (db, userId) => allRows<object>(db)`
        select id, first_name, middle_name, last_name, username, email, visible, status, timezone, mutes_notifications,
          plan_title, plan_pricing, plan_expires_at, created_at, updated_at, (select coalesce(json_agg(
            json_build_object('type', o.type, 'issuer', o.issuer, 'identifier', o.identifier, 'linked_at', o.created_at)
            order by o.type), '[]') from login_options o where o.user_id = users.id) as sign_in_options,
          (select email_before from moved_emails where user_id = users.id) as previous_email
        from users where id = ${userId}`,
  },
  {
    name: 'devices',
    tables: ['devices', 'push_addresses'],
    rows: (db, userId) => allRows<object>(db)`
        select d.device_id, d.platform, d.timezone, d.created_at, d.last_used_at, a.address ->> 'platform' as push
        from devices d left join push_addresses a on a.device_row = d.id
        where d.user_id = ${userId} order by d.id`,
  },
]
