import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { Database } from '../src/platform/database/database.ts'

export const schemaSqlFile = fileURLToPath(new URL('../schema.sql', import.meta.url))
export const schemaTypesFile = fileURLToPath(new URL('../src/platform/database/schema.ts', import.meta.url))

/** The migrated database as readable text: reviewers read it instead of adding up migrations in their heads. */
export const describeSchema = async (db: Database): Promise<string> => {
  const { rows: tables } = await sql<{ name: string; columns: string; rest: string | null }>`
    select c.relname as name,
      (select string_agg(format('  %I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
          case when a.attnotnull then ' not null' else '' end,
          case when a.attidentity <> '' then ' identity'
               when a.attgenerated <> '' then ' generated as ' || pg_get_expr(d.adbin, d.adrelid)
               when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end), E',\n' order by a.attnum)
        from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      (select string_agg(line, E'\n' order by line) from (
        select format('  constraint %I %s', conname, pg_get_constraintdef(oid)) as line from pg_constraint
          where conrelid = c.oid and contype <> 'n'
        union all select '  ' || replace(indexdef, 'public.', '') from pg_indexes where schemaname = 'public' and tablename = c.relname
        union all select '  ' || replace(pg_get_triggerdef(oid), 'public.', '') from pg_trigger where tgrelid = c.oid and not tgisinternal
      ) lines) as rest
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    order by c.relname`.execute(db)
  const { rows: views } = await sql<{ name: string; definition: string }>`
    select viewname as name, definition from pg_views where schemaname = 'public' order by viewname`.execute(db)
  const { rows: functions } = await sql<{ definition: string }>`
    select pg_get_functiondef(p.oid) as definition from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by p.proname`.execute(db)
  return [
    '-- Written from the migrated database; `npm run schema` renews it, a stale one fails the tests.',
    ...tables.map(({ name, columns, rest }) => `table ${name} (\n${columns}\n)${rest ? `\n${rest}` : ''}`),
    ...views.map(({ name, definition }) => `view ${name} as\n${definition}`),
    ...functions.map(({ definition }) => definition.trim()),
    '',
  ].join('\n\n')
}

const codegen = [
  fileURLToPath(new URL('../../node_modules/kysely-codegen/dist/cli/bin.js', import.meta.url)),
  '--dialect=postgres',
  '--default-schema=public',
  '--type-mapping={"int8":"number","timestamptz":"Date","bytea":"Buffer"}',
  `--out-file=${schemaTypesFile}`,
]

/** Writes the row types of the database; with verify, fails if they are stale. */
export const writeSchemaTypes = (url: string, { verify = false } = {}) =>
  promisify(execFile)(process.execPath, [...codegen, `--url=${url}`, ...(verify ? ['--verify'] : [])])
