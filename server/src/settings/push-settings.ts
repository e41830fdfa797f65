import { resolve } from 'node:path'
import type { Read } from './provider-settings.ts'
import { listOf, oneOf, origin, orNull, type Setting, text, WrongSetting } from './setting.ts'

export type PushSettings = {
  /** Notifications that are not acknowledged in time are not sent as pushes as well. */
  strict: boolean
  /** `mailto:` or `https:` address at which the browsers' push services reach the operator; null: publicUrl. */
  contact: string | null
  /** Origins of push services that may be in a private network. */
  privateOrigins: string[]
  /** Path of Google's service account file. */
  fcmServiceAccount: string | null
  /** Apple's key; `key` is the path of its file. */
  apns: { key: string; keyId: string; teamId: string; topic: string } | null
}

export const pushSettings = {
  NOTIFY_STRICT: {
    default: '0',
    meaning: 'with 1, what an active app does not acknowledge within 10 seconds does not travel as push as well',
    allowed: '0 or 1',
    form: oneOf(['0', '1']).transform(text => text === '1'),
  },
  PUSH_CONTACT: {
    default: '',
    meaning: 'where the push services of browsers reach you; unset: PUBLIC_URL',
    allowed: 'an address like mailto:you@party.example or https://party.example',
    form: orNull(text.regex(/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/)),
  },
  PUSH_PRIVATE_ORIGINS: {
    default: '',
    meaning: 'push services of your own that may lie in a private network',
    allowed: 'origins with commas between, like https://push.party.example',
    form: listOf(origin),
  },
  FCM_SERVICE_ACCOUNT: {
    default: '',
    meaning: "file of Google's service account, for push to Android; unset: none",
    allowed: 'a path',
    form: orNull(text.transform(path => resolve(path))),
  },
  APNS_KEY: {
    default: '',
    meaning: "file of Apple's key (.p8), for push to iOS; unset: none",
    allowed: 'a path',
    form: orNull(text.transform(path => resolve(path))),
  },
  APNS_KEY_ID: {
    default: '',
    meaning: 'id of that key',
    allowed: '10 letters and digits',
    form: orNull(text.regex(/^[A-Z0-9]{10}$/)),
  },
  APNS_TEAM_ID: {
    default: '',
    meaning: "id of the app's team",
    allowed: '10 letters and digits',
    form: orNull(text.regex(/^[A-Z0-9]{10}$/)),
  },
  APNS_TOPIC: {
    default: '',
    meaning: "the app's bundle id",
    allowed: 'a name like com.example.party',
    form: orNull(text.regex(/^[\w.-]{1,255}$/)),
  },
} satisfies Record<string, Setting<unknown>>

export const readPush = (read: Read): PushSettings => ({
  strict: read('NOTIFY_STRICT', pushSettings.NOTIFY_STRICT),
  contact: read('PUSH_CONTACT', pushSettings.PUSH_CONTACT),
  privateOrigins: read('PUSH_PRIVATE_ORIGINS', pushSettings.PUSH_PRIVATE_ORIGINS),
  fcmServiceAccount: read('FCM_SERVICE_ACCOUNT', pushSettings.FCM_SERVICE_ACCOUNT),
  apns: readApns(read),
})

function readApns(read: Read): PushSettings['apns'] {
  const key = read('APNS_KEY', pushSettings.APNS_KEY)
  const keyId = read('APNS_KEY_ID', pushSettings.APNS_KEY_ID)
  const teamId = read('APNS_TEAM_ID', pushSettings.APNS_TEAM_ID)
  const topic = read('APNS_TOPIC', pushSettings.APNS_TOPIC)
  if (key && keyId && teamId && topic) return { key, keyId, teamId, topic }
  if (key || keyId || teamId || topic)
    throw new WrongSetting('APNS_KEY, APNS_KEY_ID, APNS_TEAM_ID and APNS_TOPIC belong together: set all or none.')
  return null
}
