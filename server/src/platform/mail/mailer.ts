import type { Logger } from 'pino'
import { rootCause } from '../observability/root-cause.ts'
import { onFirstUse } from '../process/first-use.ts'
import { composed, type Letter, load } from './letter.ts'
import { openMailFolder } from './mail-folder.ts'

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
  /** The directory for mails if there is no mail server. */
  folder: string
  log: Pick<Logger, 'info'>
  /** In tests: the authorities behind the mail server's certificate. */
  ca?: string
}

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

export const openMailer = (options: MailerOptions): Mailer =>
  options.smtpUrl === null ? openMailFolder(options) : bySmtp(options.smtpUrl, options)

type SmtpFault = { responseCode?: number; code?: string; command?: string; originalCode?: string }

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
