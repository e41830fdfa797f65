/*
 * What each role in an event may do. Nothing else asks who somebody is: rules, doors and audiences ask for a
 * capability, SQL asks through server/src/events/standing-sql.ts, and clients read what the viewer may do in `extra.may`.
 */

/** read: see the event, its people, its album and its chat. write: send, comment, like and react. upload: add photos. */
const guest = ['read', 'write', 'upload'] as const

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
] as const

/** own: delete the event, restore it and hand it over. */
const owner = [...organizer, 'own'] as const

const granted = { owner, organizer, guest } as const

/** What somebody in an event is. */
export type Role = keyof typeof granted
export type Capability = (typeof owner)[number]

/** What a viewer is to an event: those in it have a role. */
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

/** The role of nearly everybody: whoever joins gets it, and where there are thousands they are not named one by one. */
export const ordinary = 'guest' satisfies Role

/** Whom a change of an event is for. */
export const audienceMay = { event: 'read', organizers: 'manage' } as const satisfies Record<string, Capability>

/** What clients are shown: an owner is an organizer, and what somebody was before they were removed is nobody's business. */
export const shownRoleOf = <Given extends Standing>(standing: Given) =>
  (standing === 'owner' ? 'organizer' : standing === 'removed' ? 'none' : standing) as Shown<Given>
type Shown<Given> = Given extends 'owner' ? 'organizer' : Given extends 'removed' ? 'none' : Given
