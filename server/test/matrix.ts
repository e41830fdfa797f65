import type { Api } from './app.ts'
import { evening } from './party.ts'
import type { Company, Role, Scene } from './scene.ts'

type Page = { page: number; page_length: number }
const paged: Page = { page: 1, page_length: 10 }

/** A status of success, or the code of the operation's refusal. */
export type Outcome = number | string
/** `anyone`: the answer only requires being signed in; `nobody`: no bearer is needed. */
export type Outcomes = { anyone: number } | { nobody: number } | Record<Role, Outcome>

export type Row = {
  operation: string
  /** The variant of the operation, if it has several. */
  use?: string
  /** Makes a fresh target and names it; called once for each member of the cast. */
  input(scene: Scene, company: Company, role: Role): unknown
  outcomes: Outcomes
  /** Success changes members' standings: each member gets an event of their own. */
  alone?: true
}

const everyone = (outcome: Outcome, changes: Partial<Record<Role, Outcome>> = {}): Record<Role, Outcome> => ({
  organizer: outcome,
  guest: outcome,
  author: outcome,
  asked: outcome,
  rejected: outcome,
  removed: outcome,
  stranger: outcome,
  otherOrganizer: outcome,
  ...changes,
})
/** 200 for everyone in the event; the refusal for everybody else. */
const members = (refusal: string, changes: Partial<Record<Role, Outcome>> = {}) =>
  everyone(refusal, { organizer: 200, guest: 200, author: 200, ...changes })
const organizers = (refusal: string) => everyone(refusal, { organizer: 200 })

const device = { device_id: 'matrix', user_timezone: 'UTC', user_device_platform: 'web' }
const password = 'a matrix password'
let names = 0
const newcomer = () => {
  names += 1
  return {
    user_first_name: 'New',
    user_last_name: 'Comer',
    user_username: `newcomer${names}`,
    user_email: `newcomer${names}@example.com`,
  }
}
const confirmed = { user_password: password, user_password_confirmation: password }

const event = ({ event_id }: Scene) => ({ event_id })
const chat = ({ group_chat_id }: Scene) => ({ group_chat_id })
const inChat = (scene: Scene) => ({ ...chat(scene), ...paged })
const inEvent = (scene: Scene) => ({ ...event(scene), ...paged })
const transferCode = async (_: Scene, { guest }: Company) => ({
  transfer_code: (await guest.api.transfers.makeTransfer()).transfer_url.split('#code=')[1],
})
const starts = new Date(Date.now() + 86_400_000).toISOString()
const someone = (_: Scene, company: Company, role: Role) => ({
  user_id: (role === 'stranger' ? company.otherOrganizer : company.stranger).id,
})

const accounts: Row[] = [
  {
    operation: 'register',
    outcomes: { nobody: 200 },
    input: () => ({ ...newcomer(), ...confirmed, ...device, user_login_option_type: 1 }),
  },
  {
    operation: 'authenticate',
    outcomes: { nobody: 200 },
    input: (_, { guest }) => ({
      user_login_option_type: 1,
      user_login_id: guest.email,
      user_password: guest.password,
      ...device,
    }),
  },
  { operation: 'readAccount', outcomes: { anyone: 200 }, input: () => ({}) },
  { operation: 'updateAccount', outcomes: { anyone: 200 }, input: newcomer },
  { operation: 'logout', outcomes: { anyone: 200 }, input: () => ({}) },
  { operation: 'refreshToken', outcomes: { anyone: 200 }, input: () => ({}) },
  { operation: 'stageAvatar', outcomes: { anyone: 200 }, input: ({ picture }) => ({ profile_picture: picture }) },
  { operation: 'removeAvatar', outcomes: { anyone: 200 }, input: () => ({}) },
  { operation: 'updateSettings', outcomes: { anyone: 200 }, input: () => ({ user_setting_mute_notification: true }) },
  {
    operation: 'updatePassword',
    outcomes: everyone('wrongPassword'),
    input: () => ({ current_password: 'not it', ...confirmed }),
  },
  { operation: 'proveAccount', outcomes: everyone('wrongPassword'), input: () => ({ user_password: 'not it' }) },
  {
    operation: 'claimAccount',
    outcomes: everyone('notGuest'),
    input: () => ({ user_email: 'claim@example.com', ...confirmed }),
  },
  { operation: 'listDevices', outcomes: { anyone: 200 }, input: () => paged },
  { operation: 'disownLetIns', outcomes: { anyone: 200 }, input: () => ({}) },
  { operation: 'removeDevice', outcomes: everyone('noSuchDevice'), input: () => ({ device_id: 'of somebody else' }) },
  { operation: 'ping', outcomes: { anyone: 200 }, input: () => ({}) },
  { operation: 'disconnect', outcomes: { anyone: 200 }, input: () => ({}) },
]

const secret = 'x'.repeat(43)

