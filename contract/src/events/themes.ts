/** What is drawn where an event has no photo. */
export const eventThemes = ['dusk', 'garden', 'gold', 'confetti', 'sea', 'paper', 'neon', 'snow'] as const
export type EventTheme = (typeof eventThemes)[number]
