/**
 * Describes the names that several shapes or operations have in common: a name means the same thing throughout the
 * interface. A field that occurs once has its text where it is declared (`.describe`), and so has one with a meaning of
 * its own; where that cannot be, the key here is `Shape.name`. The API documents take their descriptions from both.
 */
export const descriptions: Record<string, string> = {
  // ---- lists ----
  page_length: 'Items per page. Values above 100 are treated as 100.',
  data: 'The items on this page.',
  path: 'URL of the list without its query string.',
  to: 'Position of the last item in the whole list; null if the page is empty.',
  include: '`extra` adds fields to each resource beyond the documented shape.',
  extra: 'Fields beyond the documented shape. Present with `include=extra` and on the channel.',
  'NotificationTrace.extra': 'The reasons as codes with values. Present with `include=extra`.',

  // ---- announcements ----
  announcement_id: 'Announcement ID.',
  announcement_text: 'Text of the announcement.',
  announced_by: 'The organizer who made the announcement.',
  seen_shown: 'Whether others can see what the viewer has read. If false, the viewer cannot see what others have read.',
  photos_at_once: 'Whether an organizer is notified of new photos immediately rather than once an hour.',

  mails_digest: 'Whether to email a digest of missed activity, at most once a day, after a day without a visit.',
  // ---- plans ----
  event_places: 'For how many people there is room, plus-ones included; null: for all.',
  event_programme: 'What happens when, in the order of its beginning.',
  programme_starts_at: 'When it begins.',
  programme_ends_at: 'When it ends; null if nobody has said.',
  programme_title: 'What happens.',
  programme_place: 'Where it happens; null if nobody has said.',
  event_answer: 'Whether the person comes: going, maybe or no.',
  plus_ones: 'How many others the person brings.',
  plus_names: 'Names of the others the person brings.',
  answer_note: 'What the organizers should know.',
  answer_place: 'in: has a place. line: waits for one. Null for whoever is not going.',
  answered_at: 'When the person answered.',

  // ---- the wall ----
  wall_layout: 'one: one photo. pairs: portrait photos side by side. mosaic: it builds up.',
  wall_seconds: 'How many seconds something is shown.',
  wall_photos: 'Which photos are shown: all, those that somebody likes, or those that organizers have chosen.',
  wall_messages: 'Whether short messages from the chat are shown.',
  wall_paused: 'Whether what is shown stays.',
  wall_turn: 'How often an organizer has turned to the next photo, or to one that they named.',

  pinned: 'The message pinned to the top of the chat; null if there is none.',

  // ---- everywhere ----
  id: 'Unique identifier among resources of this type.',
  created_at: 'When it was created: ISO 8601, UTC, with milliseconds.',
  updated_at: 'When it last changed.',
  deleted_at: 'When it was deleted.',
  done: 'Always true.',
  message: 'A short description of the result.',
  may: 'What the viewer is allowed to do with it.',
  state: 'Current state.',
  kind: 'What happened.',
  payload: 'The resource in its current state.',
  cursor: 'An opaque position in the log of changes.',
  until: 'Only return changes up to this cursor.',
  status: 'HTTP status that the service answered with.',
  code: 'A machine-readable code.',
  'joinByLink.code': 'Code of the invitation link.',
  'saveMessage.attachments': 'Pictures to attach, in this order.',
  'uploadPhoto.raw': 'The camera’s RAW file of the image, if it comes with one.',
  'openLink.code': 'Code of the invitation link.',
  reason: 'A human-readable explanation.',
  reasons: 'The reasons, as codes with values.',
  url: 'Where to fetch it.',
  name: 'Display name.',
  'searchUsers.name': 'Text to search for in names and usernames.',
  text: 'Words to search for.',
  bytes: 'Size in bytes.',
  type: 'Media type.',

  // ---- accounts ----
  user: 'The user.',
  'AuthenticatedAccount.user': 'The account that signed in.',
  user_id: 'User ID.',
  user_first_name: 'First name.',
  user_middle_name: 'Middle name; null if there is none.',
  user_last_name: 'Last name. Empty only for guests who gave none.',
  user_username: 'Username, unique within this service regardless of case.',
  user_email: 'E-mail address, unique regardless of case.',
  user_emails: 'E-mail addresses of people, who may not have an account yet.',
  user_avatar_url: 'Profile picture. Always present: generated from the initials if the user has not uploaded one.',
  user_visible: 'Whether strangers can find this user by search.',
  user_timezone: 'IANA time zone, such as Europe/Berlin.',
  user_password: 'Password; for a sign-in provider, its ID token.',
  user_password_confirmation: 'The password again.',
  current_password: 'The current password.',
  user_login_options: 'The ways this account can sign in.',
  user_login_option_type: '1 local account, 2 Google, 3 Apple, 4 Facebook; 10 and above are set by the operator.',
  user_login_option_unique_identifier: 'What identifies the user to this sign-in method.',
  user_login_option_name: 'Display name of the sign-in method.',
  user_setting_mute_notification: 'Whether all notifications are muted.',
  subscription_plan: 'Subscription plan of the account.',
  token: 'Bearer token of this session. Opaque.',
  device_id: 'Identifier chosen by the app. A device always sends the same one.',
  user_device_platform: 'Platform of the device: android, ios, web or another word.',
  active: 'Whether the app is active, so that notifications are sent over the channel.',
  active_until: 'When the app stops being considered active, unless it pings or stays connected.',
  all_devices: 'Whether to end every session of the account.',
  profile_picture: 'Profile picture.',
  proven_until: 'Until when this session may perform actions that require re-authentication.',
  verification_code: 'Code from the verification e-mail.',
  undo_code: 'Code from the mail that told the previous address of a change.',
  reset_code: 'Code from the password reset e-mail.',
  erase_content: 'Whether to erase messages, photos and comments as well.',
  erased_after: 'When the account will be erased, unless its owner signs in before.',
  account_export_id: 'Export ID.',

  // ---- providers ----
  authorization_url: 'Where to send the browser to sign in.',
  provider_challenge: 'SHA-256 of the verifier, as base64url.',
  provider_code: 'The authorization code that the browser returned with.',
  transfer_code: 'What follows `#code=` in a transfer link.',
  provider_verifier: 'The secret that the challenge was derived from.',

  // ---- notifications and realtime ----
  notification: 'The notification.',
  notification_id: 'Notification ID.',
  notification_ids: 'Notification IDs.',
  notification_count: 'How many occurrences the notification stands for.',
  subject_id: 'ID of the resource it is about.',
  read: 'Whether it has been read.',
  unread_count: 'How many are unread.',
  rings: 'How many notifications may ring per hour.',
  at: 'When the next notification may ring.',
  deliveries: 'Each device and how the notification reached it.',
  service: 'Push service.',
  push: 'Whether the device receives pushes.',

  level: 'Which notifications of the event may ring.',
  muted_until: 'Until when nothing rings; null if no time was set.',
  quiet_from: 'When quiet hours begin, as HH:MM in the time zone of each device; null if there are none.',
  quiet_until: 'When quiet hours end.',
  rings_per_hour: 'How many notifications may ring per hour. Further ones arrive silently.',
  language: 'Language of notifications on this device.',
  'saveNotificationSettings.language':
    'Language of notifications on this device (BCP 47). With a region, such as `en-GB`, days and times are written as there.',

  // ---- events ----
  event: 'The event.',
  event_id: 'Event ID.',
  event_name: 'Name of the event.',
  event_description: 'Description of the event; null if there is none.',
  event_starts_at: 'When the event begins.',
  event_ends_at: 'When the event ends.',
  event_timezone: 'Time zone of the venue.',
  event_location: 'Where the event takes place; null if not given.',
  event_visibility: '1 public, 2 by link, 3 private.',
  event_join_mode: '1 open, 2 with approval, 3 by invitation.',
  event_avatar: 'Cover picture to upload.',
  event_avatar_url:
    'URL of the cover picture, at most 2048 × 2048 px. Appending &w=1280, &w=640 or &w=400 to one that was uploaded gives a smaller one.',
  event_guests_count: 'Number of people in the event.',
  event_role: 'Role of the viewer in the event: organizer, guest or null.',
  guest: 'The guest.',
  removed: 'Whether an organizer removed them.',
  join_request_status: 'Status of the join request.',
  invitation_id: 'Invitation ID.',
  invited_by: 'Who sent the invitation.',
  invited_count: 'Number of people invited.',
  about: 'The user concerned; null if there is none.',
  link_id: 'Link ID.',
  link_max_uses: 'How many people may join by this link; null if unlimited.',
  link_expires_at: 'When the link expires; null if never.',
  link_pin_required: 'Whether the link asks for a PIN.',
  link_pin: 'The PIN, for organizers to pass on; null if there is none, or if the link predates stored PINs.',
  pin: 'PIN of the link.',
  made_by: 'Who created it.',
  host: 'The organizer who invites.',

  // ---- permissions ----
  add_to_album: 'May add it to the gallery.',
  chat: 'May read the chat.',
  comment: 'May comment on it.',
  delete: 'May delete it.',
  delete_others: 'May delete other people’s messages.',
  hide: 'May hide it from guests.',
  'GroupChat.pin': 'May pin messages to the top of the chat.',
  react: 'May react to it.',
  reply: 'May reply to it.',
  send: 'May send messages.',
  update: 'May change it.',
  upload: 'May add photos to the gallery.',
  'GalleryPhoto.upload': 'What became of the upload. Present only in the reply to an upload.',

  // ---- people ----
  friend: 'Whether this user is a friend of the viewer.',
  friend_status: 'Friendship status between this user and the viewer.',
  blocked:
    'Whether the viewer blocks this user; on a message or comment, whether the viewer blocks its author. Always false there for organizers.',
  report_id: 'Report ID.',
  report_type: 'Type of the reported resource.',
  report_reason: 'The reporter’s explanation.',
  report_status: 'Whether the report is pending or resolved.',
  reported_by: 'Who made the report.',
  resolved_by: 'Who resolved the report.',

  // ---- gallery ----
  image: 'The photo, or the poster image of a video.',
  video: 'Whether it is a video.',
  'uploadPhoto.video': 'Video file: mp4, mov, avi or wmv.',
  'sendVideo.video': 'Video file: mp4, mov, avi or wmv.',
  'sendVideo.image': 'The poster image of the video.',
  live: 'The video part of a Live Photo.',
  event_photo_id: 'Photo ID.',
  event_photo_preview_url: 'Preview of at most 640 × 640 px.',
  event_photo_likes_count: 'Number of likes, as a string.',
  event_photo_comments_count: 'Number of comments including replies, as a string.',
  event_photo_caption: 'Caption of the photo.',
  event_photo_alt_text: 'Description of the photo for people who cannot see it.',
  liked: 'Whether the viewer likes it.',
  taken_by: 'Who added the photo.',
  'linkAlbum.taken_by': 'Only photos added by this user.',
  'downloadAlbum.taken_by': 'Only photos added by this user.',
  'listPhotos.taken_by': 'Only photos added by this user.',
  mine: 'Whether it belongs to the viewer.',
  'linkAlbum.mine': 'Only the caller’s own photos.',
  'downloadAlbum.mine': 'Only the caller’s own photos.',
  'linkAlbum.liked': 'Only photos that the caller likes.',
  'downloadAlbum.liked': 'Only photos that the caller likes.',
  size: 'full: as uploaded, without metadata for other people’s photos; shown: at most 2048 × 2048 px. Default: full.',
  'approvePhotos.event_photo_ids': 'The photos to approve.',
  'refusePhotos.event_photo_ids': 'The photos to refuse.',
  event_photo_ids: 'Only these photos, as far as they are in the album.',
  width: 'Width in pixels.',
  height: 'Height in pixels.',
  thumbhash: 'A blurred placeholder to show while the image loads.',
  original: 'The picture in full resolution, without metadata; null if there is none.',
  incomplete: 'Whether the uploaded file ended before its picture, which is shown as far as it goes.',
  video_state: 'State of the video conversion; null for a photo.',
  latitude: 'Latitude in degrees.',
  longitude: 'Longitude in degrees.',
  raw: 'The camera’s unchanged RAW file, for the uploader and organizers; null if there is none, and for everyone else.',
  'GalleryPhoto.live':
    'The unchanged film of a Live Photo, for the uploader and organizers; null if there is none, and for everyone else.',
  hidden: 'Whether an organizer has hidden it from guests.',
  image_bytes_max: 'Maximum size of an image in bytes.',
  raw_bytes_max: 'Maximum size of a RAW file in bytes.',
  video_bytes_max: 'Maximum size of a video in bytes.',
  attachment_bytes_max: 'Maximum size of a picture in a message, in bytes.',
  sha256: 'SHA-256 of the file, in hexadecimal.',
  quarter_starts_at: 'When the quarter of an hour begins.',
  quarter_photos_count: 'Number of photos in it.',
  selection: 'The selected photos, as encoded in the link.',
  e: 'Part of the link’s signature.',
  k: 'Part of the link’s signature.',
  s: 'Part of the link’s signature.',

  photos_max: 'How many photos this person may add: their own limit if set, else the event’s, else the instance’s.',

  // ---- comments ----
  event_photo_comment: 'Text of the comment.',
  event_photo_comment_id: 'Comment ID.',
  'saveComment.event_photo_comment_id': 'The comment to update.',
  event_photo_comment_reply_id: 'The comment to reply to.',
  comment_reaction_id: 'ID of the comment whose reactions are requested.',
  comment_reaction: 'An emoji.',
  comment_reaction_count: 'How many people chose it.',
  reply_to: 'The comment it replies to; null if it is not a reply.',
  edited: 'Whether the text has been edited.',
  reactions: 'The reactions, each emoji with its count.',

  // ---- chats ----
  group_chat_id: 'Group chat ID.',
  latest_message: 'The newest message; null if the chat is empty.',
  message_id: 'Message ID.',
  'listMessages.message_id': 'Only this message and older ones, so that pages stay stable while new messages arrive.',
  'saveMessage.message_id': 'The message to update.',
  message_reply_id: 'The message to reply to.',
  message_content: 'Text of the message; empty if it was deleted.',
  replied_to: 'The message it replies to; null if it is not a reply or the original was erased.',
  seens: 'Everyone except the author who has read up to this message: at most the 100 newest.',
  attachments: 'Pictures attached to the message, or its video.',
  message_attachment_id: 'Attachment ID.',
  message_reaction: 'An emoji.',
  seen_sequence: 'Position up to which the user has read.',
  deleted: 'Whether it was deleted. A deleted message keeps its position.',
  muted: 'Whether its notifications are muted.',

  // ---- headers ----
  'Idempotency-Key': 'A repeated request with the same key within 24 hours returns what the first one created.',
  'Tus-Resumable': 'Version of the tus protocol.',
  'Upload-Offset': 'Offset at which the body begins, in bytes.',
  Range: 'Return only these bytes.',
  'If-Range': 'Apply the range only if the file still has this ETag; otherwise return the whole file.',

  // ---- webhooks ----
  'makeWebhook.event_id': 'The event the webhook covers. If absent, it covers the whole service.',
  'listWebhooks.event_id': 'The event. If absent, webhooks of the whole service are listed.',
  actor_id: 'ID of the user who did it; null if there is none or it is not disclosed.',
  webhook_id: 'Webhook ID.',
  webhook_url: 'Where deliveries are sent: a public https URL, or one that the operator allows.',
  webhook_kinds: 'The kinds of occurrences to deliver. If empty, all kinds are delivered.',
  webhook_tries: 'All attempts so far.',
}

type Described = { properties?: Record<string, Described>; description?: unknown }

/** Adds a description to every property without one, at any depth. `owner` is the name of the shape or operation. */
export const describeFields = (schema: unknown, owner: string): void => {
  if (typeof schema !== 'object' || schema === null) return
  if (Array.isArray(schema)) {
    for (const each of schema) describeFields(each, owner)
    return
  }
  const { properties } = schema as Described
  for (const [name, property] of Object.entries(properties ?? {})) {
    const said = descriptions[`${owner}.${name}`] ?? descriptions[name]
    if (said !== undefined) property.description ??= said
  }
  for (const [key, each] of Object.entries(schema)) {
    if (key === 'properties') for (const property of Object.values(properties ?? {})) describeFields(property, owner)
    else describeFields(each, owner)
  }
}
