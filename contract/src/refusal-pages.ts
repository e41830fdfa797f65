/** Of each code: what led to it, and what a client does. The pages in docs/refusals/ and the document are made from this. */
import type { GeneralCode, RefusalCode } from './refusal-codes.ts'

export type RefusalPage = { cause: string; client: string }

const reload = 'Take the item off the screen and load the list that named it afresh. Do not try again.'
const offerNot = 'Do not offer the act: `extra.may` of the resource says beforehand whether it is allowed.'
const signIn = 'Drop the token and let the person sign in again. Keep what they wrote.'
const showWords = 'Show the words and keep what was typed.'
const askLater =
  'Keep the request and its Idempotency-Key, wait as long as `Retry-After` says, and send the same again.'

export const refusalPages: Record<RefusalCode | GeneralCode, RefusalPage> = {
  invalid: {
    cause: 'One field or more of the request is missing or wrong. The body maps each field to its sentences.',
    client: 'Show each sentence beside its field. Do not send the same again.',
  },
  unreadable: {
    cause:
      'The request as a whole cannot be read: malformed JSON, a body that is too large or cut off, a malformed URL.',
    client: 'It is a fault of the client: log it. Do not send the same again, unless the connection broke.',
  },
  unauthenticated: {
    cause: 'The bearer token is missing, malformed, expired or revoked. Which of them is not told.',
    client: signIn,
  },
  notFound: {
    cause: 'There is no such path, or the link to a file is wrong, expired or was ended.',
    client: 'Of a path: correct the client. Of a link to a file: load the resource afresh, which gives a new link.',
  },
  wrongMethod: {
    cause: 'The path exists, but not with this method. `Allow` names those that it has.',
    client: 'It is a fault of the client: use a method that `Allow` names.',
  },
  wrongOffset: {
    cause: 'The bytes of a resumable upload do not begin where those on disk end.',
    client: 'Ask by HEAD how many bytes are on disk and go on from there.',
  },
  otherTusVersion: {
    cause: '`Tus-Resumable` is missing or names another version of the protocol than 1.0.0.',
    client: 'It is a fault of the client: send `Tus-Resumable: 1.0.0`.',
  },
  tooLarge: {
    cause: 'A resumable upload is larger than it may be, or brings more bytes than it announced.',
    client: 'Ask `GET api/gallery/upload/limits` before uploading, and tell the person how large a file may be.',
  },
  noSuchRange: {
    cause: 'The range that was asked for lies behind the end of the file.',
    client: 'Drop what was downloaded of it and begin anew without `Range`.',
  },
  unmetExpectation: {
    cause: 'The request has an `Expect` header other than `100-continue`.',
    client: 'It is a fault of the client: leave the header out.',
  },
  otherWriter: {
    cause: 'Another request writes to this resumable upload and does not let go.',
    client: 'Wait a second, ask by HEAD where it stands, and go on from there.',
  },
  tooManyRequests: {
    cause:
      'The budget of this operation is spent: it counts a minute and user, or before sign-in a device and network.',
    client: askLater,
  },
  fault: {
    cause: 'A fault of the service. The log of the operator names it by `X-Request-Id`.',
    client: 'Try again with the same Idempotency-Key, each time after a longer wait; show the request id if it stays.',
  },
  unavailable: {
    cause: 'The database, the storage or the disk cannot serve just now, or a queue is full.',
    client: askLater,
  },

  wrongDetails: {
    cause: 'No such account, a wrong password, a suspended account or an ID token that does not prove the identity.',
    client: 'Show the words and keep the name that was typed. Which of them it was is not told.',
  },
  wrongPassword: { cause: 'The current password is not the one that was given.', client: showWords },
  proveFirst: {
    cause: 'The act takes the account along or away, and this session has not proven of late whose it is.',
    client:
      'Ask for the password and send it to `POST api/account/prove`, or let the person sign in with their provider; then send the same again.',
  },
  badCode: {
    cause: 'The code from a mail is wrong, was used or has expired.',
    client: 'Offer to send another mail.',
  },
  badProviderCode: {
    cause: 'What a provider sent back with the browser was used or has expired.',
    client: 'Begin the sign-in with the provider anew.',
  },
  providerAway: {
    cause: 'The sign-in provider does not answer, so its ID token cannot be checked.',
    client: 'Offer to try again, or another way to sign in.',
  },
  registrationClosed: {
    cause: 'The operator takes no new accounts.',
    client: 'Do not offer registration; signing in still works.',
  },
  invitationNeeded: {
    cause: 'New accounts come by a link of an event: join as a guest, then complete the account.',
    client: 'Say that a link to an event is needed.',
  },
  claimFirst: {
    cause: 'A guest account cannot be linked with a provider before it is a full account.',
    client: 'Lead to `POST api/account/claim`.',
  },
  notGuest: { cause: 'The account is complete already.', client: 'Load the account afresh and stop offering it.' },
  lastLoginOption: {
    cause: 'Without this login option nobody could sign in to the account any more.',
    client: 'Offer to set a password or to link another provider first.',
  },
  otherIdentityLinked: {
    cause: 'The account is linked with another identity of the same provider.',
    client: 'Offer to unlink that one first.',
  },
  noSuchLoginOption: { cause: 'The account has no such login option.', client: reload },
  noSuchDevice: { cause: 'The account has no such device, or it has signed out.', client: reload },
  noPushAddress: {
    cause: 'The device of this session has registered no push subscription or token.',
    client: 'Register one by `POST api/account/device` first.',
  },
  nothingToVerify: {
    cause: 'The account has no e-mail address that waits to be proven.',
    client: 'Load the account afresh and stop offering it.',
  },
  tooManyMails: {
    cause: 'Several mails went to this address within the hour.',
    client: 'Say that the mails may have landed among spam, and offer it again later.',
  },
  noSuchExport: { cause: 'There is no such export, or it has expired.', client: 'Offer to make another one.' },

  noSuchEvent: {
    cause: 'There is no such event, or for operations beyond the documented ones none that the caller may see.',
    client: reload,
  },
  notInEvent: {
    cause: 'The caller is neither guest nor organizer of the event that the item belongs to.',
    client: 'Take everything of the event off the screen and out of caches, and load the list of events afresh.',
  },
  notOrganizer: { cause: 'Only organizers of the event may do it.', client: offerNot },
  noSuchAnnouncement: {
    cause: 'The announcement does not exist, was taken back, or is of an event that the caller is not in.',
    client: 'Load the announcements of the event afresh.',
  },
  tooManyAnnouncements: {
    cause: 'The event has had five announcements within 24 hours: what rings through mutes is rare.',
    client: 'Offer to write it into the chat.',
  },
  lastOrganizer: {
    cause: 'The act would leave the event without an organizer.',
    client: 'Offer to make somebody else an organizer first.',
  },
  organizerStays: {
    cause: 'Organizers cannot be removed from an event.',
    client: 'Offer to make them a guest first.',
  },
  cancelled: { cause: 'The event has been called off.', client: 'Load the event afresh and show that it is off.' },
  alreadyIn: { cause: 'The caller is in the event already.', client: 'Load the event afresh and open it.' },
  invitationOnly: { cause: 'The event is joined by invitation alone.', client: 'Do not offer to ask.' },
  notAsked: {
    cause: 'This person does not wait to join: they never asked, took it back or were answered.',
    client: reload,
  },
  noSuchInvitation: { cause: 'There is no such invitation, or it was answered or taken back.', client: reload },
  unprovenEmail: {
    cause: 'Invitations by mail come from proven addresses only.',
    client: 'Lead to proving the e-mail address.',
  },
  tooManyStrangers: {
    cause: 'Too many of those invited within a day are neither friends nor known from an event.',
    client: 'Offer a link instead. Nobody of this request was invited.',
  },
  noSuchLink: { cause: 'There is no such link, or it was revoked.', client: 'Ask the person to get a new link.' },
  linkExpired: { cause: 'The link is past its time.', client: 'Ask the person to get a new link.' },
  linkUsedUp: { cause: 'As many have joined by the link as it allows.', client: 'Ask the person to get a new link.' },
  linkLocked: {
    cause: 'Somebody typed too many wrong PINs, so nobody gets in by this link.',
    client: 'Ask the person to get a new link from an organizer.',
  },
  wrongPin: { cause: 'The PIN of the link is another one.', client: showWords },
  wasRemoved: {
    cause: 'An organizer took this person out of the event.',
    client: 'Say that only an organizer can let them in again.',
  },

  noSuchUser: { cause: 'There is no such person, or none that the caller may see.', client: reload },
  oneself: { cause: 'It was asked for oneself.', client: 'Do not offer it on one’s own page.' },
  noSuchTarget: { cause: 'What was reported is gone, or the caller may not see it.', client: reload },
  noSuchReport: { cause: 'There is no such report for this organizer.', client: reload },

  mayNotUpload: {
    cause: 'The caller is not in the event, or may not add to its gallery.',
    client: 'Stop the upload and keep the file for the person. Do not try again.',
  },
  tooManyPhotos: {
    cause: 'The caller has as many photos in the gallery as one person may have.',
    client: 'Stop the upload; offer to delete photos first.',
  },
  personFull: {
    cause: 'The files of this person take all the space that the operator gives one.',
    client: 'Offer to delete photos or messages; what is deleted counts until the next night.',
  },
  instanceFull: {
    cause: 'The server has no more space for files.',
    client: 'Keep the file and try again later; the operator has to make room.',
  },
  noSuchUploadSession: {
    cause: 'There is no such resumable upload: it was used, ended or has expired.',
    client: 'Begin another one from the first byte.',
  },
  noSuchPhoto: { cause: 'There is no such photo, or it was deleted.', client: reload },
  notUploader: { cause: 'Only whoever took a photo describes it.', client: offerNot },
  mayNotDeletePhoto: { cause: 'Neither uploader nor organizer.', client: offerNot },
  mayNotRestorePhoto: {
    cause: 'Neither uploader nor organizer, or an organizer had deleted it.',
    client: 'Do not offer it.',
  },
  alreadyInAlbum: {
    cause: 'The picture is in the gallery already.',
    client: 'Treat it as done and load the message or the gallery afresh.',
  },

  noSuchComment: { cause: 'There is no such comment on this photo, or it was deleted.', client: reload },
  noSuchCommentReaction: { cause: 'There is no such comment, so nobody has reacted to it.', client: reload },
  mayNotReadComments: {
    cause: 'The caller is not in the event of the photo.',
    client: 'Take everything of the event off the screen and out of caches, and load the list of events afresh.',
  },
  mayNotReact: { cause: 'The caller is not in the event of the photo.', client: offerNot },
  mayNotComment: { cause: 'The caller is not in the event of the photo.', client: offerNot },
  replyToReply: {
    cause: 'Replies go to comments, not to replies.',
    client: 'Send the id of the comment that the reply stands under.',
  },
  mayNotDeleteComment: { cause: 'Neither author, uploader of the photo nor organizer.', client: offerNot },

  noSuchChat: { cause: 'There is no such group chat.', client: reload },
  notOpen: {
    cause: 'The group chat is read-only or closed.',
    client: 'Load the chat afresh, show that it is read-only, and keep what was typed.',
  },
  noSuchMessage: { cause: 'There is no such message, or it was deleted.', client: reload },
  mayNotDeleteMessage: { cause: 'Neither author nor organizer.', client: offerNot },
  noSuchAttachment: { cause: 'There is no such attachment, or it was deleted.', client: reload },
  mayNotDeleteAttachment: { cause: 'Neither author of the message nor organizer.', client: offerNot },
  mayNotAdd: {
    cause:
      'Neither sender nor organizer, in an event whose guests may not add the pictures of others; or not in the event.',
    client: offerNot,
  },

  noSuchNotification: { cause: 'There is no such notification of this person.', client: reload },

  noSuchWebhook: { cause: 'There is no such webhook, or it is not the caller’s to manage.', client: reload },
  notOperator: { cause: 'Only operators of the service may do it.', client: offerNot },
  tooManyWebhooks: {
    cause: 'The event, or the service, has ten webhooks.',
    client: 'Offer to remove one.',
  },
  webhookOff: {
    cause: 'Its receiver took nothing for a day, or answered 410.',
    client: 'Offer to switch it on again.',
  },
}
