import { once } from 'node:events'
import { createServer } from 'node:net'
import { CannotStart } from './cannot-start.ts'

/** `settings` are those that name it; HOST and PORT by default. */
type Address = { host: string; port: number; settings?: string }

/**
 * Throws CannotStart if the server that is about to start could not listen. It runs before the database is migrated,
 * because the previous version could not start on that again.
 */
export async function demandListenable(address: Address): Promise<void> {
  const trial = createServer()
  // Listens in this process alone: in a cluster, the port's owner would be asked instead.
  trial.listen({ host: address.host, port: address.port, exclusive: true })
  try {
    await once(trial, 'listening')
  } catch (fault) {
    throw whyNotListening(fault, address)
  }
  trial.close()
  await once(trial, 'close')
}

/** The sentence for what an operator can change; any other fault as it is. */
export function whyNotListening(fault: unknown, { host, port, settings = 'HOST or PORT' }: Address): unknown {
  const reasons: Record<string, string> = {
    EADDRINUSE: 'another program listens there',
    EACCES: 'only root may listen there',
    EADDRNOTAVAIL: 'this machine has no such address',
    ENOTFOUND: 'this machine has no such address',
  }
  const reason = reasons[(fault as NodeJS.ErrnoException).code ?? '']
  if (reason) return new CannotStart(`Cannot listen on ${host} port ${port}, as ${reason}: set ${settings}.`)
  return fault
}
