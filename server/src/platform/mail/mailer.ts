import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type Mail from 'nodemailer/lib/mailer'
import type { Logger } from 'pino'
import { rootCause } from '../observability/root-cause.ts'

export type Letter = {
  subject: string
  text: string
  html: string
  /** Where a POST ends mails of its kind (RFC 8058). */
  unsubscribe?: string
}

export type Mailer = {
  /** Hands a letter over. Throws when it may be tried again, MailRefused when that is no use. `about`: whom it names. */
  send(to: string, letter: Letter, about?: readonly number[]): Promise<void>
  /** Removes what lies here of mails to somebody or about them. */
  forget(person: { id: number; email: string }): Promise<void>
  /** Removes what has lain here for longer than any mail is good for. */
  expire(now?: number): Promise<void>
  close(): void
}

/** The mail server will never take this mail. */
export class MailRefused extends Error {}
/** The mail server was handed the mail, and nobody knows whether it took it. */
export class MailUncertain extends Error {}

export type MailerOptions = {
  smtpUrl: string | null
  from: string
  /** Where mails are written to when there is no mail server. */
  folder: string
  log: Pick<Logger, 'info'>
  /** In tests: authorities behind the mail server's certificate. */
  ca?: string
}

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

export const openMailer = (options: MailerOptions): Mailer =>
  options.smtpUrl === null ? toFiles(options) : bySmtp(options.smtpUrl, options)

/** No answering machine may answer; nothing of a letter may name a file or a URL to fetch. */
const composed = (from: string, to: string, { subject, text, html, unsubscribe }: Letter): Mail.Options => ({
  from,
  // An object: a text would be parsed for more addresses.
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

const bySmtp = (url: string, { from, ca }: MailerOptions): Mailer => {
  const transport = createTransport({ url, pool: true, maxConnections: 2, ...timeouts, ...(ca && { tls: { ca } }) })
  return {
    async send(to, letter) {
      try {
        await transport.sendMail(composed(from, to, letter))
      } catch (fault) {
        const { responseCode = 0, code, command, originalCode } = fault as SmtpFault
        // What the server says may quote the address, so only its numbers are kept; a connection's failure is told by us.
        const said = originalCode
          ? rootCause(fault)
          : `${code ?? 'fault'} ${responseCode || ''} ${command ?? ''}`.trim()
        if (code === 'EENVELOPE' && responseCode >= 500) throw new MailRefused(`the mail server refuses it: ${said}`)
        const Fault = command === 'DATA' && !responseCode ? MailUncertain : Error
        throw new Fault(`the mail server does not take it now: ${said}`)
      }
    },
    // Nothing lies here.
    forget: async () => {},
    expire: async () => {},
    close: () => transport.close(),
  }
}

const keptDays = 30

const toFiles = ({ from, folder, log }: MailerOptions): Mailer => {
  const transport = createTransport({ streamTransport: true, buffer: true })
  const removeThose = async (are: (name: string) => boolean) => {
    for (const name of await readdir(folder).catch(ifMissing))
      if (are(name)) await rm(join(folder, name), { force: true })
  }
  return {
    async send(to, letter, about = []) {
      const { message } = await transport.sendMail(composed(from, to, letter))
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
    close: () => transport.close(),
  }
}

// Whom a mail is to and whom it names stands in its file's name, so that those of somebody are found without reading all.
const markOf = (address: string) => createHash('sha256').update(address.toLowerCase()).digest('hex').slice(0, 32)

const ifMissing = (fault: unknown): string[] => {
  if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return []
  throw fault
}