const providers: Row[] = [
  { operation: 'listProviders', outcomes: { nobody: 200 }, input: () => ({}) },
  {
    // No provider is configured here: the tests with a real provider show the success.
    operation: 'beginProviderSignIn',
    outcomes: { nobody: 400 },
    input: () => ({ user_login_option_type: 2, return_to: 'https://party.example', provider_challenge: secret }),
  },
  {
    operation: 'finishProviderSignIn',
    outcomes: { nobody: 400 },
    input: () => ({ provider_code: secret, provider_verifier: secret, ...device }),
  },
  {
    operation: 'linkLoginOption',
    outcomes: everyone('user_login_option_type'),
    input: () => ({ user_login_option_type: 2, provider_code: secret, provider_verifier: secret }),
  },
  {
    operation: 'unlinkLoginOption',
    outcomes: everyone('lastLoginOption'),
    input: () => ({ user_login_option_type: 1 }),
  },
]

const recovery: Row[] = [
  { operation: 'forgotPassword', outcomes: { nobody: 200 }, input: (_, { guest }) => ({ user_email: guest.email }) },
  {
    operation: 'resetPassword',
    outcomes: { nobody: 400 },
    input: () => ({ reset_code: 'ABCD-EFGH-JKMN-PQRS', ...confirmed }),
  },
  { operation: 'undoEmail', outcomes: { nobody: 400 }, input: () => ({ undo_code: 'ABCD-EFGH-JKMN-PQRS' }) },
  { operation: 'verifyEmail', outcomes: everyone('badCode'), input: () => ({ verification_code: 'not it' }) },
  { operation: 'resendVerification', outcomes: { anyone: 200 }, input: () => ({}) },
]

const events: Row[] = [
  {
    operation: 'saveEvent',
    use: 'create',
    outcomes: { anyone: 200 },
    input: () => ({ event_name: 'Mine', event_starts_at: starts }),
  },
  {
    operation: 'saveEvent',
    use: 'update',
    outcomes: organizers('notOrganizer'),
    input: scene => ({ ...event(scene), event_name: 'Renamed', event_starts_at: starts }),
  },
  {
    operation: 'copyEvent',
    outcomes: organizers('notOrganizer'),
    input: scene => ({ ...event(scene), event_starts_at: starts, guests_invited: false }),
  },
  { operation: 'listEvents', outcomes: { anyone: 200 }, input: () => paged },
  { operation: 'listWaiting', outcomes: { anyone: 200 }, input: () => paged },
  { operation: 'readEvent', outcomes: everyone(200), input: event },
  { operation: 'cancelEvent', outcomes: organizers('notOrganizer'), input: event, alone: true },
  {
    operation: 'uncancelEvent',
    outcomes: organizers('notOrganizer'),
    input: async (scene, { organizer }) => {
      await organizer.api.events.cancelEvent(event(scene))
      return event(scene)
    },
    alone: true,
  },
  { operation: 'deleteEvent', outcomes: organizers('notOrganizer'), input: event, alone: true },
  {
    operation: 'restoreEvent',
    outcomes: organizers('noSuchEvent'),
    input: async (scene, { organizer }) => {
      await organizer.api.events.deleteEvent(event(scene))
      return event(scene)
    },
    alone: true,
  },
  {
    operation: 'askToJoin',
    outcomes: everyone(200, { organizer: 'alreadyIn' }),
    input: event,
    alone: true,
  },
  { operation: 'withdrawJoinRequest', outcomes: everyone('notAsked', { asked: 200 }), input: event, alone: true },
  { operation: 'listJoinRequests', outcomes: organizers('notOrganizer'), input: inEvent },
  ...['approveJoinRequest', 'rejectJoinRequest'].map(
    (operation): Row => ({
      operation,
      outcomes: organizers('notOrganizer'),
      input: (scene, { asked }) => ({ ...event(scene), user_id: asked.id }),
      alone: true,
    }),
  ),
  {
    operation: 'invite',
    outcomes: organizers('notOrganizer'),
    input: (scene, { stranger }) => ({ ...event(scene), user_ids: [stranger.id] }),
    alone: true,
  },
  { operation: 'listInvitations', outcomes: { anyone: 200 }, input: () => paged },
  ...['acceptInvitation', 'declineInvitation'].map(
    (operation): Row => ({
      operation,
      outcomes: everyone('noSuchInvitation', { stranger: 200 }),
      alone: true,
      input: async (scene, { organizer, stranger }) => {
        await organizer.api.events.invite({ ...event(scene), user_ids: [stranger.id] })
        const { data } = await stranger.api.events.listInvitations(paged)
        return { invitation_id: data[0]?.id }
      },
    }),
  ),
  { operation: 'listGuests', outcomes: members('notInEvent'), input: inEvent },
  {
    operation: 'removeGuest',
    outcomes: organizers('notOrganizer'),
    input: (scene, { guest }) => ({ ...event(scene), user_id: guest.id }),
    alone: true,
  },
  {
    operation: 'bringGuestBack',
    outcomes: organizers('notOrganizer'),
    input: (scene, { removed }) => ({ ...event(scene), user_id: removed.id }),
    alone: true,
  },
  {
    operation: 'leaveEvent',
    outcomes: members('notInEvent', { organizer: 'lastOrganizer' }),
    input: event,
    alone: true,
  },
  {
    operation: 'makeOrganizer',
    outcomes: organizers('notOrganizer'),
    input: (scene, { guest }) => ({ ...event(scene), user_id: guest.id }),
    alone: true,
  },
  {
    operation: 'unmakeOrganizer',
    outcomes: everyone('notOrganizer', { organizer: 'lastOrganizer' }),
    input: (scene, { organizer }) => ({ ...event(scene), user_id: organizer.id }),
  },
  {
    operation: 'unmakeOrganizer',
    use: 'of another one',
    outcomes: everyone('notOrganizer', { organizer: 200, guest: 200 }),
    input: async (scene, { organizer, guest }) => {
      const other = { ...event(scene), user_id: guest.id }
      await organizer.api.events.makeOrganizer(other)
      return other
    },
    alone: true,
  },
  {
    operation: 'handOver',
    use: 'by offering it',
    outcomes: members('notInEvent', { guest: 'notOrganizer', author: 'notOrganizer' }),
    input: (scene, { guest, author }, role) => ({
      ...event(scene),
      user_id: (role === 'guest' ? author : guest).id,
    }),
    alone: true,
  },
  {
    operation: 'handOver',
    use: 'by taking it',
    outcomes: members('notInEvent', { author: 'notOffered' }),
    input: async (scene, company, role) => {
      await company.organizer.api.events.handOver({ ...event(scene), user_id: company.guest.id })
      return { ...event(scene), user_id: company[role].id }
    },
    alone: true,
  },
  {
    operation: 'endOffer',
    outcomes: members('notInEvent', { author: 'notOrganizer' }),
    input: async (scene, { organizer, guest }) => {
      const offer = { ...event(scene), user_id: guest.id }
      await organizer.api.events.handOver(offer)
      return offer
    },
    alone: true,
  },
  { operation: 'listAudit', outcomes: organizers('notOrganizer'), input: inEvent },
]

