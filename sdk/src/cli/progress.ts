/** The time span over which the rate is computed. */
const windowMs = 15_000
const drawnEveryMs = 200
const saidEveryMs = 10_000
const width = 24

export type Progress = {
  files: number
  filesAll: number
  bytes: number
  bytesAll: number
}
type Out = { isTTY?: boolean; write(text: string): unknown }

/** A progress bar that redraws in place; without a terminal, an occasional log line. */
export const openProgress = (out: Out, now: () => Progress) => {
  const seen: { at: number; bytes: number }[] = []
  const look = () => {
    const { bytes } = now()
    seen.push({ at: performance.now(), bytes })
    while (seen.length > 2 && (seen.at(-1)?.at ?? 0) - (seen[0]?.at ?? 0) > windowMs) seen.shift()
  }
  const rate = () => {
    const [first, last] = [seen[0], seen.at(-1)]
    const seconds = first && last ? (last.at - first.at) / 1000 : 0
    return first && last && seconds > 1 ? Math.max(0, last.bytes - first.bytes) / seconds : 0
  }
  const words = () => {
    const { files, filesAll, bytes, bytesAll } = now()
    const perSecond = rate()
    const left = perSecond > 0 ? ` · ${sizeOf(perSecond)}/s · ${leftOf((bytesAll - bytes) / perSecond)} left` : ''
    return `${files.toLocaleString('en')} of ${filesAll.toLocaleString('en')} · ${sizeOf(bytes)} of ${sizeOf(bytesAll)}${left}`
  }
  const draw = () => {
    look()
    const { bytes, bytesAll } = now()
    const full = Math.round((width * bytes) / Math.max(bytesAll, 1))
    out.write(`\r\x1b[K[${'#'.repeat(full)}${'.'.repeat(Math.max(0, width - full))}] ${words()}`)
  }
  let said: string | undefined
  /** Once, however long the service is away. */
  const say = () => {
    look()
    const line = words()
    if (line !== said) out.write(`${line}\n`)
    said = line
  }
  const timer = setInterval(out.isTTY ? draw : say, out.isTTY ? drawnEveryMs : saidEveryMs)
  return {
    /** Above the bar. */
    tell: (line: string) => out.write(`${out.isTTY ? '\r\x1b[K' : ''}${line}\n`),
    close() {
      clearInterval(timer)
      if (out.isTTY) out.write('\r\x1b[K')
    },
  }
}

const units = ['B', 'kB', 'MB', 'GB', 'TB']
export const sizeOf = (bytes: number): string => {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** step
  return `${value.toFixed(step > 0 && value < 10 ? 1 : 0)} ${units[step]}`
}

const leftOf = (seconds: number) =>
  seconds < 60
    ? `${Math.ceil(seconds)} s`
    : seconds < 5400
      ? `${Math.ceil(seconds / 60)} min`
      : `${Math.ceil(seconds / 3600)} h`
