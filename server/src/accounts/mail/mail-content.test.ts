import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { languages } from '@afterglow/contract/languages'
import { pino } from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { mailsIn, openMailServer } from '../../../test/mail/mail-server.ts'
import { newFolder } from '../../../test/new-folder.ts'
import { languageOf } from '../../platform/http/language.ts'
import { MailRefused, openMailer } from '../../platform/mail/mailer.ts'
import { directionOf, say } from '../../words/words.ts'
import { mailFor, type Subject } from './mail-content.ts'

const dataDir = newFolder('mail')
const log = pino({ level: 'silent' })
const folder = join(dataDir, 'mail')
const toFiles = openMailer({ smtpUrl: null, from: 'The party <party@example.com>', folder, log })

/** A letter as a mail program reads it. */
const read = async (
  subject: Subject,
  language: (typeof languages)[number] = 'en',
  to: { name?: string; link?: string } = {},
) => {
  await toFiles.send('guest@example.com', mailFor(subject, language, to))
  return (await mailsIn(dataDir)).at(-1) ?? Promise.reject(new Error('no mail'))
}

const footerOf = (language: (typeof languages)[number], { about }: Subject) =>
  say(language, `mail.${about}.footer`) || say(language, 'mail.footer')
const code = '0123-4567-89AB-CDEF'
const cover = 'https://party.example/j/x/cover.jpg?v=1&l=en'
const card = { when: 'Wed 2 Dec · 21:00–03:00', place: 'The old pier', cover }
const subjects: Subject[] = [
  { about: 'verifyEmail', code },
  { about: 'resetPassword', code },
  { about: 'passwordChanged' },
  { about: 'emailChanged', code },
  { about: 'loginOptionAdded', provider: 'The club' },
  { about: 'invitation', inviter: 'Olivia', event: 'Lanterns', code, card },
  { about: 'digest', count: 9, items: [{ title: 'Lanterns', body: 'Olivia cancelled the event.' }] },
]

test.each(languages.flatMap(language => subjects.map(subject => [language, subject.about, subject] as const)))(
  'in %s, %s says the same as text and as HTML',
  async (language, _, subject) => {
    const link = 'https://party.example/somewhere#code=0123-4567-89AB-CDEF'
    const mail = await read(subject, language, { name: 'Gus', link })
    expect(mail.html).toContain(`<html lang="${language}" dir="${directionOf(language)}">`)
    for (const part of ['\u2068Gus\u2069', footerOf(language, subject), ...('code' in subject ? [code, link] : [])]) {
      expect(mail.text).toContain(part)
      expect(mail.html).toContain(part)
    }
    expect(mail.subject?.length).toBeGreaterThan(5)
    expect(mail.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated')
  },
)

test('without an address of our own a mail has its code and no link', async () => {
  const mail = await read({ about: 'resetPassword', code })
  expect(mail.text).toContain(code)
  expect(`${mail.text}${mail.html}`).not.toMatch(/https?:|href/)
})

describe('a name', () => {
  const invitation = (name: string) =>
    read({ about: 'invitation', inviter: name, event: name, code, card: { ...card, place: name } }, 'en', { name })
  const tagsOf = (html = '') => html.match(/<[^>]*>/g)
  const hostile = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '</title></head><a href="https://evil.example">',
    'Evil\r\nBcc: everybody@example.com\r\n\r\n<b>body</b>',
    'Evil\nSubject: Other\u2028\u2029\u0000',
    '\u202egnp.exe\u2066\u2067',
    '=?utf-8?q?Bcc:_x?=',
    "'; drop table users --",
    '{{7*7}}<%= 7*7 %>',
    'محمد',
    '👩‍👩‍👧 Ünïcode',
  ]
  test.each(hostile)('like %j stays a name', async name => {
    const mail = await invitation(name)
    expect(tagsOf(mail.html)).toEqual(tagsOf((await invitation('Olivia')).html))
    expect(mail.headers.map(({ key }) => key)).not.toContain('bcc')
    expect(mail.to).toEqual([{ name: '', address: 'guest@example.com' }])
    expect(mail.subject?.startsWith('\u2068')).toBe(true)
    expect(`${mail.subject}`).not.toMatch(/[\r\n\u202a-\u202e\u2066\u2067\u2028\u2029]/)
    expect(mail.headers.filter(({ key }) => key === 'subject')).toHaveLength(1)
  })
})

test.each([
  ['Win at https://evil.example/x', 'Win at https evil. example/x'],
  ['evil.example', 'evil. example'],
  ['ＷＷＷ．evil。example', 'ＷＷＷ． evil。 example'],
  ['me@evil.example', 'me@ evil. example'],
  ['http: //1.2.3.4', 'http 1.2.3.4'],
  ['J.R.R. St.Clair', 'J. R. R. St. Clair'],
  ['Version 5.0 @ the lake', 'Version 5.0 @ the lake'],
  ['x'.repeat(90), `${'x'.repeat(59)}…`],
])('of words that a stranger chose, like %.30s, no mail program makes a link', async (name, shown) => {
  const mail = await read({ about: 'invitation', inviter: name, event: name, code, card }, 'en', { name })
  const tame = `\u2068${shown}\u2069`
  expect(mail.subject).toBe(`${tame} invites you to ${tame}`)
  expect(mail.text).toContain(`Hello ${tame},`)
  expect(mail.text?.split(tame)).toHaveLength(5)
})