const link = ({ event_id }: Scene, { organizer }: Company) => organizer.api.links.makeLink({ event_id })
const code = async (scene: Scene, company: Company) => ({ code: (await link(scene, company)).link_code })

const links: Row[] = [
  { operation: 'makeLink', outcomes: organizers('notOrganizer'), input: event },
  { operation: 'listLinks', outcomes: organizers('notOrganizer'), input: inEvent },
  {
    operation: 'revokeLink',
    outcomes: organizers('notOrganizer'),
    input: async (scene, company) => ({ link_id: (await link(scene, company)).id }),
  },
  { operation: 'revokeLinks', outcomes: organizers('notOrganizer'), input: event, alone: true },
  {
    operation: 'reopenLink',
    outcomes: organizers('notOrganizer'),
    input: async (scene, company) => ({ link_id: (await link(scene, company)).id }),
  },
  {
    operation: 'reopenLink',
    use: 'that was closed',
    outcomes: organizers('notOrganizer'),
    input: async (scene, company) => {
      const { id: link_id } = await link(scene, company)
      await company.organizer.api.links.revokeLink({ link_id })
      return { link_id }
    },
  },
  {
    operation: 'sendAwayByLink',
    outcomes: organizers('notOrganizer'),
    input: async (scene, company) => ({ link_id: (await link(scene, company)).id }),
  },
  { operation: 'listScreens', outcomes: organizers('notOrganizer'), input: inEvent },
  {
    operation: 'endScreen',
    outcomes: organizers('notOrganizer'),
    input: async (scene, company) => {
      const { link_code } = await company.organizer.api.links.makeLink({ ...event(scene), kind: 'screen' })
      await outside.api().links.viewByLink({ code: link_code })
      const { data } = await company.organizer.api.links.listScreens(inEvent(scene))
      return { screen_id: data[0]?.id }
    },
  },
  { operation: 'listSentAway', outcomes: organizers('notOrganizer'), input: inEvent },
  {
    operation: 'undoSentAway',
    outcomes: organizers('notOrganizer'),
    input: async (scene, company) => {
      const { id: link_id } = await link(scene, company)
      return { away_id: (await company.organizer.api.links.sendAwayByLink({ link_id })).id }
    },
  },
  { operation: 'openLink', outcomes: { nobody: 200 }, input: code },
  { operation: 'openEvent', outcomes: { nobody: 200 }, input: inEvent },
  {
    operation: 'viewByLink',
    outcomes: { nobody: 200 },
    input: async ({ event_id }, { organizer }) => ({
      code: (await organizer.api.links.makeLink({ event_id, kind: 'look' })).link_code,
    }),
  },
  {
    operation: 'joinByLink',
    use: 'as a guest',
    outcomes: { nobody: 200 },
    input: async (scene, company) => ({ ...(await code(scene, company)), user_first_name: 'Anna' }),
  },
  {
    operation: 'joinByLink',
    use: 'with an account',
    outcomes: everyone(200, { removed: 'wasRemoved' }),
    input: code,
    alone: true,
  },
]

