import { useEffect, useRef, useState } from 'react'
import { speech } from '../app/words.ts'

/** The time span of the rate: short enough to follow a network, long enough to be steady. */
const windowMs = 10_000
const everyMs = 1000

/** Bytes per second over the last ten seconds, from the bytes sent; 0 before that is known. */
export const useRate = (gone: number): number => {
  const latest = useRef(gone)
  latest.current = gone
  const [rate, setRate] = useState(0)
  useEffect(() => {
    const seen: { at: number; gone: number }[] = []
    const timer = setInterval(() => {
      const now = { at: performance.now(), gone: latest.current }
      seen.push(now)
      while (seen[0] && now.at - seen[0].at > windowMs) seen.shift()
      const [first = now] = seen
      const seconds = (now.at - first.at) / 1000
      setRate(seconds > 1 ? Math.max(now.gone - first.gone, 0) / seconds : 0)
    }, everyMs)
    return () => clearInterval(timer)
  }, [])
  return rate
}

/** “about 3 minutes”, in round steps, because nobody knows it more precisely. */
export const leftOf = (seconds: number): string => {
  const [value, unit] =
    seconds < 50
      ? [Math.max(10, Math.ceil(seconds / 10) * 10), 'second']
      : seconds < 3000
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3600), 'hour']
  return new Intl.RelativeTimeFormat(speech.get().locale, { style: 'short' }).format(value as number, unit as 'second')
}
