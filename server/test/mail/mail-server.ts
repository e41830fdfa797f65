import { readdir, readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { expect } from 'vitest'
import { whenDone } from '../when-done.ts'

export type ReceivedMail = Email & { envelopeTo: string[] }

/** A real mail server on loopback that accepts every mail, or answers as a test says. */
export const openMailServer = async () => {
  const arrived: ReceivedMail[] = []
  let delayMs = 0
  let refusal: { code: number; at: 'recipient' | 'data' } | undefined
  const failing = (at: 'recipient' | 'data') =>
    refusal?.at === at ? Object.assign(new Error('not now'), { responseCode: refusal.code }) : null
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onRcptTo: (_address, _session, done) => done(failing('recipient')),
    onData(stream, session, done) {
      void text(stream).then(async raw => {
        await sleep(delayMs)
        const fault = failing('data')
        if (!fault)
          arrived.push({
            ...(await PostalMime.parse(raw)),
            envelopeTo: session.envelope.rcptTo.map(({ address }) => address),
          })
        done(fault)
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  whenDone(() => new Promise<void>(resolve => server.close(resolve)))
  const { port } = server.server.address() as AddressInfo
  return {
    arrived,
    env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'The party <party@example.com>' },
    /** Answers with this from now on; undefined: accepts everything again. */
    refuses(what: typeof refusal) {
      refusal = what
    },
    /** Delays its answer to each mail from now on. */
    slowly(ms: number) {
      delayMs = ms
    },
    /** The newest mail to an address, once there are at least this many. */
    async mailTo(address: string, least = 1): Promise<ReceivedMail> {
      const to = () => arrived.filter(({ envelopeTo }) => envelopeTo.includes(address))
      await expect.poll(() => to().length).toBeGreaterThanOrEqual(least)
      return to().at(-1) as ReceivedMail
    },
  }
}

/** The code in a mail. */
export const codeIn = ({ text = '' }: Pick<Email, 'text'>): string =>
  /\b(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}\b/.exec(text ?? '')?.[0] ?? ''

/** The mails written to files, oldest first. */
export const mailsIn = async (dataDir: string) => {
  const folder = join(dataDir, 'mail')
  const names = await readdir(folder).catch(() => [])
  const mails = names.filter(name => name.endsWith('.eml')).sort()
  return Promise.all(mails.map(async name => PostalMime.parse(await readFile(join(folder, name)))))
}
