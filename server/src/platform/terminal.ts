/** Writes one line of the service about itself: as it is for who sits at a terminal, as JSON where lines are read by programs. */
export const say = (sentence: string): void => write(process.stdout, 'info', sentence)

/** The same for a reason to stop. */
export const complain = (sentence: string): void => write(process.stderr, 'fatal', sentence)

/** pino's numbers, so that a collector of logs reads them like every other line. */
const levels = { info: 30, fatal: 60 }

const write = (stream: NodeJS.WriteStream, level: keyof typeof levels, sentence: string) => {
  const line = { level: levels[level], time: new Date().toISOString(), msg: sentence }
  stream.write(`${stream.isTTY ? sentence : JSON.stringify(line)}\n`)
}
