/** Themes: the drawing stands in for the photo of an event without one. */
export const eventThemes = ['dusk', 'garden', 'gold', 'confetti', 'sea', 'paper', 'neon', 'snow'] as const
export type EventTheme = (typeof eventThemes)[number]