/** The runner of the matrix sets how a caller who is not signed in sends requests. */
export const outside = {
  api: (): Api => {
    throw new Error('nobody runs the matrix')
  },
}

/** The runner of the matrix sets the webhook receiver. */
export const receiver = { url: '' }
/** Subscribes to so little that nothing of it is in progress when rows are compared. */
const asked = () => ({ webhook_url: receiver.url, webhook_kinds: ['event.deleted' as const] })
const webhook = async (scene: Scene, { organizer }: Company) => ({
  webhook_id: (await organizer.api.webhooks.makeWebhook({ ...event(scene), ...asked() })).id,
})
const itsManagers = organizers('noSuchWebhook')

const webhooks: Row[] = [
  {
    operation: 'makeWebhook',
    outcomes: organizers('notOrganizer'),
    input: scene => ({ ...event(scene), ...asked() }),
    alone: true,
  },
  {
    operation: 'makeWebhook',
    use: 'for the whole service',
    outcomes: everyone('notOperator'),
    input: asked,
  },
  { operation: 'listWebhooks', outcomes: organizers('notOrganizer'), input: inEvent },
  { operation: 'listWebhooks', use: 'of the service', outcomes: everyone('notOperator'), input: () => paged },
  { operation: 'switchOnWebhook', outcomes: itsManagers, input: webhook, alone: true },
  { operation: 'renewWebhookSecret', outcomes: itsManagers, input: webhook, alone: true },
  { operation: 'tryWebhook', outcomes: itsManagers, input: webhook, alone: true },
  { operation: 'deleteWebhook', outcomes: itsManagers, input: webhook, alone: true },
  {
    operation: 'listWebhookDeliveries',
    outcomes: itsManagers,
    input: async (scene, company) => ({ ...(await webhook(scene, company)), ...paged }),
    alone: true,
  },
]

/** The author is second in the line for the one place. */
const inLine = async (scene: Scene, { organizer, guest, author }: Company) => {
  for (const { id: user_id } of [organizer, guest, author]) {
    await organizer.api.plans.answerEvent({ ...event(scene), user_id, event_answer: 'going' })
    await organizer.api.events.saveEvent({ ...event(scene), event_places: 1 })
  }
  return { ...event(scene), user_id: author.id, move_reason: 'She drives the bus' }
}

const plans: Row[] = [
  { operation: 'linkCalendar', outcomes: everyone(200), input: event },
  { operation: 'readAnswer', outcomes: members('notInEvent'), input: event },
  {
    operation: 'answerEvent',
    outcomes: members('notInEvent'),
    input: scene => ({ ...event(scene), event_answer: 'going', plus_ones: 2, answer_note: 'No nuts, please' }),
  },
  {
    operation: 'answerEvent',
    use: 'of somebody else',
    outcomes: everyone('notInEvent', { organizer: 200, guest: 'notOrganizer', author: 200 }),
    input: (scene, { author }) => ({ ...event(scene), user_id: author.id, event_answer: 'maybe' }),
  },
  {
    operation: 'addPerson',
    outcomes: organizers('notOrganizer'),
    input: scene => ({ ...event(scene), user_first_name: 'Aunt', event_answer: 'going', plus_ones: 1 }),
  },
  { operation: 'moveUp', outcomes: organizers('notOrganizer'), input: inLine, alone: true },
  { operation: 'listAnswers', outcomes: organizers('notOrganizer'), input: inEvent },
  { operation: 'exportAnswers', outcomes: organizers('notOrganizer'), input: event },
  { operation: 'remindGuests', outcomes: organizers('notOrganizer'), input: event },
  { operation: 'readCalendarFeed', outcomes: { anyone: 200 }, input: () => ({}) },
  { operation: 'makeCalendarFeed', outcomes: { anyone: 200 }, input: () => ({}) },
  { operation: 'endCalendarFeed', outcomes: { anyone: 200 }, input: () => ({}) },
]

const people: Row[] = [
  { operation: 'searchUsers', outcomes: { anyone: 200 }, input: () => ({ name: 'ol', ...paged }) },
  { operation: 'readUser', outcomes: everyone(200), input: someone },
  { operation: 'befriend', outcomes: everyone(200), input: someone },
  { operation: 'unfriend', outcomes: everyone(200), input: someone },
  { operation: 'listFriends', outcomes: { anyone: 200 }, input: () => paged },
  { operation: 'listFriendRequests', outcomes: { anyone: 200 }, input: () => paged },
  { operation: 'block', outcomes: everyone('oneself'), input: (_, company, role) => ({ user_id: company[role].id }) },
  { operation: 'unblock', outcomes: everyone(200), input: someone },
  { operation: 'listBlocked', outcomes: { anyone: 200 }, input: () => paged },
  {
    operation: 'report',
    outcomes: members('noSuchTarget'),
    input: async scene => ({
      report_type: 'message',
      report_id: (await scene.message()).message_id,
      report_reason: 'Not nice',
    }),
  },
  { operation: 'listReports', outcomes: { anyone: 200 }, input: () => paged },
  {
    operation: 'resolveReport',
    outcomes: everyone('noSuchReport', { organizer: 200 }),
    input: async (scene, { organizer, guest }) => {
      const { message_id } = await scene.message()
      await guest.api.people.report({ report_type: 'message', report_id: message_id, report_reason: 'Not nice' })
      const { data } = await organizer.api.people.listReports(paged)
      return { report_id: data[0]?.id }
    },
  },
]

