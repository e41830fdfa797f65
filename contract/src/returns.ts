/** How guests without a password come back as themselves. */
import { z } from 'zod'
import { deviceFields, PersonName, ProviderSecret } from './accounts/account-fields.ts'
import { letInLately } from './accounts/passwords.ts'
import { AuthenticatedAccount, MinimalUser } from './accounts/user.ts'
import { LinkCode, LinkPin } from './links/link-fields.ts'
import { joiningByLink } from './links/opened-links.ts'
import { badCode } from './recovery.ts'
import { type RefusalPage, reload, showWords } from './refusal-advice.ts'
import { notFound, route, says } from './route.ts'
import { AccountTransfer } from './transfers.ts'
import { Done, Flag, Id, IdNumber, maybe, Page, Paging, shape, Timestamp, Url } from './words.ts'

const noSuchEvent = notFound('Event not found!')
const noSuchUser = notFound('User not found!')
const notInEvent = says('The user is neither a guest nor an organizer of the event')
const notGuest = says('The account is not a guest account')

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  notLetIn: {
    cause:
      'The guest has a password, organizes an event, or is also in an event that the caller does not organize: letting somebody in as them would open that one, too.',
    client: showWords,
  },
  noSuchReturn: {
    cause: 'The request does not exist, has expired, or is of an event to which the caller does not invite.',
    client: reload,
  },
  returnAnswered: { cause: 'Another organizer was faster.', client: reload },
  claimed: {
    cause: 'An organizer has let somebody else in as this person within the last days.',
    client: 'Reload the list. If they have lost their way back, offer to let them in again by a link.',
  },
  ownReturn: {
    cause:
      'The request was made on a device where the caller is signed in: nobody lets themselves in as somebody else.',
    client: showWords,
  },
} satisfies Record<string, RefusalPage>

const ReturnCode = ProviderSecret.describe('The secret that this device chose: 32 random bytes as base64url.')
const ReturnId = Id.describe('ID of the request to be let in again.')
const ReturnKey = ProviderSecret.describe(
  'The secret that this device keeps to come back by: 32 random bytes as base64url.',
)

export const makeReturnKey = route('makeReturnKey', 'POST api/user/return/key', {
  opens: ['return key'],
  summary:
    'Keeps a key with which a guest account signs in again on this device once its session has ended by itself. The client chooses it: 32 random bytes. Each device has one; it ends when the device signs out or is signed out, when an organizer removes the guest from this event, and when the account is claimed, suspended or erased.',
  perMinute: 30,
  input: z.object({ event_id: Id, return_key: ReturnKey }),
  reply: Done,
  refusals: { noSuchEvent, notInEvent, notGuest },
})

export const returnByKey = route('returnByKey', 'POST api/user/return', {
  opens: ['session'],
  summary:
    'Signs this device in by the key that it kept. The key is replaced by the next one, which the client chooses and stores before it asks: if the reply is lost, both are sent again.',
  open: true,
  perMinute: 30,
  input: z.object({
    return_key: ReturnKey,
    next_return_key: ReturnKey.describe('The secret that replaces it.'),
    ...deviceFields,
  }),
  reply: AuthenticatedAccount,
  refusals: { badCode },
})

const notOrganizer = says('The user is not an organizer of the event')
const notLetIn = says(
  'Only guests without a password who are in no event of other organizers can be let in again this way',
)

export const OwnCode = shape('OwnCode', {
  code_text: z.string().describe('Twenty letters and digits, in groups: it can be written down and typed.'),
  code_url: Url.describe('Link to open on another device.'),
  code_qr: Url.describe('The link as a QR code: an SVG in a data URL.'),
})

export const keepOwnCode = route('keepOwnCode', 'POST api/account/code', {
  opens: ['own code'],
  summary:
    'Returns the code with which a guest account signs in on any device, as often as its owner likes, until it has a password. With `renew`, another one replaces it. It ends when the guest signs out another device or everywhere, and when somebody is let in as this guest.',
  perMinute: 30,
  input: z.object({ renew: maybe(Flag).describe('Whether another code replaces the one before.') }),
  reply: OwnCode,
  refusals: { notGuest, letInLately },
})

/** Input of people who could join by a link. */
const introduction = {
  code: LinkCode.describe('Code of the invitation link.'),
  pin: maybe(LinkPin),
  user_first_name: PersonName,
  user_last_name: maybe(PersonName).describe('Last name, if it is given.'),
  device_id: maybe(deviceFields.device_id),
}

export const findNamesake = route('findNamesake', 'POST api/event/link/namesake/{code}', {
  summary:
    'Returns whether a guest without a password goes by this name, so that a returning guest does not join as somebody new. Only somebody who could join by the link is told, and from one network so often only.',
  open: true,
  crowd: true,
  perMinute: 300,
  input: z.object(introduction),
  reply: shape('Namesake', { namesake: z.boolean().describe('Whether a guest without a password goes by this name.') }),
  refusals: joiningByLink,
})