test('an invitation shows picture, name, day and place before its one button', async () => {
  const subject: Subject = { about: 'invitation', inviter: 'Olivia', event: 'Lanterns', code, card }
  const mail = await read(subject, 'en', { link: 'https://party.example/j/x' })
  expect(mail.html?.match(/<img [^>]*src="([^"]*)"/)?.[1]).toBe(cover.replace('&', '&amp;'))
  for (const part of ['Lanterns', card.when, card.place]) {
    expect(mail.text?.indexOf(part)).toBeLessThan(mail.text?.indexOf('Open the invitation') ?? 0)
    expect(mail.html?.indexOf(part)).toBeLessThan(mail.html?.indexOf('<a href') ?? 0)
  }
  expect(mail.html?.match(/<a /g)).toHaveLength(1)
})

test.each([
  ['es-AR,es;q=0.9,en;q=0.8', 'es-AR'],
  ['en_gb-u-hc-h12', 'en-GB'],
  ['fr, de;q=0.5, en;q=0.3', 'de'],
  ['AR', 'ar'],
  ['en;q=0.1, de;q=0.9', 'de'],
  ['es;q=0', 'en'],
  ['*', 'en'],
  ['', 'en'],
  [undefined, 'en'],
  [',;q=,;;;=', 'en'],
  [`${'x,'.repeat(10_000)}de`, 'en'],
])('who asks for %.30s is written to in %s', (header, language) => expect(languageOf(header)).toBe(language))

describe('without a mail server', () => {
  test('mails are files that only the owner reads', async () => {
    const own = join(dataDir, randomUUID())
    const told: unknown[] = []
    const log = { info: (what: unknown) => void told.push(what) } as never
    const mailer = openMailer({ smtpUrl: null, from: 'party@example.com', folder: join(own, 'mail'), log })
    await mailer.send('guest@example.com', mailFor({ about: 'passwordChanged' }, 'de', {}))
    const [mail] = await mailsIn(own)
    expect(mail?.subject).toBe('Dein Passwort wurde geändert')
    expect(told).toEqual([{ file: expect.stringMatching(/mail\/.+\.eml$/) }])
    expect((await stat(join(own, 'mail'))).mode & 0o777).toBe(0o700)
    expect((await stat((told[0] as { file: string }).file)).mode & 0o777).toBe(0o600)
  })

  test('those to somebody or about them go with them, and all go when no code in them serves any more', async () => {
    const own = join(dataDir, randomUUID())
    const mailer = openMailer({ smtpUrl: null, from: 'party@example.com', folder: join(own, 'mail'), log })
    const letter = mailFor({ about: 'passwordChanged' }, 'en', {})
    await mailer.forget({ id: 12, email: 'nobody@example.com' })
    await mailer.send('Gus@example.com', letter)
    await mailer.send('before@example.com', letter, [12])
    await mailer.send('other@example.com', letter, [1, 2, 121])
    await mailer.forget({ id: 12, email: 'gus@EXAMPLE.com' })
    expect((await mailsIn(own)).map(({ to }) => to?.[0]?.address)).toEqual(['other@example.com'])
    await mailer.expire(Date.now() + 29 * 86_400_000)
    expect(await mailsIn(own)).toHaveLength(1)
    await mailer.expire(Date.now() + 31 * 86_400_000)
    expect(await mailsIn(own)).toEqual([])
  })
})

describe('with a mail server', async () => {
  const server = await openMailServer()
  const mailer = openMailer({ smtpUrl: server.env.SMTP_URL, from: server.env.MAIL_FROM, folder, log })
  afterAll(() => mailer.close())
  const send = (to = 'guest@example.com') => mailer.send(to, mailFor({ about: 'passwordChanged' }, 'en', {}))

  test('a mail that it never takes is refused for good, one that it does not take now is not', async () => {
    server.refuses({ code: 550, at: 'recipient' })
    await expect(send()).rejects.toThrow(MailRefused)
    server.refuses({ code: 451, at: 'recipient' })
    const later = await send().catch(fault => fault)
    expect(later).toBeInstanceOf(Error)
    expect(later).not.toBeInstanceOf(MailRefused)
    expect(later.message).not.toContain('guest@')
    server.refuses(undefined)
    await send()
    expect(server.arrived).toHaveLength(1)
  })

  test('an address that looks like several is one', async () => {
    server.arrived.length = 0
    await send('"a,b@evil.example"@example.com').catch(() => {})
    for (const { envelopeTo } of server.arrived) expect(envelopeTo).toHaveLength(1)
    expect(server.arrived.flatMap(({ envelopeTo }) => envelopeTo)).not.toContain('b@evil.example')
  })

  test('nobody at its address is an outage, told without the address', async () => {
    const nobody = openMailer({ smtpUrl: 'smtp://127.0.0.1:1', from: 'party@example.com', folder, log })
    const fault = await nobody
      .send('guest@example.com', mailFor({ about: 'passwordChanged' }, 'en', {}))
      .catch(each => each)
    expect(fault).not.toBeInstanceOf(MailRefused)
    expect(fault.message).toContain('does not take it now')
    nobody.close()
  })
})