const onPhoto = (scene: Scene) => scene.photo()
const onComment = (scene: Scene) => scene.comment()

const gallery: Row[] = [
  {
    operation: 'uploadPhoto',
    outcomes: members('mayNotUpload'),
    input: scene => ({ ...event(scene), image: scene.picture }),
  },
  { operation: 'linkAlbum', outcomes: members('notInEvent'), input: event },
  ...Object.entries({
    'as it is shown': { size: 'shown' },
    'of what one liked': { liked: true },
    'of one’s own photos': { mine: true },
    'of chosen photos': { event_photo_ids: [1, 2] },
  }).map(([use, wish]) => ({
    operation: 'linkAlbum',
    use,
    outcomes: members('notInEvent'),
    input: (scene: Scene) => ({ ...event(scene), ...wish }),
  })),
  { operation: 'readUploadLimits', outcomes: { anyone: 200 }, input: () => ({}) },
  {
    operation: 'checkUploads',
    outcomes: members('notInEvent'),
    input: scene => ({ ...event(scene), sha256: ['ab'.repeat(32)] }),
  },
  { operation: 'readAllowance', outcomes: members('notInEvent'), input: event },
  {
    operation: 'readAllowance',
    use: 'of a guest',
    outcomes: members('notInEvent', { author: 'notOrganizer' }),
    input: (scene, { guest }) => ({ ...event(scene), user_id: guest.id }),
  },
  {
    operation: 'allowPhotos',
    outcomes: organizers('notOrganizer'),
    input: (scene, { guest }) => ({ ...event(scene), user_id: guest.id, photos_max: 300 }),
  },
  { operation: 'listPhotos', outcomes: members('notInEvent'), input: inEvent },
  { operation: 'readTimeline', outcomes: members('notInEvent'), input: event },
  { operation: 'readPhoto', outcomes: members('notInEvent'), input: onPhoto },
  {
    operation: 'captionPhoto',
    outcomes: everyone('notInEvent', { author: 200, guest: 'notUploader', organizer: 'notUploader' }),
    input: async scene => ({ ...(await scene.photo()), event_photo_caption: 'Look' }),
  },
  { operation: 'likePhoto', outcomes: members('notInEvent'), input: onPhoto },
  { operation: 'unlikePhoto', outcomes: members('notInEvent'), input: onPhoto },
  {
    operation: 'listLikes',
    outcomes: members('notInEvent'),
    input: async scene => ({ ...(await scene.photo()), ...paged }),
  },
  { operation: 'deletePhoto', outcomes: members('notInEvent', { guest: 'mayNotDeletePhoto' }), input: onPhoto },
  { operation: 'listDeletedPhotos', outcomes: members('notInEvent'), input: inEvent },
  {
    operation: 'restorePhoto',
    outcomes: members('noSuchPhoto', { guest: 'noSuchPhoto' }),
    input: async (scene, { author }) => {
      const photo = await scene.photo()
      await author.api.gallery.deletePhoto(photo)
      return photo
    },
  },
  { operation: 'revealPhotos', outcomes: organizers('notOrganizer'), input: inEvent },
  {
    operation: 'undoDecision',
    outcomes: members('notInEvent', { guest: 'notOrganizer', author: 'notOrganizer' }),
    input: async (scene, { organizer }) => {
      const { event_id } = event(scene)
      const approval = (event_photo_approval: 'album' | 'none') =>
        organizer.api.events.saveEvent(evening({ event_id, event_photo_approval }))
      await approval('album')
      await scene.photo()
      const { decision_id } = await organizer.api.gallery.approvePhotos({ event_id, all: true })
      await approval('none')
      return { decision_id: decision_id ?? 0 }
    },
  },
  ...['approvePhotos', 'refusePhotos'].map(
    (operation): Row => ({
      operation,
      outcomes: members('notInEvent', { guest: 'notOrganizer', author: 'notOrganizer' }),
      input: async scene => ({ ...event(scene), event_photo_ids: [(await scene.photo()).event_photo_id] }),
    }),
  ),
  ...['hidePhoto', 'unhidePhoto'].map(
    (operation): Row => ({
      operation,
      outcomes: members('notInEvent', { guest: 'notOrganizer', author: 'notOrganizer' }),
      input: onPhoto,
    }),
  ),
  {
    operation: 'listComments',
    outcomes: members('mayNotReadComments'),
    input: async scene => ({ ...(await scene.photo()), ...paged }),
  },
  {
    operation: 'listReplies',
    outcomes: members('mayNotReadComments'),
    input: async scene => ({ ...(await scene.comment()), ...paged }),
  },
  {
    operation: 'saveComment',
    use: 'add',
    outcomes: members('mayNotComment', { organizer: 201, guest: 201, author: 201 }),
    input: async scene => ({ ...(await scene.photo()), event_photo_comment: 'New' }),
  },
  {
    operation: 'saveComment',
    use: 'reply',
    outcomes: members('mayNotComment', { organizer: 201, guest: 201, author: 201 }),
    input: async scene => {
      const photo = await scene.photo()
      const { event_photo_comment_id } = await scene.comment(photo)
      return { ...photo, event_photo_comment_reply_id: event_photo_comment_id, event_photo_comment: 'Re' }
    },
  },
  {
    operation: 'saveComment',
    use: 'update',
    outcomes: everyone('mayNotComment', { author: 200 }),
    input: async scene => ({ ...(await scene.comment()), event_photo_comment: 'Changed' }),
  },
  {
    operation: 'deleteComment',
    outcomes: members('mayNotReadComments', { guest: 'mayNotDeleteComment' }),
    input: onComment,
  },
  ...['hideComment', 'unhideComment'].map(
    (operation): Row => ({
      operation,
      outcomes: members('mayNotReadComments', { guest: 'notOrganizer', author: 'notOrganizer' }),
      input: onComment,
    }),
  ),
  { operation: 'reactToComment', outcomes: members('mayNotReact'), input: onComment },
  { operation: 'unreactToComment', outcomes: members('mayNotReact'), input: onComment },
  {
    operation: 'listCommentReactions',
    outcomes: members('mayNotReact'),
    input: async scene => ({ comment_reaction_id: (await scene.comment()).event_photo_comment_id, ...paged }),
  },
]

