import {
  appleId,
  type Environment,
  listOf,
  oneOf,
  origin,
  orNull,
  path,
  readerOf,
  setting,
  text,
  WrongSetting,
} from './setting.ts'

export const pushSettings = {
  NOTIFY_STRICT: setting(
    'with 1, what an active app does not acknowledge within 10 seconds does not travel as push as well',
    oneOf(['0', '1'])
      .transform(given => given === '1')
      .describe('0 or 1'),
    '0',
  ),
  PUSH_CONTACT: setting(
    'where the push services of browsers reach you; unset: PUBLIC_URL',
    orNull(
      text
        .regex(/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/)
        .describe('an address like mailto:you@party.example or https://party.example'),
    ),
  ),
  PUSH_PRIVATE_ORIGINS: setting(
    'push services of your own that may lie in a private network',
    listOf(origin, 'origins with commas between, like https://push.party.example'),
  ),
  FCM_SERVICE_ACCOUNT: setting("file of Google's service account, for push to Android; unset: none", orNull(path)),
  APNS_KEY: setting("file of Apple's key (.p8), for push to iOS; unset: none", orNull(path)),
  APNS_KEY_ID: setting('id of that key', orNull(appleId)),
  APNS_TEAM_ID: setting("id of the app's team", orNull(appleId)),
  APNS_TOPIC: setting(
    "the app's bundle id",
    orNull(text.regex(/^[\w.-]{1,255}$/).describe('a name like com.example.party')),
  ),
}

export function readPush(env: Environment) {
  const read = readerOf(pushSettings, env)
  const [key, keyId, teamId, topic] = [read('APNS_KEY'), read('APNS_KEY_ID'), read('APNS_TEAM_ID'), read('APNS_TOPIC')]
  const apns = key && keyId && teamId && topic ? { key, keyId, teamId, topic } : null
  if (!apns && (key || keyId || teamId || topic))
    throw new WrongSetting('APNS_KEY, APNS_KEY_ID, APNS_TEAM_ID and APNS_TOPIC belong together: set all or none.')
  return {
    strict: read('NOTIFY_STRICT'),
    contact: read('PUSH_CONTACT'),
    privateOrigins: read('PUSH_PRIVATE_ORIGINS'),
    fcmServiceAccount: read('FCM_SERVICE_ACCOUNT'),
    apns,
  }
}
