import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { codeIn, openMailServer } from '../../../test/mail/mail-server.ts'
import { device, visit } from '../../../test/openid/browser.ts'
import { openIssuer } from '../../../test/openid/issuer.ts'
import { evening } from '../../../test/party.ts'
import { refusal } from '../../../test/refused.ts'

const issuer = await openIssuer()
const mails = await openMailServer()
const app = await openTestApp({}, { env: { ...issuer.env, ...mails.env } })
issuer.returnsTo(app.url)

/** Anything in the dump's text that might be a secret: long words, and bytes in the encodings used for tokens. */
const candidatesOf = (dump: string): string[] => {
  const words = dump.match(/[A-Za-z0-9_+/=$.,-]{12,}/g) ?? []
  const bytes = [...dump.matchAll(/\\+x([0-9a-f]{16,})/g)].flatMap(([, hex = '']) => {
    const raw = Buffer.from(hex, 'hex')
    return [hex, raw.toString('base64url'), raw.toString('base64'), raw.toString('latin1')]
  })
  return [...new Set([...words, ...bytes])].filter(word => !/[^\x21-\x7e]/.test(word))
}

const everyRow = async () => {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(app.db)
  const texts = tables.map(async ({ schema, name }) => {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(`${schema}.${name}`)} t`.execute(
      app.db,
    )
    return rows.map(({ row }) => row).join('\n')
  })
  return (await Promise.all(texts)).join('\n')
}

test('a database dump signs nobody in: nothing in it is a token, a password or a code', async () => {
  const olivia = await enter(app, 'olivia')
  const { token: refreshed } = await olivia.api.accounts.refreshToken()
  const { id: event_id } = await app.as(refreshed).events.saveEvent(evening())
  const { link_code } = await app.as(refreshed).links.makeLink({ event_id, pin: '471100' })
  const idempotencyKey = randomUUID()
  const coming = { code: link_code, pin: '471100', user_first_name: 'Guest', device_id: 'phone' }
  const guest = await app.as().links.joinByLink(coming, { idempotencyKey })
  issuer.people.set('clara', { email: 'clara@club.example', name: 'Clara Club' })
  issuer.signedInAs('clara')
  const { provider_code, provider_verifier } = await visit(app)
  await app.as().recovery.forgotPassword({ user_email: olivia.email })
  const verification = codeIn(await mails.mailTo(olivia.email))
  const reset = codeIn(await mails.mailTo(olivia.email, 2))

  const dump = await everyRow()
  const planted = [olivia.token, refreshed, olivia.password, link_code, provider_code, provider_verifier]
  planted.push(idempotencyKey, guest.token)
  for (const secret of [...planted, verification, reset, verification.replaceAll('-', '')]) {
    expect(secret.length).toBeGreaterThan(8)
    expect(dump).not.toContain(secret)
  }

  const candidates = candidatesOf(dump)
  console.log(`${candidates.length} words of a dump, tried as tokens, codes and passwords`)
  expect(candidates.length).toBeGreaterThan(50)
  const answers = new Set<number>()
  for (const candidate of candidates) {
    const reply = await fetch(`${app.url}/api/account`, { headers: { authorization: `Bearer ${candidate}` } })
    const reset_code = candidate.slice(0, 64)
    const chosen = { user_password: 'a brand new one', user_password_confirmation: 'a brand new one' }
    const proof = { provider_code: candidate, provider_verifier: candidate }
    const attempt = { user_login_option_type: 1, user_login_id: olivia.email, user_password: candidate, ...device }
    const refused = await Promise.all([
      refusal(app.as().recovery.resetPassword({ reset_code, ...chosen })),
      refusal(app.as().providers.finishProviderSignIn({ ...proof, ...device })),
      refusal(app.as().accounts.authenticate(attempt)),
    ])
    for (const status of [reply.status, ...refused.map(each => each.status)]) answers.add(status)
  }
  expect([...answers].sort()).toEqual([400, 401])
  expect((await app.as(refreshed).accounts.readAccount()).id).toBe(olivia.id)
})
