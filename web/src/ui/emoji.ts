/** What is offered at once, and what follows. */
export const quickEmoji = ['❤️', '😂', '😍', '🎉', '👍', '😮']
export const moreEmoji = ['🔥', '🙏', '👏', '🥂', '🥳', '😭']
