/* A wall-clock time, which is what a form asks for, and the moment that it stands for. */

const parts = (moment: Date, timeZone: string) => {
  const format = new Intl.DateTimeFormat('en-u-ca-iso8601-hc-h23', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  const found = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]))
  return `${found.year}-${found.month}-${found.day}T${found.hour}:${found.minute}`
}

/** `YYYY-MM-DDTHH:mm` on a clock in that time zone. */
export const wallTime = (moment: string | Date, timeZone: string): string => parts(new Date(moment), timeZone)

/** The moment at which a clock in that time zone shows it. An hour skipped by a clock change is the one after. */
export const momentOf = (wall: string, timeZone: string): Date => {
  const wanted = Date.parse(`${wall}Z`)
  let guess = wanted
  // Twice, because the offset at the first guess may be that of the other side of a clock change.
  for (let round = 0; round < 2; round++) guess += wanted - Date.parse(`${parts(new Date(guess), timeZone)}Z`)
  return new Date(guess)
}
