/** `npm run sandbox`: the real service with fixed people. PORT is its port, the next one that of the desk. */
import { Command } from 'commander'
import { pino } from 'pino'
import { stopWhenAsked } from '../stopping.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'

new Command('npm run sandbox --')
  .description(
    'The real service on a throwaway database, with olivia, gus, ana and sam in it. PORT is its port (3200); on the next one, its desk shows every push and mail, and goes back to the beginning.',
  )
  .helpOption('--help', 'print this')
  .allowExcessArguments(false)
  .parse()

const port = Number(process.env.PORT ?? 3200)
let sandbox: Sandbox | undefined
// Ctrl-C comes from the terminal, from npm and from the launcher, and may come while it opens: then it just exits.
stopWhenAsked(async () => sandbox?.close(), pino({ level: 'silent' }))
sandbox = await openSandbox({ port, deskPort: port === 0 ? 0 : port + 1 })
console.log(`The sandbox is at ${sandbox.url}, with olivia, gus, ana and sam in it.`)
console.log(`Their tokens, and every push and mail: ${sandbox.deskUrl}`)
console.log(`Back to the beginning: curl -X POST ${sandbox.deskUrl}/reset`)
