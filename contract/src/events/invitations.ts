import { z } from 'zod'
import { MinimalUser } from '../accounts/user.ts'
import { cancelled, noSuchEvent, notOrganizer, unlisted } from '../events.ts'
import { emailLengthMax } from '../limits.ts'
import { type RefusalPage, reload } from '../refusal-advice.ts'
import { notFound, route, says } from '../route.ts'
import { Count, Done, Email, Id, IdNumber, maybe, Page, Paging, sentence, shape, Timestamp } from '../words.ts'
import { Event } from './event.ts'

export const Invitation = shape('Invitation', {
  id: IdNumber,
  event: Event,
  invited_by: MinimalUser,
  created_at: Timestamp,
  updated_at: Timestamp,
})

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  noSuchInvitation: { cause: 'The invitation does not exist, or was answered or withdrawn.', client: reload },
  unprovenEmail: {
    cause: 'Only users with a verified e-mail address may send invitations by e-mail.',
    client: 'Direct the user to e-mail verification.',
  },
  tooManyStrangers: {
    cause: 'Too many of the people invited within a day are neither friends nor known from an event.',
    client: 'Offer a link instead. None of the people in this request was invited.',
  },
} satisfies Record<string, RefusalPage>

export const invite = route('invite', 'POST api/event/invite', {
  opens: ['invitation to another event'],
  summary:
    'Invites people, and admits those who had already asked to join. Users the caller may not find are treated as nonexistent. People who are already in the event, already invited or blocked by the caller are skipped; invited_count counts the others. People who are neither friends of the caller nor have ever shared an event with the caller are limited to 20 invitations a day. Each address in user_emails receives an e-mail with its own single-use link, valid for 30 days, whether or not it has an account. Sending these requires a verified e-mail address and is limited further on an account’s first day.',
  idempotent: true,
  input: z
    .object({
      event_id: Id,
      user_ids: maybe(
        z.array(Id, sentence.array).min(1, sentence.required).max(100, sentence.countAtMost(100)),
      ).describe('User IDs.'),
      user_emails: maybe(
        z.array(Email(emailLengthMax), sentence.array).min(1, sentence.required).max(20, sentence.countAtMost(20)),
      ),
    })
    .refine(asked => asked.user_ids !== undefined || asked.user_emails !== undefined, {
      path: ['user_ids'],
      error: sentence.required,
    }),
  reply: shape('Invited', { invited_count: Count }),
  refusals: {
    noSuchEvent,
    notOrganizer,
    cancelled,
    unlisted,
    tooManyStrangers: says(
      'Too many of these people are neither friends nor known from an event, so nobody was invited. Share a link instead, or go on tomorrow.',
    ),
    unprovenEmail: says('Please confirm your e-mail address before you invite by mail.'),
  },
})

export const listInvitations = route('listInvitations', 'GET api/event/invites', {
  summary: "Lists the viewer's pending invitations, newest first.",
  extra: true,
  input: z.object(Paging),
  reply: Page(Invitation),
  refusals: {},
})

const noSuchInvitation = notFound('Invitation not found!')

export const acceptInvitation = route('acceptInvitation', 'PUT api/event/invite/accept/{invitation_id}', {
  summary: 'Accepts an invitation and makes the viewer a guest. Accepting again has no effect.',
  extra: true,
  input: z.object({ invitation_id: Id }),
  reply: Event,
  refusals: { noSuchInvitation, cancelled },
})

export const declineInvitation = route('declineInvitation', 'PUT api/event/invite/decline/{invitation_id}', {
  summary: 'Declines an invitation. Declining again has no effect.',
  input: z.object({ invitation_id: Id }),
  reply: Done,
  refusals: { noSuchInvitation },
})
