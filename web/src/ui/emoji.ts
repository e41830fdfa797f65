/** What is offered at once, and what comes behind it. */
export const quickEmoji = ['❤️', '😂', '😍', '🎉', '👍', '😮']
export const moreEmoji = ['🔥', '🙏', '👏', '🥂', '🥳', '😭']
