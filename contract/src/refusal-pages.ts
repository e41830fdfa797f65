/** For each refusal code, its cause and what a client should do. The pages in docs/refusals/ and the API document are generated from this. */
import type { GeneralCode, RefusalCode } from './refusal-codes.ts'

export type RefusalPage = { cause: string; client: string }

const reload = 'Remove the item from the screen and reload the list it came from. Do not retry.'
const offerNot = 'Do not offer the action: `extra.may` on the resource says in advance whether it is allowed.'
const signIn = 'Discard the token and ask the user to sign in again. Keep anything they have typed.'
const showWords = 'Show the message and keep what was typed.'
const askLater =
  'Keep the request and its Idempotency-Key, wait as long as `Retry-After` says, then send it again unchanged.'

export const refusalPages: Record<RefusalCode | GeneralCode, RefusalPage> = {
  invalid: {
    cause: 'One or more fields of the request are missing or invalid. The body maps each field to its error messages.',
    client: 'Show each message next to its field. Do not retry unchanged.',
  },
  unreadable: {
    cause: 'The request cannot be parsed: malformed JSON, a malformed URL, or a body that is too large or truncated.',
    client: 'This is a bug in the client: log it. Do not retry unless the connection broke.',
  },
  unauthenticated: {
    cause: 'The bearer token is missing, malformed, expired or revoked. The service does not say which.',
    client: signIn,
  },
  notFound: {
    cause: 'The path does not exist, or the link to a file is wrong, expired or revoked.',
    client: 'For a path, fix the client. For a link to a file, reload the resource to get a new link.',
  },
  wrongMethod: {
    cause: 'The path exists but does not support this method. `Allow` lists the methods it supports.',
    client: 'This is a bug in the client: use a method listed in `Allow`.',
  },
  wrongOffset: {
    cause: 'The request does not continue the resumable upload at the offset the server has reached.',
    client: 'Send HEAD to get the current offset and continue from there.',
  },
  otherTusVersion: {
    cause: '`Tus-Resumable` is missing or names a protocol version other than 1.0.0.',
    client: 'This is a bug in the client: send `Tus-Resumable: 1.0.0`.',
  },
  tooLarge: {
    cause: 'A resumable upload exceeds the size limit, or contains more bytes than it declared.',
    client: 'Call `GET api/gallery/upload/limits` before uploading, and tell the user the maximum size.',
  },
  noSuchRange: {
    cause: 'The requested range lies beyond the end of the file.',
    client: 'Discard the partial download and start over without `Range`.',
  },
  unmetExpectation: {
    cause: 'The request has an `Expect` header other than `100-continue`.',
    client: 'This is a bug in the client: omit the header.',
  },
  otherWriter: {
    cause: 'Another request is writing to this resumable upload and has not finished.',
    client: 'Wait a second, send HEAD to get the current offset, and continue from there.',
  },
  tooManyRequests: {
    cause:
      'The rate limit of this operation is used up. It counts per minute and user; before sign-in, per device and network.',
    client: askLater,
  },
  fault: {
    cause: 'An internal error. The operator can find it in the log by its `X-Request-Id`.',
    client: 'Retry with the same Idempotency-Key, waiting longer each time. If it persists, show the request ID.',
  },
  unavailable: {
    cause: 'The database, the storage or the disk is temporarily unavailable, or a queue is full.',
    client: askLater,
  },

  wrongDetails: {
    cause:
      'The account does not exist or is suspended, the password is wrong, or the ID token does not prove the identity.',
    client: 'Show the message and keep the login that was typed. The service does not say which detail was wrong.',
  },
  wrongPassword: { cause: 'The current password is wrong.', client: showWords },
  proveFirst: {
    cause: 'The action could hand over or delete the account, and this session has not re-authenticated recently.',
    client:
      'Ask for the password and send it to `POST api/account/prove`, or let the user sign in with their provider. Then send the request again.',
  },
  badCode: {
    cause: 'The code from an e-mail is wrong, expired or already used.',
    client: 'Offer to send another e-mail.',
  },
  badProviderCode: {
    cause: 'The code that the browser brought back from the provider is expired or already used.',
    client: 'Restart the sign-in with the provider.',
  },
  providerAway: {
    cause: 'The sign-in provider does not respond, so its ID token cannot be checked.',
    client: 'Offer to try again or to sign in another way.',
  },
  registrationClosed: {
    cause: 'The operator does not accept new accounts.',
    client: 'Do not offer registration. Existing users can still sign in.',
  },
  invitationNeeded: {
    cause: 'New accounts require a link to an event: join as a guest, then complete the account.',
    client: 'Explain that a link to an event is needed.',
  },
  claimFirst: {
    cause: 'A guest account must become a full account before it can be linked to a provider.',
    client: 'Direct the user to `POST api/account/claim`.',
  },
  notGuest: { cause: 'The account is already a full account.', client: 'Reload the account and stop offering this.' },
  lastLoginOption: {
    cause: 'This is the only way left to sign in to the account.',
    client: 'Offer to set a password or link another provider first.',
  },
  otherIdentityLinked: {
    cause: 'The account is already linked to a different identity from this provider.',
    client: 'Offer to unlink that identity first.',
  },
  noSuchLoginOption: { cause: 'The account has no such login option.', client: reload },
  noSuchDevice: { cause: 'The account has no such device, or the device has signed out.', client: reload },
  noPushAddress: {
    cause: 'The device of this session has not registered a push subscription or token.',
    client: 'Register one with `POST api/account/device` first.',
  },
  nothingToVerify: {
    cause: 'The account has no unverified e-mail address.',
    client: 'Reload the account and stop offering this.',
  },
  tooManyMails: {
    cause: 'Several e-mails have been sent to this address within the last hour.',
    client: 'Suggest checking the spam folder, and offer it again later.',
  },
  noSuchExport: { cause: 'The export does not exist or has expired.', client: 'Offer to create another one.' },

  noSuchEvent: {
    cause:
      'The event does not exist. Operations beyond the documented interface also say so if the caller may not see it.',
    client: reload,
  },
  notInEvent: {
    cause: 'The caller is neither a guest nor an organizer of the event.',
    client: 'Remove everything about the event from the screen and from caches, and reload the list of events.',
  },
  notOrganizer: { cause: 'Only organizers of the event may do this.', client: offerNot },
  noSuchAnnouncement: {
    cause: 'The announcement does not exist, was withdrawn, or belongs to an event that the caller is not in.',
    client: 'Reload the announcements of the event.',
  },
  tooManyAnnouncements: {
    cause: 'The event has had five announcements within 24 hours. They are limited because they ring even when muted.',
    client: 'Offer to post it in the chat instead.',
  },
  notOwner: {
    cause: 'Only the owner of the event may do this; other organizers may not.',
    client: 'Offer it only if `may.own` in the event’s `extra` is true.',
  },
  unlisted: {
    cause:
      'The operator took the event out of the lists, or nobody takes care of it because its owner is suspended. Nobody new can come in.',
    client: 'Do not offer to invite. The event’s `may.invite` says when it is possible again.',
  },
  ownerStays: {
    cause: 'The owner of an event neither leaves it nor becomes a guest, while they own it.',
    client: 'Offer to hand the event over.',
  },
  notOffered: {
    cause: 'The owner has not offered the event to this person, or no longer does.',
    client: 'Reload the event: `offered_to` in its `extra` says whether there is an offer.',
  },
  lastOrganizer: {
    cause: 'The action would leave the event without an organizer.',
    client: 'Offer to make someone else an organizer first.',
  },
  organizerStays: {
    cause: 'Organizers cannot be removed from an event.',
    client: 'Offer to make them a guest first.',
  },
  cancelled: { cause: 'The event has been cancelled.', client: 'Reload the event and show that it is cancelled.' },
  alreadyIn: { cause: 'The caller is already in the event.', client: 'Reload the event and open it.' },
  invitationOnly: { cause: 'The event can only be joined by invitation.', client: 'Do not offer to ask.' },
  notAsked: {
    cause: 'This person has no pending join request: they never asked, withdrew it, or were answered.',
    client: reload,
  },
  noSuchInvitation: { cause: 'The invitation does not exist, or was answered or withdrawn.', client: reload },
  unprovenEmail: {
    cause: 'Only users with a verified e-mail address may send invitations by e-mail.',
    client: 'Direct the user to e-mail verification.',
  },
  tooManyStrangers: {
    cause: 'Too many of the people invited within a day are neither friends nor known from an event.',
    client: 'Offer a link instead. None of the people in this request was invited.',
  },
  noSuchLink: { cause: 'The link does not exist or was revoked.', client: 'Suggest asking for a new link.' },
  linkExpired: { cause: 'The link has expired.', client: 'Suggest asking for a new link.' },
  linkUsedUp: { cause: 'The link has reached its maximum number of uses.', client: 'Suggest asking for a new link.' },
  linkLocked: {
    cause: 'Too many wrong PINs were entered, so the link no longer lets anyone in.',
    client: 'Suggest asking an organizer for a new link.',
  },
  wrongPin: { cause: 'The PIN is wrong.', client: showWords },
  wasRemoved: {
    cause: 'An organizer removed this person from the event.',
    client: 'Explain that only an organizer can let them in again.',
  },

  noSuchUser: { cause: 'The user does not exist, or the caller may not see them.', client: reload },
  oneself: { cause: 'The action cannot be applied to oneself.', client: 'Do not offer it on the user’s own profile.' },
  noSuchTarget: { cause: 'The reported item is gone, or the caller may not see it.', client: reload },
  noSuchReport: { cause: 'The report does not exist, or this organizer may not see it.', client: reload },

  mayNotUpload: {
    cause: 'The caller is not in the event, or may not add to its gallery.',
    client: 'Stop the upload and keep the file for the user. Do not retry.',
  },
  tooManyPhotos: {
    cause: 'The caller has reached the maximum number of photos per person in this gallery.',
    client: 'Stop the upload and offer to delete photos first.',
  },
  personFull: {
    cause: 'The user’s files have reached the storage limit per user.',
    client: 'Offer to delete photos or messages. Deleted items count until the following night.',
  },
  instanceFull: {
    cause: 'The server has no space left for files.',
    client: 'Keep the file and retry later; the operator has to free up space.',
  },
  noSuchUploadSession: {
    cause: 'The resumable upload does not exist: it was completed, cancelled or has expired.',
    client: 'Start a new one from the first byte.',
  },
  noSuchPhoto: { cause: 'The photo does not exist or was deleted.', client: reload },
  notUploader: { cause: 'Only the person who added a photo may describe it.', client: offerNot },
  mayNotDeletePhoto: { cause: 'The caller is neither the uploader nor an organizer.', client: offerNot },
  mayNotRestorePhoto: {
    cause: 'The caller is neither the uploader nor an organizer, or an organizer deleted the photo.',
    client: 'Do not offer it.',
  },
  alreadyInAlbum: {
    cause: 'The picture is already in the gallery.',
    client: 'Treat it as done and reload the message or the gallery.',
  },

  noSuchComment: { cause: 'The comment does not exist on this photo or was deleted.', client: reload },
  noSuchCommentReaction: { cause: 'The comment does not exist, so it has no reactions.', client: reload },
  mayNotReadComments: {
    cause: 'The caller is not in the event of the photo.',
    client: 'Remove everything about the event from the screen and from caches, and reload the list of events.',
  },
  mayNotReact: { cause: 'The caller is not in the event of the photo.', client: offerNot },
  mayNotComment: { cause: 'The caller is not in the event of the photo.', client: offerNot },
  replyToReply: {
    cause: 'Replies can only be made to comments, not to other replies.',
    client: 'Send the ID of the comment that the reply belongs to.',
  },
  mayNotDeleteComment: {
    cause: 'The caller is neither the author, the uploader of the photo nor an organizer.',
    client: offerNot,
  },

  noSuchChat: { cause: 'The group chat does not exist.', client: reload },
  notOpen: {
    cause: 'The group chat is read-only or closed.',
    client: 'Reload the chat, show that it is read-only, and keep what was typed.',
  },
  noSuchMessage: { cause: 'The message does not exist or was deleted.', client: reload },
  mayNotDeleteMessage: { cause: 'The caller is neither the author nor an organizer.', client: offerNot },
  noSuchAttachment: { cause: 'The attachment does not exist or was deleted.', client: reload },
  mayNotDeleteAttachment: {
    cause: 'The caller is neither the author of the message nor an organizer.',
    client: offerNot,
  },
  mayNotAdd: {
    cause:
      'The caller is not in the event, or is neither the sender nor an organizer of an event whose guests may not add other people’s pictures.',
    client: offerNot,
  },

  noSuchNotification: { cause: 'The user has no such notification.', client: reload },

  noSuchWebhook: { cause: 'The webhook does not exist, or the caller may not manage it.', client: reload },
  notOperator: { cause: 'Only operators of the service may do this.', client: offerNot },
  tooManyWebhooks: {
    cause: 'The event, or the service, already has ten webhooks.',
    client: 'Offer to remove one.',
  },
  webhookOff: {
    cause: 'The receiver accepted nothing for a day, or answered 410.',
    client: 'Offer to switch the webhook on again.',
  },
}

/** All of them on one page, as the service itself shows it. */
export const pageOfRefusals = (): string =>
  [
    '# Refusals\n\nCompare codes (`X-Refusal`), never messages: messages are for people. A client that does not know a code goes by the status.',
    ...Object.entries(refusalPages)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([code, { cause, client }]) => `## ${code}\n\n${cause}\n\n**What a client should do.** ${client}`),
  ].join('\n\n')