const onMessage = (scene: Scene) => scene.message()
const mine = (refusal: string) => everyone('notInEvent', { author: 200, organizer: 200, guest: refusal })

const noSession = '00000000-0000-4000-8000-000000000000'

const chats: Row[] = [
  { operation: 'listChats', outcomes: { anyone: 200 }, input: () => paged },
  { operation: 'readChat', outcomes: members('notInEvent'), input: chat },
  { operation: 'listMessages', outcomes: members('notInEvent'), input: inChat },
  {
    operation: 'saveMessage',
    use: 'send',
    outcomes: members('notInEvent'),
    input: scene => ({ ...chat(scene), message_content: 'Hello' }),
  },
  {
    operation: 'saveMessage',
    use: 'send with a picture',
    outcomes: members('notInEvent'),
    input: scene => ({ ...chat(scene), message_content: 'Hello', attachments: [scene.picture] }),
  },
  {
    operation: 'saveMessage',
    use: 'update',
    outcomes: everyone('notInEvent', { author: 200, guest: 'message_id', organizer: 'message_id' }),
    input: async scene => ({ ...chat(scene), ...(await scene.message()), message_content: 'Changed' }),
  },
  {
    operation: 'sendVideo',
    // Nothing converts videos here: a session that does not exist is refused last.
    outcomes: members('notInEvent', {
      organizer: 'video_session_id',
      guest: 'video_session_id',
      author: 'video_session_id',
    }),
    input: scene => ({ ...chat(scene), message_content: 'Hello', image: scene.picture, video_session_id: noSession }),
  },
  { operation: 'deleteMessage', outcomes: mine('mayNotDeleteMessage'), input: onMessage },
  ...['hideMessage', 'unhideMessage', 'pinMessage', 'unpinMessage'].map(
    (operation): Row => ({
      operation,
      outcomes: members('notInEvent', { guest: 'notOrganizer', author: 'notOrganizer' }),
      input: onMessage,
    }),
  ),
  ...['endChat', 'reopenChat'].map(
    (operation): Row => ({
      operation,
      outcomes: members('notInEvent', { guest: 'notOrganizer', author: 'notOrganizer' }),
      input: chat,
    }),
  ),
  { operation: 'deleteAttachment', outcomes: mine('mayNotDeleteAttachment'), input: scene => scene.attachment() },
  {
    operation: 'listReactedUsers',
    outcomes: members('notInEvent'),
    input: async scene => ({ ...(await scene.message()), ...paged }),
  },
  {
    operation: 'reactToMessage',
    outcomes: members('notInEvent'),
    input: async scene => ({ ...(await scene.message()), message_reaction: '🎉' }),
  },
  { operation: 'unreactToMessage', outcomes: members('notInEvent'), input: onMessage },
  { operation: 'markSeen', outcomes: members('notInEvent'), input: onMessage },
  {
    operation: 'listSeen',
    outcomes: members('notInEvent'),
    input: async scene => ({ ...(await scene.message()), ...paged }),
  },
  { operation: 'countUnread', outcomes: { anyone: 200 }, input: () => ({}) },
  { operation: 'muteChat', outcomes: members('notInEvent'), input: chat },
  { operation: 'unmuteChat', outcomes: members('notInEvent'), input: chat },
  { operation: 'sayTyping', outcomes: members('notInEvent'), input: chat },
  {
    operation: 'searchMessages',
    outcomes: members('notInEvent'),
    input: scene => ({ ...inChat(scene), text: 'hello' }),
  },
  { operation: 'listAttachments', outcomes: members('notInEvent'), input: inChat },
  { operation: 'addToAlbum', outcomes: members('mayNotAdd'), input: scene => scene.attachment() },
]

