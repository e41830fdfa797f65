/** The interface's limits as plain numbers, for forms and documents that must not depend on a schema library. */

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

/** An event whose end is open, where something needs its length. */
export const openEndHours = 3
export const eventNameLengthMax = 100
export const eventDescriptionLengthMax = 5000
export const eventLocationLengthMax = 255

/** For people who are neither friends of the inviter nor have ever shared an event with them. */
export const strangersInvitedPerDay = 20

/** Photos of the album that an announcement shows. */
export const announcementPhotosMax = 3
export const announcementLengthMax = 500
export const announcementsPerDay = 5

export const linkPinLengthMin = 4
export const linkPinLengthMax = 12
export const linkUsesMax = 100_000
/** Devices on which a link is open at the same time, if it makes nobody a guest. */
export const viewersPerLinkMax = 5_000
/** Per network and day, so that one network cannot use up all views. */
export const viewersPerNetworkMax = 2_500
export const screensPerLinkMax = 20
/** Photos that one person may add by a photographer's link. */
export const photographerPhotosMax = 5_000

export const messageLengthMax = 10_000
export const messageAttachmentsMax = 10
export const reactionBytesMax = 64
export const seensShownMax = 100

export const commentLengthMax = 2000
export const captionLengthMax = 2000
export const altTextLengthMax = 1000
export const uploadsCheckedMax = 200
/** The highest limit an organizer may set. */
export const photosAllowedMax = 100_000
/** For a selection to download as a zip, or to decide about. */
export const photosChosenMax = 5000
export const searchLengthMax = 100
export const reportLengthMax = 2000

export const fileNameLengthMax = 255
/** A resumable upload expires after this many hours without a byte; one that none has come of, after an hour. */
export const uploadSessionHours = 24

/** For each event, and for the service itself. */
export const webhooksMax = 10
/** A failed delivery is retried with growing delays until this long after the first attempt. */
export const webhookRetriedHours = 24
/** For this long, the previous secret is used to sign as well. */
export const webhookSecretsOverlapHours = 24

export const idempotencyKeyLengthMax = 255
/** For keys that authenticate a repeated request. */
export const secretKeyLengthMin = 32

export const programmeEntriesMax = 50
/** Strangers see the start of the programme and a few of the people who come. */
export const programmeOpenedMax = 3
export const guestsNamedMax = 5
export const programmeTitleLengthMax = 200
export const programmePlaceLengthMax = 255
/** How far from the beginning of its event something of its programme may be. */
export const programmeDaysMax = 31
/** How long before the beginning of their event photos may be shown: a year more is a slip of the pen. */
export const revealDaysBeforeMax = 180
/** An event that began before is a mistake. */
export const eventYearMin = 1900

/** How long the wall shows something. */
export const wallSecondsMin = 3
export const wallSecondsMax = 120
/** Photos that organizers have chosen for the wall of an event, or hidden from it. */
export const wallPhotosMax = 1000
/** How many photos a screen can show at once. */
export const wallShownMax = 30

export const pollChoicesMin = 2
export const pollChoicesMax = 12
export const pollChoiceLengthMax = 200

/** How many others somebody may bring. */
export const plusOnesMax = 20
export const plusNamesLengthMax = 500
export const answerNoteLengthMax = 500
export const moveReasonLengthMax = 200
export const placesMax = 100_000
