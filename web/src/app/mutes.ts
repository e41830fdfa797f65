/** The choices of a mute's duration. */
export const mutes = ['muteHour', 'muteEight', 'muteMorning'] as const

const hourMs = 60 * 60_000
const morning = 8

/** The end of such a mute; tomorrow morning by this device's clock. */
export const muteEnds = (mute: string, now = new Date()): string | null => {
  if (mute === 'muteHour') return new Date(now.getTime() + hourMs).toISOString()
  if (mute === 'muteEight') return new Date(now.getTime() + 8 * hourMs).toISOString()
  if (mute !== 'muteMorning') return null
  // After midnight, tomorrow is the coming morning.
  const day = now.getDate() + (now.getHours() < 5 ? 0 : 1)
  return new Date(now.getFullYear(), now.getMonth(), day, morning).toISOString()
}
