/*
 * The reasons in a trace: codes with values. They are rendered in the reader's language, one sentence each, joined by
 * spaces.
 */

/** The push services, as a trace names them. */
export const pushServices = ['browser', 'fcm', 'apns', 'googleSignIn'] as const
export type PushService = (typeof pushServices)[number]

/** Why a notification was created, why it did not ring, and how it was delivered to a device. */
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

/** Codes with a number of seconds or attempts. */
const counting = { notTaken: 'seconds', triedAgain: 'seconds', givenUp: 'tries' } as const

/** Codes with the time from which it would ring. */
const until = ['mutedUntil', 'eventMutedUntil', 'quietUntil', 'strangersUntil', 'sourceUntil'] as const

/** Codes that only name a push service. */
const ofService = [
  'unregistered',
  'silentForAWeek',
  // The only codes shown for a service whose address was chosen by a device.
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

/** Codes for a push service's answer. */
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

/** All codes. */
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
  /** The hourly limit was used up; `at` is when the next may ring. */
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