const AskedReturn = shape('AskedReturn', {
  return_status: z.enum(['asked', 'let_in', 'refused']).describe('Whether an organizer has answered, and how.'),
  return_expires_at: Timestamp.describe('Until when it can be answered and used.'),
})

export const askToReturn = route('askToReturn', 'POST api/event/link/return/{code}', {
  summary:
    'Asks the organizers to let the caller in again as the guest of this name. The client chooses the code, 32 random bytes, and stores it before it asks; asking again with it has no effect. Once an organizer has let them in, it signs in, like a transfer code. The answer is the same whether or not there is such a guest.',
  open: true,
  crowd: true,
  perMinute: 30,
  input: z.object({
    ...introduction,
    user_device_platform: deviceFields.user_device_platform,
    return_code: ReturnCode,
  }),
  reply: AskedReturn,
  refusals: { ...joiningByLink, badCode },
})

export const claimPerson = route('claimPerson', 'PUT api/event/person/{event_id}/{user_id}', {
  summary:
    'Tells the organizers that the caller, who is in the event, is a person of the same name whom they added. Once one of them agrees, the caller has that person’s place and answer. Asking again has no effect.',
  perMinute: 30,
  input: z.object({ event_id: Id, user_id: Id }),
  reply: Done,
  refusals: { noSuchEvent, notInEvent, noSuchUser },
})

export const readReturn = route('readReturn', 'POST api/event/link/return', {
  summary: 'Returns whether an organizer has answered. Ask every few seconds while somebody waits.',
  open: true,
  crowd: true,
  perMinute: 60,
  input: z.object({ return_code: ReturnCode }),
  reply: AskedReturn,
  refusals: { badCode },
})

export const ReturnRequest = shape('ReturnRequest', {
  id: IdNumber,
  asked_by: MinimalUser.nullable().describe(
    'Who asks, if they are in the event: they would be the person whom an organizer added.',
  ),
  /** As they introduced themselves. */
  user_first_name: z.string(),
  user_last_name: z.string(),
  user_device_platform: z.string(),
  created_at: Timestamp,
  candidates: z
    .array(
      z.strictObject({
        user: MinimalUser,
        joined_at: Timestamp.describe('When they joined.'),
        last_used_at: Timestamp.nullable().describe(
          'When they were last here; null if none of their devices is signed in any more.',
        ),
      }),
    )
    .describe('The guests without a password whom they could be, at most the twenty who have been there longest.'),
})

export const listReturns = route('listReturns', 'GET api/event/returns/{event_id}', {
  summary: 'Lists who asks to be let in again, oldest first. Organizers only.',
  input: z.object({ event_id: Id, ...Paging }),
  reply: Page(ReturnRequest),
  refusals: { noSuchEvent, notOrganizer },
})

const noSuchReturn = notFound('Request not found!')
const returnAnswered = says('Somebody has answered this request already')
const ownReturn = says(
  'This request comes from a device on which you are signed in. Another organizer has to answer it.',
)

export const approveReturn = route('approveReturn', 'PUT api/event/returns/approve/{return_id}/{user_id}', {
  opens: ['code that lets in'],
  summary:
    'Approves a request to return as this guest, and notifies the guest’s other devices. If the person who asked is already in the event, they get the place and the answer of the person whom an organizer added. Organizers only; it is logged. Repeating it has no effect.',
  input: z.object({ return_id: ReturnId, user_id: Id }),
  reply: Done,
  refusals: {
    noSuchReturn,
    noSuchUser,
    returnAnswered,
    ownReturn,
    notLetIn,
    claimed: says('Somebody else has come as this person already'),
  },
  takes: { back: 'disownLetIns', tells: 'whenUsed', audits: 'guest.let_in' },
})

export const rejectReturn = route('rejectReturn', 'PUT api/event/returns/reject/{return_id}', {
  summary: 'Refuses a request to come back. Organizers only. Repeating it has no effect.',
  input: z.object({ return_id: ReturnId }),
  reply: Done,
  refusals: { noSuchReturn, returnAnswered },
})

export const letInAgain = route('letInAgain', 'POST api/event/guest/code', {
  opens: ['code that lets in'],
  summary:
    'Creates a link that lets a guest in again who has no password and has lost their way back, once within 24 hours. Organizers only; it is logged, and the guest is told on their other devices when it is used. It ends when they are removed, and the session that it opens when the caller could not let them in any more: when the caller is no organizer any more, or the guest is in an event that the caller does not organize.',
  perMinute: 30,
  input: z.object({ event_id: Id, user_id: Id }),
  reply: AccountTransfer,
  refusals: { noSuchEvent, notOrganizer, noSuchUser, notLetIn },
  takes: { back: 'disownLetIns', tells: 'whenUsed', audits: 'guest.let_in' },
})
