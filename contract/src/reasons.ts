/*
 * What a trace gives as reasons. Clients say them in the language of the reader, so each is listed here; where a trace
 * gives several, they follow one another with a space between.
 */

/** Why a notification was made, why it did not ring, and which way it took to a device. */
export const reasons = {
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
  notTaken: (seconds: number) => `The app did not take it within ${seconds} seconds.` as const,
  pushForbidden: 'NOTIFY_STRICT forbids a push.',
  alsoPushed: 'So it went as push too.',
  inactive: 'The app was not active.',
  pushed: 'So it went as push.',
  neverRegistered: 'The device has registered no push address.',
  cannotPushTo: {
    web: 'This server cannot push to web.',
    android: 'This server cannot push to android.',
    ios: 'This server cannot push to ios.',
  },
  signedOut: 'The device signed out.',
  delivered: 'The push service took it.',
  stoppedTwice: 'This server stopped twice while sending it.',
  triedAgain: (seconds: number) => `It is tried again in ${seconds} s.` as const,
  givenUp: (tries: number) => `It was given up after ${tries} tries.` as const,
} as const

export const pushServices = ["The browser's push service", 'FCM', 'APNs', "Google's sign-in"] as const
export type PushService = (typeof pushServices)[number]

const it =
  <const Words extends string>(words: Words) =>
  (service: PushService) =>
    `${service} ${words}` as const
const itsStatus =
  <const Words extends string>(words: Words) =>
  (service: PushService, status: number) =>
    `${service} ${words} (${status})` as const

export const subscriptionFaults = [
  'its address is no https address',
  'its address lies in a private network',
  'its keys are no keys',
] as const
export type SubscriptionFault = (typeof subscriptionFaults)[number]

/** Why a device's address is dead, without a full stop. */
export const deadAddress = {
  unknownDevice: itsStatus('no longer knows this device'),
  unregistered: it('no longer knows this device'),
  subscription: (fault: SubscriptionFault) => `The subscription cannot be pushed to: ${fault}` as const,
  noRegistrationToken: 'The registration token is none',
  noDeviceToken: 'The device token is none',
  silent: it('has not answered for a week'),
} as const

/** Why a push could not be sent, now or ever, without a full stop. */
export const pushFaults = {
  pause: itsStatus('asks for a pause'),
  trouble: itsStatus('is in trouble'),
  /** All that is said of a service whose address a device chose. */
  notTaken: it('did not take it'),
  tooSlow: it('did not answer in time'),
  resting: it('did not answer lately and is left alone for a while'),
  idle: it('closed an idle connection'),
  refusesConnections: it('refuses connections'),
  broke: it('broke the connection'),
  lost: it('lost the connection'),
  noSuchName: it('cannot be found by its name'),
  noNameNow: it('cannot be found by its name at the moment'),
  unreachable: it('cannot be reached'),
  expiredCertificate: it('shows an expired certificate'),
  foreignCertificate: it('shows a certificate of somebody else'),
  untrustedCertificate: it('shows a certificate nobody vouches for'),

  credentials: itsStatus("does not accept this server's credentials"),
  tooLarge: itsStatus('finds the message too large'),
  elsewhere: itsStatus('points elsewhere, which is not followed'),
  misunderstood: itsStatus('does not understand the message'),
  privateName: it('has a name that leads into a private network'),
  otherProject: itsStatus('knows this device under another Firebase project'),
  unknownProject: itsStatus('does not know the Firebase project'),
  unknownWay: itsStatus('does not know the way it was asked'),
  otherApp: itsStatus('knows this device under another app than ours'),
  unknownApp: itsStatus('does not know our app'),
  forbiddenApp: itsStatus('does not let us push to our app'),
  otherEnvironment: itsStatus('takes our key only in its other environment'),
  key: itsStatus('does not accept our key'),
  clock: itsStatus('finds our clock wrong'),
  tooLong: 'The message is too long for a push',
  noAddress: 'The device has no push address any more',
  ownFault: 'A fault of this server',
  noWayTo: {
    web: 'This server has no way to push to web',
    android: 'This server has no way to push to android',
    ios: 'This server has no way to push to ios',
  },
} as const

type Said<Words> = Words extends string
  ? Words
  : Words extends (...values: never) => infer Sentence
    ? Extract<Sentence, string>
    : { [Key in keyof Words]: Said<Words[Key]> }[keyof Words]

export type DeadAddress = Said<typeof deadAddress>
export type PushFault = Said<typeof pushFaults>

export const dropped = <const Why extends DeadAddress>(why: Why) => `${why}, so the address was dropped.` as const
export const failed = <const Why extends PushFault>(why: Why) => `${why}.` as const

export type Reason = Said<typeof reasons> | `${DeadAddress}, so the address was dropped.` | `${PushFault}.`
