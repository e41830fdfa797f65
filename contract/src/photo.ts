import { z } from 'zod'
import { MinimalUser } from './accounts/user.ts'
import { shownPicture } from './pictures.ts'
import { Count, CountString, IdString, shape, Timestamp, Url } from './words.ts'

/* Fields shared by photos and videos. */

/** Values of `reason` for a video that failed, or that is waiting to be retried (`outside`). */
export const videoReasons = {
  outside: 'The server could not convert the video now; it tries again.',
  'no-picture': 'The file has no moving picture.',
  unsupported: 'The video is of a kind that cannot be converted.',
  'too-many-streams': 'The file has too many tracks.',
  'too-long': 'The video is too long.',
  'too-many-pixels': 'The pictures of the video are too large.',
  damaged: 'The video is damaged.',
  'too-slow': 'The video takes too long to convert.',
  'gave-up': 'The video could not be converted, though it was tried several times.',
}

/** The state of a video. Until it is `ready`, the address of the photo or attachment is its poster image. */
export const VideoState = z.strictObject({
  state: z.enum(['waiting', 'converting', 'ready', 'failed']),
  progress: z.int().min(0).max(100).describe('Progress in percent.'),
  duration_ms: Count.nullable().describe('Duration in milliseconds.'),
  /** The large poster image, shown until the video plays. Taken from the video if the uploaded one shows nothing. */
  poster_url: Url.describe('Large poster image of a video.'),
  /** One of `videoReasons`. */
  reason: z.string().nullable(),
})

const UnchangedFile = z.strictObject({ url: Url, bytes: Count, name: z.string(), type: z.string() })

export const Photo = shape('GalleryPhoto', {
  id: IdString,
  event_id: IdString,
  /** In full size: the exact pixels that were uploaded, without metadata; a JPEG for HEIC and AVIF; the MP4 for a video. */
  event_photo_url: Url.describe('The photo in full size; for a video, the MP4.'),
  /** At most 640 px. Appending `&w=400` gives a smaller one for album tiles; old uploads have none. */
  event_photo_preview_url: Url,
  event_photo_likes_count: CountString,
  event_photo_comments_count: CountString,
  liked: z.boolean(),
  taken_by: MinimalUser,
  created_at: Timestamp,
  updated_at: Timestamp,
  extra: z
    .strictObject({
      width: z.int().positive(),
      height: z.int().positive(),
      thumbhash: z.string(),
      ...shownPicture,
      caption: z.string().nullable().describe('Caption; null if there is none.'),
      alt_text: z
        .string()
        .nullable()
        .describe('Description for people who cannot see the photo; null if there is none.'),
      new_words: z
        .strictObject({
          caption: z.string().nullable().describe('The new caption; null if it has none.'),
          alt_text: z.string().nullable().describe('The new description; null if it has none.'),
          name: z.string().nullable().describe('The uploader’s new name; null if it is the same.'),
        })
        .nullable()
        .describe(
          'Caption and description that wait to be approved, and the uploader’s new name if they have one, for the uploader and those who approve; everybody else sees the approved ones. null if none wait.',
        ),
      video: z.boolean(),
      video_state: VideoState.nullable(),
      taken_at: Timestamp.nullable().describe('When the photo was taken, according to the camera’s clock.'),
      /** Only for the person who took it; null for everyone else. */
      place: z
        .strictObject({ latitude: z.number(), longitude: z.number() })
        .nullable()
        .describe('Where the photo was taken. Present only for the person who took it.'),
      /** The video part of a Live Photo or motion photo, as an MP4 without metadata, once it is converted. */
      motion_url: Url.nullable().describe(
        'The video part of a Live Photo or motion photo, as an MP4; null if there is none, or not yet.',
      ),
      /** The unchanged RAW file that the photo is or came with, for its uploader and organizers; otherwise null. */
      raw: UnchangedFile.nullable(),
      /** The unchanged film that the photo came with, for its uploader and organizers; otherwise null. */
      live: UnchangedFile.nullable(),
      same_as: IdString.nullable().describe('An earlier photo that looks the same; null if there is none.'),
      /** Whether it is hidden from everyone except its author and the organizers. */
      hidden: z.boolean(),
      waiting: z
        .boolean()
        .describe(
          'Whether nobody has approved it yet: it is not for the wall and, where `hidden` says so, not in the album.',
        ),
      off_wall: z.boolean().describe('Refused for the wall: it is in the album, and on no screen.'),
      photographer: z.boolean().describe('Whether it came by the link for the photographer.'),
      sealed: z.boolean().describe('Whether it is hidden until the event’s photos are shown to everybody.'),
      may: z.strictObject({ comment: z.boolean(), update: z.boolean(), delete: z.boolean(), hide: z.boolean() }),
      /** Only in the reply to an upload. */
      upload: z
        .strictObject({
          was_there: z.boolean().describe('Whether the gallery already had a photo with the same bytes, from anyone.'),
          /** Whether the text sent along was used: false if the photo already had some, null if none was sent. */
          caption_taken: z
            .boolean()
            .nullable()
            .describe('Whether the caption of this upload was used; null if none was sent.'),
          alt_text_taken: z
            .boolean()
            .nullable()
            .describe('Whether the alternative text of this upload was used; null if none was sent.'),
        })
        .optional(),
    })
    .optional(),
})
