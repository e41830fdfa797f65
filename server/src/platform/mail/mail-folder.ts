import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onFirstUse } from '../process/first-use.ts'
import { composed, load } from './letter.ts'
import type { Mailer, MailerOptions } from './mailer.ts'

const keptDays = 30

/** Without a mail server, mails are written to files. */
export const openMailFolder = ({ from, folder, log }: MailerOptions): Mailer => {
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

// The file's name contains the recipient and everybody mentioned, so that a person's mails are found without reading
// all.
const markOf = (address: string) => createHash('sha256').update(address.toLowerCase()).digest('hex').slice(0, 32)

const ifMissing = (fault: unknown): string[] => {
  if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return []
  throw fault
}
