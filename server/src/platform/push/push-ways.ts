import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import type { Config } from '../../settings/config.ts'
import { CannotStart } from '../process/cannot-start.ts'
import { readServiceAccount } from './google-sign-in.ts'
import { openPush, type Push } from './senders.ts'
import type { VapidKeys } from './web-push/vapid-keys.ts'

/** Push by every configured means: browsers always, Android and iOS with the operator's credentials. */
export function openPushWays(config: Config, vapid: VapidKeys, log: Pick<Logger, 'warn'>): Push {
  const { contact, privateOrigins, fcmServiceAccount, apns } = config.push
  const pictures = config.publicUrl ? { publicUrl: config.publicUrl } : {}
  return openPush({
    webPush: { keys: vapid, subject: contact ?? subjectOf(config.publicUrl), privateOrigins },
    ...(fcmServiceAccount && {
      fcm: { ...pictures, serviceAccount: readServiceAccount(readFile('FCM_SERVICE_ACCOUNT', fcmServiceAccount)) },
    }),
    ...(apns && { apns: { ...apns, ...pictures, key: readFile('APNS_KEY', apns.key) } }),
    log,
  })
}

/** The services only accept https and mailto; an instance without a name of its own has nothing better to say. */
const subjectOf = (publicUrl: string | null) =>
  publicUrl?.startsWith('https:') ? publicUrl : 'mailto:operator@afterglow.invalid'

function readFile(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (fault) {
    throw new CannotStart(`The file ${path} of ${setting} cannot be read (${(fault as NodeJS.ErrnoException).code}).`)
  }
}
