import { useEffect, useState } from 'react'

const everyMs = 30_000

/** The time in milliseconds, as exact as a page that shows minutes needs it. */
export const useNow = (): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [])
  return now
}
