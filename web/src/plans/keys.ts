/* The query keys of plans. */

export const answerKey = (eventId: number) => ['answer', eventId] as const
export const answersKey = (eventId: number) => ['answers', eventId] as const