const poll = async ({ group_chat_id }: Scene, { author }: Company) => {
  const asked = { group_chat_id, message_content: 'Red or white?', poll_choices: ['Red', 'White'] }
  return { message_id: Number((await author.api.polls.makePoll(asked)).id) }
}

const polls: Row[] = [
  {
    operation: 'makePoll',
    outcomes: members('notInEvent'),
    input: scene => ({ ...chat(scene), message_content: 'When?', poll_choices: ['Now', 'Later'] }),
  },
  {
    operation: 'vote',
    outcomes: members('notInEvent'),
    input: async (scene, company) => ({ ...(await poll(scene, company)), poll_choice_ids: [2] }),
  },
  {
    operation: 'closePoll',
    outcomes: members('notInEvent', { guest: 'mayNotClosePoll' }),
    input: poll,
  },
  {
    operation: 'reopenPoll',
    outcomes: members('notInEvent', { guest: 'mayNotClosePoll' }),
    input: async (scene, company) => {
      const message = await poll(scene, company)
      await company.organizer.api.polls.closePoll(message)
      return message
    },
  },
  {
    operation: 'listVoters',
    outcomes: members('notInEvent'),
    input: async (scene, company) => ({ ...(await poll(scene, company)), poll_choice_id: 1, ...paged }),
  },
]

const wall: Row[] = [
  { operation: 'readWall', outcomes: members('notInEvent'), input: event },
  {
    operation: 'saveWall',
    outcomes: organizers('notOrganizer'),
    input: scene => ({ ...event(scene), wall_layout: 'mosaic' }),
  },
  {
    operation: 'saveWall',
    use: 'show a photo',
    outcomes: organizers('notOrganizer'),
    input: async scene => ({ ...event(scene), shown_photo_id: (await scene.photo()).event_photo_id }),
  },
  {
    operation: 'markForWall',
    outcomes: members('notInEvent', { guest: 'notOrganizer', author: 'notOrganizer' }),
    input: async scene => ({ ...(await scene.photo()), wall_mark: 'chosen' }),
  },
  {
    operation: 'sayShown',
    outcomes: organizers('notOrganizer'),
    input: async scene => ({ ...event(scene), event_photo_ids: [(await scene.photo()).event_photo_id] }),
  },
]

/** The author is invited, and so notified; everybody else only knows the number. */
const ofTheAuthor = async (_: Scene, { organizer, author }: Company) => {
  const { id } = await organizer.api.events.saveEvent({ event_name: 'Another', event_starts_at: starts })
  await organizer.api.events.invite({ event_id: id, user_ids: [author.id] })
  for (;;) {
    const { data } = await author.api.notifications.listNotifications({ ...paged, page_length: 100 })
    const found = data.find(({ event_id }) => event_id === id)
    if (found) return { notification_id: found.id }
  }
}
const ownNotification = everyone('noSuchNotification', { author: 200 })

const transfers: Row[] = [
  { operation: 'makeTransfer', outcomes: { anyone: 200 }, input: () => ({}) },
  { operation: 'openTransfer', outcomes: { nobody: 200 }, input: transferCode },
  {
    operation: 'takeTransfer',
    outcomes: { nobody: 200 },
    input: async (scene, company) => ({ ...(await transferCode(scene, company)), ...device }),
  },
]

const introduced = async (scene: Scene, company: Company) => ({
  ...(await code(scene, company)),
  user_first_name: 'Fabio',
})
let returned = 0
/** A visitor in a new browser claims to be an existing guest. */
const returning = async (scene: Scene, company: Company) => {
  const asking = await introduced(scene, company)
  const visitor = outside.api()
  const { user } = await visitor.links.joinByLink(asking)
  returned += 1
  const return_code = String(returned).padStart(43, '0')
  await visitor.returns.askToReturn({ ...asking, return_code, user_device_platform: 'web' })
  const { data } = await company.organizer.api.returns.listReturns({ ...event(scene), page: 1, page_length: 100 })
  return { return_id: data.at(-1)?.id ?? 0, user_id: user.id }
}

