import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** A single Ctrl-C reaches us from the terminal, from npm and from the launcher. */
const sameRequestMs = 1000
const stopWithinMs = 15_000

/**
 * Runs stop() once: on a signal, when the launcher dies, or after an uncaught error; then exits, with 0 except for
 * errors. A later signal exits at once, and so does a hangup, unless it has another meaning. Anything that must not be
 * left behind even then is attached to process 'exit', as the embedded database is.
 */
export function stopWhenAsked(stop: () => Promise<void>, log: Logger, onHangup?: () => void): void {
  const grace = closeWithGrace({ delay: stopWithinMs, skip: [...signals], logger: false }, async ({ err }) => {
    if (err) log.fatal({ err }, 'stopping after a fault nobody caught')
    await stop().catch(fault => {
      log.fatal({ err: fault }, 'stopping met a fault')
      throw fault
    })
  })
  let askedAt = 0
  const ask = (by: string) => {
    if (Date.now() - askedAt < sameRequestMs) return
    if (askedAt > 0) {
      log.warn(`${by} again: exiting at once`)
      process.exit(1)
    }
    askedAt = Date.now()
    log.info(`${by}: stopping`)
    grace.close()
  }
  for (const signal of signals) process.on(signal, () => (signal === 'SIGHUP' && onHangup ? onHangup() : ask(signal)))
  process.once('disconnect', () => ask('the launcher is gone'))
}
