/*
 * What a trace gives as reasons: codes with values. Clients say them in the language of the reader; a trace carries the
 * English words as well, sentence by sentence, with a space between.
 */

/** Of push services; a trace gives the code and calls the service by this name. */
export const pushServices = {
  browser: "The browser's push service",
  fcm: 'FCM',
  apns: 'APNs',
  googleSignIn: "Google's sign-in",
} as const
export type PushService = keyof typeof pushServices

/** Why a notification was made, why it did not ring, and which way it took to a device. */
const plain = {
  inChat: 'You are in this chat.',
  mentioned: 'You were mentioned.',
  replyToMessage: 'It replies to a message of yours.',
  ownMessage: 'It is a message of yours.',
  ownPhoto: 'It is a photo of yours.',
  replyToComment: 'It replies to a comment of yours.',
  ownComment: 'It is a comment of yours.',
  inEvent: 'You are in this event.',
  organizer: 'You organize this event.',
  askedToJoin: 'You asked to join this event.',
  invited: 'You were invited to this event.',
  befriended: 'You were asked.',
  operator: 'You are an operator of this service.',
  askedForExport: 'You asked for it.',
  askedForTest: 'You asked for a test push.',

  chatMuted: 'It did not ring, as you mute this chat.',
  allMuted: 'It did not ring, as you mute notifications.',
  read: 'It was read meanwhile.',
  deleted: 'What it was about was deleted.',
  hidden: 'What it was about was hidden.',
  gone: 'What it was about is gone.',
  outside: 'It is no business of yours any more.',
  takenBack: 'It was taken back.',
  answered: 'It was answered or taken back.',
  blocked: 'One of you has blocked the other.',
  actorErased: 'Their account was erased.',
  barred: 'The account is suspended or about to be erased.',
  mutes: 'You mute notifications.',

  active: 'The app was active, so it went over the channel.',
  taken: 'The app took it.',
  pushForbidden: 'NOTIFY_STRICT forbids a push.',
  alsoPushed: 'So it went as push too.',
  inactive: 'The app was not active.',
  pushed: 'So it went as push.',
  neverRegistered: 'The device has registered no push address.',
  cannotPushToWeb: 'This server cannot push to web.',
  cannotPushToAndroid: 'This server cannot push to android.',
  cannotPushToIos: 'This server cannot push to ios.',
  signedOut: 'The device signed out.',
  delivered: 'The push service took it.',
  stoppedTwice: 'This server stopped twice while sending it.',

  addressNotHttps: 'The subscription cannot be pushed to: its address is no https address, so the address was dropped.',
  addressPrivate:
    'The subscription cannot be pushed to: its address lies in a private network, so the address was dropped.',
  keysNoKeys: 'The subscription cannot be pushed to: its keys are no keys, so the address was dropped.',
  noRegistrationToken: 'The registration token is none, so the address was dropped.',
  noDeviceToken: 'The device token is none, so the address was dropped.',
  tooLong: 'The message is too long for a push.',
  noAddress: 'The device has no push address any more.',
  ownFault: 'A fault of this server.',
  noWayToWeb: 'This server has no way to push to web.',
  noWayToAndroid: 'This server has no way to push to android.',
  noWayToIos: 'This server has no way to push to ios.',
} as const

const counting = {
  notTaken: 'The app did not take it within :seconds seconds.',
  triedAgain: 'It is tried again in :seconds s.',
  givenUp: 'It was given up after :tries tries.',
} as const

/** Of a push service alone. */
const ofService = {
  unregistered: ':service no longer knows this device, so the address was dropped.',
  silentForAWeek: ':service has not answered for a week, so the address was dropped.',
  /** All that is said of a service whose address a device chose. */
  refused: ':service did not take it.',
  tooSlow: ':service did not answer in time.',
  resting: ':service did not answer lately and is left alone for a while.',
  idle: ':service closed an idle connection.',
  refusesConnections: ':service refuses connections.',
  broke: ':service broke the connection.',
  lost: ':service lost the connection.',
  noSuchName: ':service cannot be found by its name.',
  noNameNow: ':service cannot be found by its name at the moment.',
  unreachable: ':service cannot be reached.',
  expiredCertificate: ':service shows an expired certificate.',
  foreignCertificate: ':service shows a certificate of somebody else.',
  untrustedCertificate: ':service shows a certificate nobody vouches for.',
  privateName: ':service has a name that leads into a private network.',
} as const

/** Of what a push service answered. */
const ofAnswer = {
  unknownDevice: ':service no longer knows this device (:status), so the address was dropped.',
  pause: ':service asks for a pause (:status).',
  trouble: ':service is in trouble (:status).',
  credentials: ":service does not accept this server's credentials (:status).",
  tooLarge: ':service finds the message too large (:status).',
  elsewhere: ':service points elsewhere, which is not followed (:status).',
  misunderstood: ':service does not understand the message (:status).',
  otherProject: ':service knows this device under another Firebase project (:status).',
  unknownProject: ':service does not know the Firebase project (:status).',
  unknownWay: ':service does not know the way it was asked (:status).',
  otherApp: ':service knows this device under another app than ours (:status).',
  unknownApp: ':service does not know our app (:status).',
  forbiddenApp: ':service does not let us push to our app (:status).',
  otherEnvironment: ':service takes our key only in its other environment (:status).',
  key: ':service does not accept our key (:status).',
  clock: ':service finds our clock wrong (:status).',
} as const

/** What each code says in English; `:name` stands for a value. */
export const sentences = { ...plain, ...counting, ...ofService, ...ofAnswer } as const

export type Reason =
  | { code: keyof typeof plain }
  | { code: 'notTaken' | 'triedAgain'; seconds: number }
  | { code: 'givenUp'; tries: number }
  | { code: keyof typeof ofService; service: PushService }
  | { code: keyof typeof ofAnswer; service: PushService; status: number }

const each = <Sentences extends object, Made>(of: Sentences, make: (code: keyof Sentences) => Made) =>
  Object.fromEntries(Object.keys(of).map(code => [code, make(code as keyof Sentences)])) as Record<
    keyof Sentences,
    Made
  >

export const reasons = {
  ...each(plain, (code): Reason => ({ code })),
  notTaken: (seconds: number): Reason => ({ code: 'notTaken', seconds }),
  triedAgain: (seconds: number): Reason => ({ code: 'triedAgain', seconds }),
  givenUp: (tries: number): Reason => ({ code: 'givenUp', tries }),
  ...each(
    ofService,
    code =>
      (service: PushService): Reason => ({ code, service }),
  ),
  ...each(
    ofAnswer,
    code =>
      (service: PushService, status: number): Reason => ({ code, service, status }),
  ),
}

/** Reasons in English, one after the other. */
export const say = (given: readonly Reason[]): string =>
  given
    .map(reason => {
      const values: Partial<Record<string, string | number>> = {
        ...reason,
        ...('service' in reason && { service: pushServices[reason.service] }),
      }
      return sentences[reason.code].replace(/:(service|status|seconds|tries)\b/g, (_, name) => String(values[name]))
    })
    .join(' ')
