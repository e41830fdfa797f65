import { z } from 'zod'
import { MinimalUser, SeenUser } from '../accounts/user.ts'
import { Card } from '../cards.ts'
import { VideoState } from '../photo.ts'
import { shownPicture } from '../pictures.ts'
import { CountString, IdNumber, IdString, shape, Timestamp, Url } from '../words.ts'

/** The maximum number of different emoji on one message. */
export const messageEmojiMax = 100

const replied = {
  id: IdString,
  group_chat_id: IdString,
  message_content: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
}
export const RepliedMessage = shape('RepliedMessage', { ...replied, user: MinimalUser })
export const RepliedMessageInChat = shape('RepliedMessageInChat', { ...replied, user: SeenUser })

const reacted = {
  id: IdString,
  message_id: IdString,
  message_reaction_count: CountString.describe('How many people chose it, as a string.'),
  created_at: Timestamp,
  updated_at: Timestamp,
}
export const MessageReaction = shape('MessageReaction', { ...reacted, message_reaction: z.string() })
export const MessageReactionInChat = shape('MessageReactionInChat', reacted)

export const Attachment = shape('MessageAttachment', {
  id: IdNumber,
  message_attachment_url: Url.describe('The picture in full size; of a video its still.'),
  message_attachment_added_to_album: z.boolean().describe('Whether the picture or video is in the gallery.'),
  user: MinimalUser,
  created_at: Timestamp,
  updated_at: Timestamp,
  extra: z
    .strictObject({
      width: z.int().positive(),
      height: z.int().positive(),
      thumbhash: z.string(),
      ...shownPicture,
      preview_url: Url.describe('Preview of at most 640 × 640 px.'),
      video: z.boolean().describe('Whether it is a video.'),
      video_url: Url.nullable().describe('Of a video its MP4, once that is ready; null for a picture.'),
      video_state: VideoState.nullable().describe('State of the video conversion; null for a picture.'),
      message_id: IdNumber,
      may: z.strictObject({ add_to_album: z.boolean(), delete: z.boolean() }),
    })
    .optional(),
})

export const Message = shape('Message', {
  id: IdString,
  group_chat_id: IdString,
  message_content: z.string(),
  user: MinimalUser,
  replied_to: RepliedMessage.nullable(),
  seens: z.array(z.strictObject({ user: SeenUser })),
  reactions: z.array(MessageReaction),
  attachments: z.array(Attachment),
  created_at: Timestamp,
  updated_at: Timestamp,
  extra: z
    .strictObject({
      sequence: z.int().positive().describe('Position of the message in the chat: 1, 2, 3 … without gaps.'),
      deleted: z.boolean(),
      edited: z.boolean(),
      my_reactions: z.array(z.string()).describe('The viewer’s emoji.'),
      /** Only its author and the organizers see its content; for everyone else it is empty. */
      hidden: z.boolean(),
      /** The viewer blocks its author and is not an organizer: clients should collapse it and not count it as unread. */
      blocked: z.boolean(),
      quote_blocked: z
        .boolean()
        .describe(
          'Whether the viewer blocks the author of the quoted message, so that clients should collapse the quote. Always false for organizers.',
        ),
      may: z.strictObject({ update: z.boolean(), delete: z.boolean(), react: z.boolean(), hide: z.boolean() }),
      card: Card.optional().describe('What hangs on the message, by its kind. Missing on most.'),
    })
    .optional(),
})

export const LatestMessage = shape('LatestMessage', {
  id: IdString,
  group_chat_id: IdString,
  message_content: z.string(),
  seens: z.array(z.strictObject({ user: SeenUser })),
  replied_to: RepliedMessageInChat.nullable(),
  user: MinimalUser,
  reactions: z.array(MessageReactionInChat),
  attachments: z.array(Attachment),
  created_at: Timestamp,
  updated_at: Timestamp,
})
