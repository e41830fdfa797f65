import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type Mail from 'nodemailer/lib/mailer'
import type { Logger } from 'pino'
import { rootCause } from '../observability/root-cause.ts'
import { onFirstUse } from '../process/first-use.ts'

export type Letter = {
  subject: string
  text: string
  html: string
  /** Where a POST ends mails of its kind (RFC 8058). */
  unsubscribe?: string
}

export type Mailer = {
  /** Hands over a letter. Throws if it may be retried, MailRefused if that is pointless. `about`: whom it mentions. */
  send(to: string, letter: Letter, about?: readonly number[]): Promise<void>
  /** Removes stored mails to somebody or about them. */
  forget(person: { id: number; email: string }): Promise<void>
  /** Removes mails older than any mail is useful. */
  expire(now?: number): Promise<void>
  close(): void
}

/** The mail server will never accept this mail. */
export class MailRefused extends Error {}
/** The mail server was handed the mail, and it is unknown whether it accepted it. */
export class MailUncertain extends Error {}

export type MailerOptions = {
  smtpUrl: string | null
  from: string
  /** Where mails are written if there is no mail server. */
  folder: string
  log: Pick<Logger, 'info'>
  /** In tests: the authorities behind the mail server's certificate. */
  ca?: string
}

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

export const openMailer = (options: MailerOptions): Mailer =>
  options.smtpUrl === null ? toFiles(options) : bySmtp(options.smtpUrl, options)

/** No auto-responder may answer, and nothing in a letter may name a file or URL to fetch. */
const composed = (from: string, to: string, { subject, text, html, unsubscribe }: Letter): Mail.Options => ({
  from,
  // An object: a string would be parsed for further addresses.
  to: { name: '', address: to },
  subject,
  text,
  html,
  headers: {
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
    ...(unsubscribe && oneClick(unsubscribe)),
  },
  disableFileAccess: true,
  disableUrlAccess: true,
})

const oneClick = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

type SmtpFault = { responseCode?: number; code?: string; command?: string; originalCode?: string }

/** The library takes 23 MiB and comes with the first mail. */
const load = () => import('nodemailer')

const bySmtp = (url: string, { from, ca }: MailerOptions): Mailer => {
  let close = () => {}
  const transport = onFirstUse(async () => {
    const { createTransport } = await load()
    const opened = createTransport({ url, pool: true, maxConnections: 2, ...timeouts, ...(ca && { tls: { ca } }) })
    close = () => opened.close()
    return opened
  })
  return {
    async send(to, letter) {
      const opened = await transport()
      try {
        await opened.sendMail(composed(from, to, letter))
      } catch (fault) {
        const { responseCode = 0, code, command, originalCode } = fault as SmtpFault
        // The server's answer may quote the address, so only its numbers are kept; we describe connection failures
        // ourselves.
        const said = originalCode
          ? rootCause(fault)
          : `${code ?? 'fault'} ${responseCode || ''} ${command ?? ''}`.trim()
        if (code === 'EENVELOPE' && responseCode >= 500) throw new MailRefused(`the mail server refuses it: ${said}`)
        const Fault = command === 'DATA' && !responseCode ? MailUncertain : Error
        throw new Fault(`the mail server does not take it now: ${said}`)
      }
    },
    // Nothing is stored here.
    forget: async () => {},
    expire: async () => {},
    close: () => close(),
  }
}

const keptDays = 30

const toFiles = ({ from, folder, log }: MailerOptions): Mailer => {
  const transport = onFirstUse(async () => (await load()).createTransport({ streamTransport: true, buffer: true }))
  const removeThose = async (are: (name: string) => boolean) => {
    for (const name of await readdir(folder).catch(ifMissing))
      if (are(name)) await rm(join(folder, name), { force: true })
  }
  return {
    async send(to, letter, about = []) {
      const { message } = await (await transport()).sendMail(composed(from, to, letter))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const marks = [markOf(to), ...new Set(about)].join('-')
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.${marks}.eml`
      const file = join(folder, name)
      await writeFile(`${file}.new`, message as Buffer, { mode: 0o600 })
      await rename(`${file}.new`, file)
      log.info({ file }, 'no SMTP_URL is set: a mail was written to a file')
    },
    forget({ id, email }) {
      const ofTheirs = new Set([markOf(email), String(id)])
      return removeThose(
        name =>
          name
            .split('.')
            .at(-2)
            ?.split('-')
            .some(mark => ofTheirs.has(mark)) ?? false,
      )
    },
    expire(now = Date.now()) {
      const oldest = new Date(now - keptDays * 86_400_000).toISOString().replaceAll(':', '-')
      return removeThose(name => /^\d{4}-\d\d-\d\dT/.test(name) && name < oldest)
    },
    close: () => {},
  }
}

// The file's name contains whom a mail is to and whom it mentions, so that somebody's mails are found without reading
// all.
const markOf = (address: string) => createHash('sha256').update(address.toLowerCase()).digest('hex').slice(0, 32)

const ifMissing = (fault: unknown): string[] => {
  if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return []
  throw fault
}
