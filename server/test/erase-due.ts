import { join } from 'node:path'
import { pino } from 'pino'
import { openMailer } from '../src/platform/mail/mailer.ts'
import { openFullSizes } from '../src/platform/media/full-size.ts'
import { openPictures } from '../src/platform/media/pictures/picture.ts'
import { eraseDueAccounts } from '../src/privacy/delete-accounts.ts'
import { slices } from '../src/slices.ts'
import type { TestApp } from './app.ts'

/** Runs the nightly job now. */
export const eraseDue = async ({ db, dataDir, storage }: Pick<TestApp, 'db' | 'dataDir' | 'storage'>, of = slices) => {
  const log = pino({ level: 'silent' })
  const mailer = openMailer({ smtpUrl: null, from: 'party@example.com', folder: join(dataDir, 'mail'), log })
  const pictures = openPictures({ storage, log })
  const fullSizes = openFullSizes({ db, storage, pictures, pixelsMax: 100_000_000 })
  await eraseDueAccounts(db, of, { mailer, fullSizes, storage }).finally(() => pictures.close())
}
