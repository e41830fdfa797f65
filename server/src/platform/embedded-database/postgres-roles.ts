import { escapeLiteral } from 'pg'
import { newConnection } from '../database/connection.ts'
import { type EmbeddedAddresses, servicePassword, serviceRole } from './postgres-address.ts'

/**
 * Creates the service's role, and transfers to it what the service created as superuser in earlier versions. In one
 * transaction: if the role exists, all of it is done.
 */
export async function ensureServiceRole({ superuserUrl }: EmbeddedAddresses, password: string): Promise<void> {
  const client = newConnection(superuserUrl, { name: 'afterglow start' })
  await client.connect()
  try {
    const { rows } = await client.query('select from pg_roles where rolname = $1', [serviceRole])
    if (rows.length > 0) return
    await client.query(`
      begin;
      create role ${serviceRole} login password ${escapeLiteral(servicePassword(password))};
      alter database postgres owner to ${serviceRole};
      ${giveEverything}
      commit`)
  } finally {
    await client.end()
  }
}

/** Everything except what belongs to PostgreSQL, to an extension, or to a table that brings it along. */
const giveEverything = `
  do $$
  declare act text;
  begin
    for act in
      with own as (
        select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
      ), borrowed as (
        select classid, objid from pg_depend where deptype in ('e', 'i')
      )
      select format('alter schema %I owner to ${serviceRole}', nspname) from own where nspname <> 'public'
      union all
      select format('alter table %s owner to ${serviceRole}', c.oid::regclass)
      from pg_class c join own on own.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm', 'f') and ('pg_class'::regclass, c.oid) not in (select * from borrowed)
      union all
      select format('alter sequence %s owner to ${serviceRole}', c.oid::regclass)
      from pg_class c join own on own.oid = c.relnamespace
      where c.relkind = 'S' and not exists (
        select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i', 'e'))
      union all
      select format('alter routine %s owner to ${serviceRole}', p.oid::regprocedure)
      from pg_proc p join own on own.oid = p.pronamespace
      where ('pg_proc'::regclass, p.oid) not in (select * from borrowed)
      union all
      select format('alter type %s owner to ${serviceRole}', t.oid::regtype)
      from pg_type t join own on own.oid = t.typnamespace left join pg_class c on c.oid = t.typrelid
      where t.typtype in ('e', 'd', 'r') or (t.typtype = 'c' and c.relkind = 'c')
    loop
      execute act;
    end loop;
  end $$;`
