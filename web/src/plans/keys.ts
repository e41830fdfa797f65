/* The query keys of plans. */

export const answerKey = (eventId: number) => ['answer', eventId] as const
export const answersKey = (eventId: number) => ['answers', eventId] as const

/** What an answer that waits is about. */
export const aboutAnswer = (eventId: number) => `answer ${eventId}`
