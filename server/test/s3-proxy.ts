import { type ClientRequest, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Faults between the service and S3. `refuse`: 500 without asking S3. `slow`: the answer comes after `slowMs`. `hang`:
 * no answer ever. `storedButLost`: S3 stores it, and the answer is lost. `cut`: the connection breaks in the middle of
 * the body. `flip`: one bit of the sent body changes. `lie`: 200 without asking S3. `full`: S3's answer to an exhausted
 * quota.
 */
export type Fault = 'refuse' | 'slow' | 'hang' | 'storedButLost' | 'cut' | 'flip' | 'lie' | 'full'

export type FaultyS3 = {
  endpoint: string
  /** The next `times` requests of this method hit the fault. */
  fail(fault: Fault, times: number, method?: string): void
  heal(): void
  /** Requests that reached S3 or a fault, like `PUT`. */
  seen: string[]
  close(): Promise<void>
}

/**
 * An HTTP proxy in front of a real S3 server, `at` a given or any port. Signatures hold, as S3 sees the host that the
 * client asked for.
 */
export const openProxy = async (target: string, { slowMs = 300, at = 0 } = {}): Promise<FaultyS3> => {
  const { hostname, port } = new URL(target)
  let faults: { fault: Fault; left: number; method: string | undefined } | undefined
  const seen: string[] = []
  const faultOf = (method: string): Fault | undefined => {
    if (!faults || faults.left === 0 || (faults.method && faults.method !== method)) return undefined
    faults.left -= 1
    return faults.fault
  }

  const forward = (from: IncomingMessage, answer: (reply: IncomingMessage) => void): ClientRequest => {
    const { method, url, headers } = from
    const onward = request({ hostname, port, method, path: url, headers }, answer)
    onward.on('error', () => from.destroy())
    return onward
  }
  const relay = (response: ServerResponse) => (reply: IncomingMessage) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers)
    reply.pipe(response)
    response.once('close', () => reply.destroy())
  }
  const refuse = (response: ServerResponse, status: number, code: string) =>
    response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)

  const meet: Record<Fault, (from: IncomingMessage, response: ServerResponse) => void> = {
    refuse: (from, response) => from.resume().once('end', () => refuse(response, 500, 'InternalError')),
    full: (from, response) => from.resume().once('end', () => refuse(response, 403, 'QuotaExceeded')),
    lie: (from, response) => from.resume().once('end', () => response.writeHead(200).end()),
    hang: from => void from.resume(),
    slow: (from, response) =>
      void from.pipe(forward(from, reply => setTimeout(() => relay(response)(reply), slowMs).unref())),
    storedButLost: (from, response) =>
      void from.pipe(forward(from, reply => reply.resume().once('end', () => response.destroy()))),
    cut: (from, response) => void from.once('data', () => response.destroy()),
    flip: (from, response) => {
      const onward = forward(from, relay(response))
      let flipped = false
      from.on('data', (chunk: Buffer) => {
        if (!flipped) chunk[0] = (chunk[0] ?? 0) ^ 1
        flipped = true
        onward.write(chunk)
      })
      from.on('end', () => onward.end())
    },
  }

  const server = createServer((from, response) => {
    seen.push(from.method ?? '')
    from.on('error', () => {})
    response.on('error', () => {})
    const fault = faultOf(from.method ?? '')
    if (fault) meet[fault](from, response)
    else from.pipe(forward(from, relay(response)))
  })
  await new Promise<void>(resolve => server.listen(at, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fail(fault, times, method) {
      faults = { fault, left: times, method }
    },
    heal() {
      faults = undefined
    },
    seen,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
