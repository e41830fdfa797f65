/**
 * A reader of our output may end before us: a terminal is closed, the other end of a pipe dies, a log collector
 * restarts. The service continues without it.
 */
export const outliveReaders = (): void => {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (fault: NodeJS.ErrnoException) => {
      if (fault.code !== 'EPIPE' && fault.code !== 'EIO') throw fault
    })
}

/** Writes one line of the service about itself: as text at a terminal, as JSON where programs read it. */
export const say = (sentence: string): void => console.log(process.stdout.isTTY ? sentence : lineOf('info', sentence))

/** The same for a reason to stop. */
export const complain = (sentence: string): void =>
  console.error(process.stderr.isTTY ? sentence : lineOf('fatal', sentence))

/** pino's numbers, so that a log collector reads them like every other line. */
const levels = { info: 30, fatal: 60 }

const lineOf = (level: keyof typeof levels, sentence: string) =>
  JSON.stringify({ level: levels[level], time: new Date().toISOString(), msg: sentence })