const returns: Row[] = [
  // Everybody here has a password.
  {
    operation: 'makeReturnKey',
    outcomes: everyone('notInEvent', { organizer: 'notGuest', guest: 'notGuest', author: 'notGuest' }),
    input: scene => ({ ...event(scene), return_key: secret }),
  },
  {
    operation: 'returnByKey',
    outcomes: { nobody: 400 },
    input: () => ({ return_key: secret, next_return_key: secret, ...device }),
  },
  { operation: 'keepOwnCode', outcomes: everyone('notGuest'), input: () => ({}) },
  { operation: 'findNamesake', outcomes: { nobody: 200 }, input: introduced },
  {
    operation: 'askToReturn',
    outcomes: { nobody: 200 },
    input: async (scene, company) => ({
      ...(await introduced(scene, company)),
      return_code: secret,
      user_device_platform: 'web',
    }),
  },
  {
    operation: 'claimPerson',
    // Nobody was added.
    outcomes: everyone('notInEvent', { organizer: 'noSuchUser', guest: 'noSuchUser', author: 'noSuchUser' }),
    input: (scene, { stranger }) => ({ ...event(scene), user_id: stranger.id }),
  },
  { operation: 'readReturn', outcomes: { nobody: 400 }, input: () => ({ return_code: 'y'.repeat(43) }) },
  { operation: 'listReturns', outcomes: organizers('notOrganizer'), input: inEvent },
  { operation: 'approveReturn', outcomes: organizers('noSuchReturn'), input: returning },
  { operation: 'rejectReturn', outcomes: organizers('noSuchReturn'), input: returning },
  {
    operation: 'letInAgain',
    // The author has a password.
    outcomes: everyone('notOrganizer', { organizer: 'notLetIn' }),
    input: (scene, { author }) => ({ ...event(scene), user_id: author.id }),
  },
]

const notifications: Row[] = [
  { operation: 'listNotifications', outcomes: { anyone: 200 }, input: () => paged },
  { operation: 'countUnreadNotifications', outcomes: { anyone: 200 }, input: () => ({}) },
  { operation: 'readNotification', outcomes: ownNotification, input: ofTheAuthor },
  { operation: 'readAllNotifications', outcomes: { anyone: 200 }, input: () => ({}) },
  { operation: 'traceNotification', outcomes: ownNotification, input: ofTheAuthor },
  { operation: 'readNotificationSettings', outcomes: { anyone: 200 }, input: () => ({}) },
  { operation: 'saveNotificationSettings', outcomes: { anyone: 200 }, input: () => ({ rings_per_hour: 3 }) },
  { operation: 'readEventLevel', outcomes: members('notInEvent'), input: event },
  {
    operation: 'saveEventLevel',
    outcomes: members('notInEvent'),
    input: scene => ({ ...event(scene), level: 'for_me' }),
  },
  { operation: 'registerDevice', outcomes: { anyone: 200 }, input: () => ({ push_token: 'a token' }) },
  { operation: 'testDevice', outcomes: everyone('noPushAddress'), input: () => ({}) },
  { operation: 'readRealtimeConfig', outcomes: { nobody: 200 }, input: () => ({}) },
  { operation: 'syncRealtime', outcomes: { anyone: 200 }, input: () => ({}) },
]

const privacy: Row[] = [
  { operation: 'exportAccount', outcomes: { anyone: 200 }, input: () => ({}) },
  { operation: 'listExports', outcomes: { anyone: 200 }, input: () => paged },
  { operation: 'readExport', outcomes: everyone('noSuchExport'), input: () => ({ account_export_id: 1_000_000 }) },
  { operation: 'readSeenSettings', outcomes: { anyone: 200 }, input: () => ({}) },
  { operation: 'saveSeenSettings', outcomes: { anyone: 200 }, input: () => ({ seen_shown: true }) },
  { operation: 'deleteAccount', outcomes: everyone('wrongPassword'), input: () => ({ user_password: 'not it' }) },
]

const announcement = async ({ event_id }: Scene, { organizer }: Company) => {
  const announcement_text = 'The bus leaves at five.'
  const { data } = await organizer.api.announcements.listAnnouncements({ event_id, ...paged })
  const { id } = data[0] ?? (await organizer.api.announcements.makeAnnouncement({ event_id, announcement_text }))
  return { announcement_id: id }
}
const announcements: Row[] = [
  {
    operation: 'makeAnnouncement',
    outcomes: organizers('notOrganizer'),
    input: scene => ({ ...event(scene), announcement_text: 'The bus leaves at five.' }),
  },
  { operation: 'listAnnouncements', outcomes: members('notInEvent'), input: inEvent },
  { operation: 'seeAnnouncement', outcomes: members('noSuchAnnouncement'), input: announcement },
  {
    operation: 'withdrawAnnouncement',
    outcomes: everyone('noSuchAnnouncement', { organizer: 200, guest: 'notOrganizer', author: 'notOrganizer' }),
    input: announcement,
    alone: true,
  },
]

/** Every operation with its answer to each member of the cast. */
export const rows: Row[] = [
  ...accounts,
  ...providers,
  ...recovery,
  ...transfers,
  ...returns,
  ...webhooks,
  ...notifications,
  ...events,
  ...announcements,
  ...links,
  ...plans,
  ...polls,
  ...wall,
  ...people,
  ...gallery,
  ...chats,
  ...privacy,
]
