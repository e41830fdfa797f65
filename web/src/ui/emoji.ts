/** Emoji offered at once, and the rest. */
export const quickEmoji = ['❤️', '😂', '😍', '🎉', '👍', '😮']
export const moreEmoji = ['🔥', '🙏', '👏', '🥂', '🥳', '😭']
