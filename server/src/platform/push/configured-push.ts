import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import type { Config } from '../../settings/config.ts'
import { CannotStart } from '../process/cannot-start.ts'
import { readServiceAccount } from './google-sign-in.ts'
import { openPush, type Push } from './senders.ts'
import type { VapidKeys } from './web-push/vapid-keys.ts'

/** Push by every configured means: browsers always, Android and iOS with the operator's credentials. */
export function openConfiguredPush(config: Config, vapid: VapidKeys, log: Pick<Logger, 'warn'>): Push {
  const { privateOrigins, fcmServiceAccount, apns } = config.push
  const pictures = config.publicUrl ? { publicUrl: config.publicUrl } : {}
  return openPush({
    webPush: { keys: vapid, subject: contactOf(config) ?? 'mailto:operator@afterglow.invalid', privateOrigins },
    ...(fcmServiceAccount && {
      fcm: { ...pictures, serviceAccount: readServiceAccount(readFile('FCM_SERVICE_ACCOUNT', fcmServiceAccount)) },
    }),
    ...(apns && { apns: { ...apns, ...pictures, key: readFile('APNS_KEY', apns.key) } }),
    log,
  })
}

/** The address at which push services reach the operator: https or mailto. Apple's delivers nothing without one. */
export const contactOf = ({ push, publicUrl }: Config): string | undefined =>
  push.contact ?? (publicUrl?.startsWith('https:') ? publicUrl : undefined)

function readFile(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (fault) {
    throw new CannotStart(`The file ${path} of ${setting} cannot be read (${(fault as NodeJS.ErrnoException).code}).`)
  }
}
