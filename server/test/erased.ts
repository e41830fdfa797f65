import { join } from 'node:path'
import { pino } from 'pino'
import { eraseDueAccounts } from '../src/leaving/erasing.ts'
import { openMailer } from '../src/platform/mail/mailer.ts'
import type { TestApp } from './app.ts'

/** Does what the nightly job does, now. */
export const eraseDue = ({ db, dataDir }: Pick<TestApp, 'db' | 'dataDir'>) => {
  const log = pino({ level: 'silent' })
  const mailer = openMailer({ smtpUrl: null, from: 'party@example.com', folder: join(dataDir, 'mail'), log })
  return eraseDueAccounts(db, mailer)
}
