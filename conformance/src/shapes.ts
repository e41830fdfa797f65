/** The documented shapes, as the tables give them, and their validation. */

/** `?` after a type: may be null. A list of one shape, or a shape of fields. */
export type Shape =
  | 'integer'
  | 'string'
  | 'boolean'
  | 'number'
  | 'timestamp'
  | 'integer?'
  | 'string?'
  | Fields
  | readonly [Shape]
  | Maybe
export type Fields = { readonly [field: string]: Shape }
type Maybe = { readonly maybe: Shape; readonly [other: string]: Shape }

const maybe = (shape: Shape): Maybe => ({ maybe: shape })

const name = {
  id: 'integer',
  user_first_name: 'string',
  user_middle_name: 'string?',
  user_last_name: 'string',
} as const
export const SeenUser: Fields = { ...name, user_avatar_url: 'string' }
export const MinimalUser: Fields = { ...SeenUser, user_username: 'string', user_visible: 'string' }
export const MinimalUserWithFriend: Fields = { ...MinimalUser, friend: 'boolean' }
const times = { created_at: 'timestamp', updated_at: 'timestamp' } as const

export const Account: Fields = {
  ...name,
  user_username: 'string',
  user_email: 'string',
  user_avatar_url: 'string',
  user_visible: 'boolean',
  user_status: 'integer',
  user_timezone: 'string',
  subscription_plan: {
    subscription_plan_title: 'string',
    subscription_plan_pricing: 'number',
    subscription_plan_expiration: 'timestamp',
  },
  user_login_options: [
    {
      user_id: 'integer',
      user_login_option_type: 'integer',
      user_login_option_unique_identifier: 'string',
      user_login_option_name: 'string',
    },
  ],
  user_settings: { user_setting_mute_notification: 'boolean' },
  ...times,
}
export const AuthenticatedAccount: Fields = { user: Account, token: 'string', token_expiration: 'timestamp' }

const message = { id: 'string', group_chat_id: 'string', message_content: 'string', ...times } as const
const reaction = { id: 'string', message_id: 'string', message_reaction_count: 'string', ...times } as const
const Attachment: Fields = {
  id: 'integer',
  message_attachment_url: 'string',
  message_attachment_added_to_album: 'boolean',
  user: MinimalUser,
  ...times,
}
const LatestMessage: Fields = {
  ...message,
  user: MinimalUser,
  seens: [{ user: SeenUser }],
  replied_to: maybe({ ...message, user: SeenUser }),
  reactions: [reaction],
  attachments: [Attachment],
}
export const Message: Fields = {
  ...message,
  user: MinimalUser,
  seens: [{ user: SeenUser }],
  replied_to: maybe({ ...message, user: MinimalUser }),
  reactions: [{ ...reaction, message_reaction: 'string' }],
  attachments: [Attachment],
}
export const GroupChat: Fields = {
  id: 'integer',
  event_id: 'integer',
  group_chat_name: 'string',
  group_chat_status: 'integer',
  group_chat_avatar: 'string',
  latest_message: maybe(LatestMessage),
}
export const Photo: Fields = {
  id: 'string',
  event_id: 'string',
  event_photo_url: 'string',
  event_photo_preview_url: 'string',
  event_photo_likes_count: 'string',
  event_photo_comments_count: 'string',
  liked: 'boolean',
  taken_by: MinimalUser,
  ...times,
}
export const Comment: Fields = {
  id: 'integer',
  event_photo_comment: 'string',
  event_photo_comment_replies_count: 'integer',
  user: MinimalUser,
  ...times,
}
export const ReactedUser: Fields = { id: 'integer', user: MinimalUser, ...times }

/** The envelope of every list. Missing links and the bounds of an empty page are null. */
export const listOf = (item: Shape): Fields => ({
  current_page: 'integer',
  data: [item],
  first_page_url: 'string',
  from: 'integer?',
  next_page_url: 'string?',
  path: 'string',
  per_page: 'string',
  prev_page_url: 'string?',
  to: 'integer?',
})

/** Sentences about where a value deviates from this shape; empty if it does not. */
export const faultsOf = (value: unknown, shape: Shape, at = 'the body'): string[] => {
  if (typeof shape === 'string') return faultOfWord(value, shape, at)
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${at} is ${kindOf(value)}, not a list`]
    return value.flatMap((each, index) => faultsOf(each, shape[0] as Shape, `${at}[${index}]`))
  }
  const fields = shape as Fields
  if (fields.maybe) return value === null ? [] : faultsOf(value, fields.maybe, at)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [`${at} is ${kindOf(value)}, not an object`]
  const strange = Object.keys(value).filter(key => !(key in fields))
  return [
    ...strange.map(key => `${at}.${key} is no documented field`),
    ...Object.entries(fields).flatMap(([key, each]) =>
      key in value
        ? faultsOf((value as Record<string, unknown>)[key], each, `${at}.${key}`)
        : [`${at}.${key} is missing`],
    ),
  ]
}

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const faultOfWord = (value: unknown, word: string, at: string): string[] => {
  if (word.endsWith('?') && value === null) return []
  const type = word.replace('?', '')
  const fits =
    type === 'timestamp'
      ? typeof value === 'string' && timestamp.test(value) && !Number.isNaN(Date.parse(value))
      : type === 'integer'
        ? Number.isInteger(value)
        : typeof value === type
  return fits ? [] : [`${at} is ${kindOf(value)} (${JSON.stringify(value)}), not a ${type}`]
}

const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value)
