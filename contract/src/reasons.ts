/*
 * What a trace gives as reasons: codes with values. They are said in the language of the reader, sentence by sentence with
 * a space between.
 */

/** Of push services; a trace gives the code. */
export const pushServices = ['browser', 'fcm', 'apns', 'googleSignIn'] as const
export type PushService = (typeof pushServices)[number]

/** Why a notification was made, why it did not ring, and which way it took to a device. */
const plain = [
  'inChat',
  'mentioned',
  'replyToMessage',
  'ownMessage',
  'ownPhoto',
  'replyToComment',
  'ownComment',
  'inEvent',
  'organizer',
  'askedToJoin',
  'invited',
  'befriended',
  'operator',
  'askedForExport',
  'askedForTest',

  'chatMuted',
  'allMuted',
  'forMeOnly',
  'nothingOfEvent',
  'noRings',
  'read',
  'deleted',
  'hidden',
  'gone',
  'outside',
  'takenBack',
  'answered',
  'blocked',
  'actorErased',
  'barred',
  'mutes',
  'toldTogether',
  'throughMutes',

  'active',
  'taken',
  'pushForbidden',
  'alsoPushed',
  'inactive',
  'pushed',
  'neverRegistered',
  'cannotPushToWeb',
  'cannotPushToAndroid',
  'cannotPushToIos',
  'signedOut',
  'delivered',
  'stoppedTwice',

  'addressNotHttps',
  'addressPrivate',
  'keysNoKeys',
  'noRegistrationToken',
  'noDeviceToken',
  'tooLong',
  'noAddress',
  'ownFault',
  'noWayToWeb',
  'noWayToAndroid',
  'noWayToIos',
] as const

/** With a number of seconds or tries. */
const counting = { notTaken: 'seconds', triedAgain: 'seconds', givenUp: 'tries' } as const

/** With the moment from which it would ring. */
const until = ['mutedUntil', 'eventMutedUntil', 'quietUntil'] as const

/** Of a push service alone. */
const ofService = [
  'unregistered',
  'silentForAWeek',
  // All that is said of a service whose address a device chose.
  'refused',
  'tooSlow',
  'resting',
  'idle',
  'refusesConnections',
  'broke',
  'lost',
  'noSuchName',
  'noNameNow',
  'unreachable',
  'expiredCertificate',
  'foreignCertificate',
  'untrustedCertificate',
  'privateName',
] as const

/** Of what a push service answered. */
const ofAnswer = [
  'unknownDevice',
  'pause',
  'trouble',
  'credentials',
  'tooLarge',
  'elsewhere',
  'misunderstood',
  'otherProject',
  'unknownProject',
  'unknownWay',
  'otherApp',
  'unknownApp',
  'forbiddenApp',
  'otherEnvironment',
  'key',
  'clock',
] as const

type Counting = keyof typeof counting

/** Every code there is. */
export const reasonCodes = [
  ...plain,
  ...(Object.keys(counting) as Counting[]),
  ...until,
  'ringsUsed',
  ...ofService,
  ...ofAnswer,
] as const

export type Reason =
  | { code: (typeof plain)[number] }
  | { code: 'notTaken' | 'triedAgain'; seconds: number }
  | { code: 'givenUp'; tries: number }
  | { code: (typeof until)[number]; at: string }
  | { code: 'ringsUsed'; rings: number; at: string }
  | { code: (typeof ofService)[number]; service: PushService }
  | { code: (typeof ofAnswer)[number]; service: PushService; status: number }

const each = <Code extends string, Made>(codes: readonly Code[], make: (code: Code) => Made) =>
  Object.fromEntries(codes.map(code => [code, make(code)])) as Record<Code, Made>

export const reasons = {
  ...each(plain, (code): Reason => ({ code })),
  notTaken: (seconds: number): Reason => ({ code: 'notTaken', seconds }),
  triedAgain: (seconds: number): Reason => ({ code: 'triedAgain', seconds }),
  givenUp: (tries: number): Reason => ({ code: 'givenUp', tries }),
  ...each(
    until,
    code =>
      (at: Date): Reason => ({ code, at: at.toISOString() }),
  ),
  /** So many an hour may ring and have; `at` is when the next may. */
  ringsUsed: (rings: number, at: Date): Reason => ({ code: 'ringsUsed', rings, at: at.toISOString() }),
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
