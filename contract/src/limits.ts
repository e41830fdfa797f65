/** Plain numbers of the interface, for forms and documents that must not pull in a schema library. */

export const pageLengthMax = 100
export const idMax = Number.MAX_SAFE_INTEGER

export const personNameLengthMax = 100
export const usernameLengthMin = 3
export const usernameLengthMax = 64
export const emailLengthMax = 254
export const passwordLengthMin = 8
export const passwordLengthMax = 128
export const platformLengthMax = 32
export const deviceIdLengthMax = 255

export const eventNameLengthMax = 100
export const eventDescriptionLengthMax = 5000
export const eventLocationLengthMax = 255

/** Who is neither a friend nor was ever in an event with the inviter. */
export const strangersInvitedPerDay = 20

export const announcementLengthMax = 500
export const announcementsPerDay = 5

export const linkPinLengthMin = 4
export const linkPinLengthMax = 12
export const linkUsesMax = 100_000

export const messageLengthMax = 10_000
export const messageAttachmentsMax = 10
export const reactionBytesMax = 64
export const seensShownMax = 100

export const commentLengthMax = 2000
export const captionLengthMax = 2000
export const altTextLengthMax = 1000
export const uploadsCheckedMax = 200
/** What an organizer may allow. */
export const photosAllowedMax = 100_000
/** Of a selection that is taken home as a zip. */
export const photosChosenMax = 5000
export const searchLengthMax = 100
export const reportLengthMax = 2000

export const fileNameLengthMax = 255
/** A session of a resumable upload ends when no byte came for so long. */
export const uploadSessionHours = 24

/** Of an event, and of the service itself. */
export const webhooksMax = 10
/** A try that fails is made again, ever later, until the first was so long ago. */
export const webhookRetriedHours = 24
/** So long the secret before signs as well. */
export const webhookSecretsOverlapHours = 24

export const idempotencyKeyLengthMax = 255
/** Of a key that proves who repeats. */
export const secretKeyLengthMin = 32
