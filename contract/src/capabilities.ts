/*
 * Capabilities of each role in an event. Rules, doors and audiences check a capability, never a role; SQL does so
 * through server/src/events/standing-sql.ts, and clients read the viewer's capabilities in `extra.may`.
 */

/** see: the event itself. album: the photos of others. gallery: be in the album, at least with one's own photos. */
const photos = ['see', 'gallery', 'album'] as const

/** show: be the wall at the venue, and say what is on it. */
const screen = [...photos, 'show'] as const

/** browse: read comments and take the album home. seeWaiting: see photos that wait before the wall alone. */
const look = [...photos, 'browse', 'seeWaiting'] as const

/** readChat: read the chat. */
const screenWithChat = [...screen, 'readChat'] as const
const lookWithChat = [...look, 'readChat'] as const

/** upload: add photos. */
const drop = ['see', 'gallery', 'upload'] as const

/** read: see the people of the event and what they do. write: send, comment, like and react. */
const takesPart = ['read', 'write', 'upload'] as const
const guest = [...lookWithChat, ...takesPart] as const

/** A guest who has said no or maybe, where the album is for those who come: of it they see what is their own. */
const absent = ['see', 'gallery', 'readChat', ...takesPart] as const

/**
 * manage: change the event, and what its people are. invite: links, invitations and join requests. announce: tell
 * everybody something. moderate: hide and remove what others wrote, pin, restore, read reports. approve: decide about
 * photos that wait. seeHidden: see what is hidden or waits. haveOriginals: get what a camera writes besides the picture.
 */
const organizer = [
  ...guest,
  'manage',
  'invite',
  'announce',
  'moderate',
  'approve',
  'seeHidden',
  'haveOriginals',
  'show',
] as const

/** own: delete the event, restore it and hand it over. */
const owner = [...organizer, 'own'] as const

/** The roles of the people of an event come first; the others are given by links alone. */
const granted = {
  owner,
  organizer,
  guest,
  absent,
  drop,
  look,
  look_chat: lookWithChat,
  screen,
  screen_chat: screenWithChat,
} as const

export type Role = keyof typeof granted
export type Capability = (typeof owner)[number]
export type CapabilityOf<Of extends Role> = (typeof granted)[Of][number]

/** A viewer's relation to an event; people in the event have a role. */
export type Standing = Role | 'asked' | 'invited' | 'removed' | 'none'

const roles = Object.keys(granted) as Role[]
const holders = new Map<Capability, ReadonlySet<Standing>>(
  owner.map(capability => [
    capability,
    new Set(roles.filter(role => (granted[role] as readonly Capability[]).includes(capability))),
  ]),
)

export const can = (standing: Standing, capability: Capability) => holders.get(capability)?.has(standing) ?? false

export const rolesThatMay = (capability: Capability): readonly Role[] => roles.filter(role => can(role, capability))

/** The default role of everyone who joins. Large events have thousands of them, so they are not listed one by one. */
export const ordinary = 'guest' satisfies Role

// ---- links ----

/** The role that each kind of link gives its visitors; `shows_chat` adds the chat for those who only view. */
export const linkKinds = ['guest', 'drop', 'look', 'screen'] as const
export type LinkKind = (typeof linkKinds)[number]

const rolesOfLinks = {
  guest: [ordinary],
  drop: ['drop'],
  look: ['look', 'look_chat'],
  screen: ['screen', 'screen_chat'],
} as const satisfies Record<LinkKind, readonly Role[]>
export type LinkRole = (typeof rolesOfLinks)[LinkKind][number]

/** Undefined for a kind that shows no chat by itself. */
export const roleOfLink = (kind: LinkKind, showsChat: boolean): LinkRole | undefined =>
  rolesOfLinks[kind][showsChat ? 1 : 0]
export const kindOfLink = (role: LinkRole): LinkKind =>
  linkKinds.find(kind => (rolesOfLinks[kind] as readonly Role[]).includes(role)) as LinkKind
export const showsChat = (role: LinkRole) => can(role, 'readChat') && !can(role, 'read')

/** Visitors of such a link have no name and no account. */
export const isForViewers = (role: LinkRole) => !can(role, 'upload')

/**
 * All that may be asked for by the viewers of a link, and by guest accounts that came by a link for adding photos and
 * are guests of no event. Whatever is not here is refused before it is looked at; what is here still has its door.
 */
const reachable = {
  viewer: new Set([
    ...['readEvent', 'listPhotos', 'readPhoto', 'readTimeline', 'listComments', 'listReplies'],
    ...['linkAlbum', 'downloadAlbum', 'readChat', 'listMessages', 'readWall', 'sayShown', 'syncRealtime', 'logout'],
  ]),
  adder: new Set([
    ...['readEvent', 'joinByLink', 'askToJoin', 'withdrawJoinRequest', 'acceptInvitation', 'declineInvitation'],
    ...['uploadPhoto', 'checkUploads', 'readUploadLimits', 'readAllowance', 'listPhotos', 'readTimeline', 'readPhoto'],
    ...['captionPhoto', 'deletePhoto', 'linkAlbum', 'leaveEvent', 'listComments', 'listReplies', 'saveComment'],
    ...['deleteComment', 'reactToComment', 'unreactToComment', 'listCommentReactions', 'likePhoto', 'unlikePhoto'],
    ...['listLikes'],
    ...['readAccount', 'updateAccount', 'updateSettings', 'claimAccount', 'deleteAccount', 'exportAccount'],
    ...['listExports', 'readExport', 'logout', 'refreshToken', 'listDevices', 'removeDevice', 'registerDevice'],
    ...['ping', 'disconnect', 'syncRealtime', 'listNotifications', 'countUnreadNotifications', 'readNotification'],
    ...['readAllNotifications'],
  ]),
} as const
export const isReachable = (operation: string, by: keyof typeof reachable) => reachable[by].has(operation)

export type RoleOfPeople = Exclude<Role, Exclude<LinkRole, typeof ordinary>>

// ---- audiences ----

/** Whom a change of an event is for. */
export const audienceMay = { event: 'read', organizers: 'manage' } as const satisfies Record<string, Capability>

/**
 * The capability needed to be notified of a change; viewers of links all lack `read`. Changes of photos and comments go
 * to everyone who sees them: some roles see only their own.
 */
const heardBy: Record<string, Capability> = {
  event: 'see',
  photo: 'gallery',
  comment: 'gallery',
  message: 'readChat',
  wall: 'show',
}
const ofPeople = new Set(['message.seen'])
export const capabilityToHear = (kind: string): Capability =>
  ofPeople.has(kind) ? 'read' : (heardBy[kind.split('.')[0] as string] ?? 'read')

/**
 * The role that clients see: an owner is shown as an organizer, every guest as a guest, and the former role of a
 * removed person is private.
 */
export const shownRoleOf = <Given extends Standing>(standing: Given): ShownRole<Given> =>
  (standing === 'owner'
    ? 'organizer'
    : standing === 'absent'
      ? ordinary
      : standing === 'removed' || (can(standing, 'see') && !can(standing, 'read'))
        ? 'none'
        : standing) as ShownRole<Given>
type HiddenRole = 'removed' | Exclude<LinkRole, 'guest'>
type ShownRole<Given> = Given extends 'owner'
  ? 'organizer'
  : Given extends 'absent'
    ? typeof ordinary
    : Given extends HiddenRole
      ? 'none'
      : Given
