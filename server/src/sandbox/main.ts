/** `npm run sandbox`: the real service with fixed people. PORT is its port, the next one that of the desk. */
import { openSandbox } from './sandbox.ts'

const port = Number(process.env.PORT ?? 3200)
const sandbox = await openSandbox({ port, deskPort: port === 0 ? 0 : port + 1 })
console.log(`The sandbox is at ${sandbox.url}, with olivia, gus, ana and sam in it.`)
console.log(`Their tokens, and every push and mail: ${sandbox.deskUrl}`)
console.log(`Back to the beginning: curl -X POST ${sandbox.deskUrl}/reset`)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void sandbox.close().then(() => process.exit(0)))
