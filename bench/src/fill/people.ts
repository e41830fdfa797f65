import { sql } from 'kysely'
import { type Database, transact } from '../../../server/src/platform/database/database.ts'

const firstNames =
  'Maria James Olivia Mohammed Anna John Sofia David Emma José Laura Daniel Julia Ahmed Lucía Michael Chloé Peter Zoë Jürgen Fatima Łukasz Ana Noah Elena Björn Priya Omar Nora Thomas Ingrid Søren Amélie Ivan Yuki Renée Marco Aisha Paul Martina 伟 芳 太郎 Дмитрий Ольга محمد Αλέξανδρος'
const lastNames =
  'García Smith Müller Wang Silva Nguyen Kumar Jones Rossi Martin López Kowalski Ivanov Hansen Novák González Dubois Yılmaz Kim Ali Brown Schmidt Popescu Andersson Okafor Santos Johnson O’Brien Sánchez Haddad Taylor Weiß Moreau Øverby Jensen Papadopoulos Singh Fernández Adeyemi Costa 王 李 山田 Петров Иванова العلي'
const syllables =
  'ma ri an do lo ka re ve to la si ne bro sta mil gor hen tas pel vin ada ber cor del eri fal gus hol ima jor kel lin mor nad ost pau qui ros sal tor ulf vas wen xan yor zel che sha thi kri'

const rowsAtOnce = 10_000

/**
 * Adds people with made-up names: some as common as in a phone book, most of them rare, every twentieth person
 * invisible. The same count gives the same people. They cannot sign in.
 */
export const fillUsers = async (db: Database, count: number): Promise<void> => {
  for (let from = 1; from <= count; from += rowsAtOnce) {
    await transact(db, async tx => {
      await sql`select setseed(${from / 2 ** 31})`.execute(tx)
      await insertPeople(tx, from, Math.min(from + rowsAtOnce - 1, count))
    })
  }
  await sql`vacuum (analyze) users`.execute(db)
  await sql`vacuum (analyze) user_words`.execute(db)
  await sql`vacuum (analyze) known_words`.execute(db)
}

/** Powers of random() favour the head of a list: some 6 % of the people have the commonest first name. */
const insertPeople = (db: Parameters<Parameters<typeof transact>[1]>[0], from: number, to: number) =>
  sql`
  with lists as (
    select string_to_array(${firstNames}, ' ') as firsts, string_to_array(${lastNames}, ' ') as lasts,
      string_to_array(${syllables}, ' ') as parts
  ),
  dice as (
    select n, random() as a, random() as b, random() as c, random() as d, random() as e,
      power(random(), 1.7) as f, power(random(), 1.7) as g, power(random(), 1.3) as h, power(random(), 1.3) as i
    from generate_series(${from}::int, ${to}::int) n
  ),
  names as (
    select dice.*,
      case when a < 0.6 then firsts[1 + floor(power(b, 1.4) * cardinality(firsts))::int]
        else initcap(parts[1 + floor(f * cardinality(parts))::int] || parts[1 + floor(g * cardinality(parts))::int]) end as first,
      case when c < 0.4 then lasts[1 + floor(power(d, 1.4) * cardinality(lasts))::int]
        else initcap(parts[1 + floor(h * cardinality(parts))::int] || parts[1 + floor(i * cardinality(parts))::int]
          || parts[1 + floor(e * cardinality(parts))::int]) end as last
    from dice, lists
  )
  insert into users (first_name, middle_name, last_name, username, email, visible, status, timezone)
  select first, case when n % 10 = 0 then initcap(lower(reverse(first))) end, last,
    case n % 3 when 0 then regexp_replace(folded(first || '.' || last), '[^a-z.]', '', 'g') || n
      when 1 then left(regexp_replace(folded(last), '[^a-z]', '', 'g'), 5) || '_' || n
      else 'user' || n end,
    'filled.' || n || '@example.com', n % 20 <> 0, case when n % 500 = 0 then 3 else 1 end, 'UTC'
  from names`.execute(db)

/** Writes the guests' summary rows, which triggers write in the service. */
export const fillGuestLines = (db: Database) =>
  sql`insert into guest_lines (event_id, user_id, found_by)
    select g.event_id, u.id, line_of(u) from guests g join users u on u.id = g.user_id where g.ended_at is null
    on conflict do nothing`.execute(db)
