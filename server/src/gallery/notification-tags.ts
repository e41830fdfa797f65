/* Tags of notifications about photos and comments: the next with the same tag replaces an unread one. */

export const tags = {
  waiting: (eventId: number) => `waiting:${eventId}`,
  added: (eventId: number) => `photos:${eventId}`,
  likes: (photoId: number) => `photo:${photoId}:likes`,
  comments: (photoId: number) => `photo:${photoId}:comments`,
  mentions: (photoId: number) => `photo:${photoId}:mentions`,
  replies: (commentId: number) => `comment:${commentId}:replies`,
  reactions: (commentId: number) => `comment:${commentId}:reactions`,
}

/** The tags of notifications about a photo, or about acts on a comment. */
export const tagsOfPhoto = (id: number) => [tags.likes(id), tags.comments(id), tags.mentions(id)]
export const tagsOfComment = (id: number) => [tags.replies(id), tags.reactions(id)]
/** Notifications that a comment was added. */
export const tellsOfComment = ['photo_comment', 'comment_mention', 'comment_reply'] as const
/** Notifications containing a comment's text. */
export const quotesComment = [...tellsOfComment, 'comment_reaction'] as const
