import type { Socket } from 'node:net'
import pg from 'pg'
import { type ConnectionConfig, type ConnectionOptions, configOf, deadPeers, type Watch } from './connection-config.ts'
import { type DatabaseAddress, readDatabaseAddress } from './database-address.ts'
import { answersAt, findLost } from './lost-connections.ts'

/** The statement timeout on the client side. */
const answersWithinMs = 35_000
/** After this much silence, the host is asked whether it is alive. */
const suspectAfterMs = 4_000
const probeWithinMs = 4_000
const probes = 2
const lookEveryMs = 1_000
const connectWithinMs = 10_000
const readOnly = '25006'
const canceled = '57014'

/** Throws CannotStart for an invalid URL. */
const connectionConfig = (url: string, options: ConnectionOptions): ConnectionConfig => configOf(watchOf(url), options)

/** A pool of such connections; one to a server that no longer accepts writes is not returned to it. */
export const openPool = (
  url: string,
  options: ConnectionOptions,
  pooling: Pick<pg.PoolConfig, 'max' | 'idleTimeoutMillis' | 'connectionTimeoutMillis' | 'maxLifetimeSeconds'>,
  Kind: typeof Connection = Connection,
): pg.Pool => {
  const pool = new pg.Pool({
    ...connectionConfig(url, options),
    ...pooling,
    Client: Kind as unknown as NonNullable<pg.PoolConfig['Client']>,
  })
  pool.on('error', () => {})
  // Each client has its own error listener; the job queue's library expects a listener here too.
  pool.on('connect', () => {})
  pool.on('release', (_error, client) => {
    if ((client as unknown as Connection).spoiled) (client as unknown as Connection).end().catch(() => {})
  })
  return pool
}

/** A single connection, to be connected and ended by the caller. */
export const newConnection = (url: string, options: ConnectionOptions): Connection =>
  new Connection(connectionConfig(url, options))

/**
 * A connection to the database. It never waits for ever: a vanished host, or one that has forgotten the connection, is noticed while a statement waits for it, and
 * otherwise by the kernel's keep-alive. Then the connections that are lost end, and whatever waits on them fails.
 */
export class Connection extends pg.Client {
  readonly #watch: Watch
  readonly #settings: Record<string, string | number>
  readonly #answersWithinMs: number
  #waitsSince = 0
  #heardBytes = 0
  #heardAt = 0
  #backend: number | undefined
  #spoiled = false
  #refusal: Error | undefined

  constructor(config: ConnectionConfig) {
    // Keeps the password out of spread copies of the options, as a pool does.
    super({ ...config, password: config.password, connectionTimeoutMillis: connectWithinMs })
    this.#watch = config.watch
    this.#settings = { ...deadPeers, ...config.settings }
    this.#answersWithinMs = config.answersWithinMs ?? answersWithinMs
    this.on('drain', () => {
      this.#waitsSince = 0
    })
    // Rejects waiting callers. Without a listener, an error would end the process.
    this.on('error', () => {})
    this.on('end', () => this.#watch.left(this))
    const wire = wireOf(this)
    wire.on('errorMessage', message => {
      if (message.code === canceled && !this.#hasTimedOut()) message.early = true
      if (message.code === readOnly) this.#spoiled = true
    })
    if (config.watch.address.scramOnly) this.#demandProof(wire)
  }

  /** An impostor in the server's place must not receive the password or any statement. */
  #demandProof(wire: Wire): void {
    let proven = false
    const refuse = () => {
      this.#refusal = new Error('the server there does not prove that it is the database')
      this.abandon(this.#refusal)
    }
    wire.prependListener('authenticationSASLFinal', () => {
      proven = true
    })
    wire.prependListener('authenticationOk', () => proven || refuse())
    for (const asked of ['authenticationCleartextPassword', 'authenticationMD5Password'])
      wire.prependListener(asked, refuse)
  }

  #hasTimedOut(): boolean {
    const most = Number(this.#settings.statement_timeout)
    return most > 0 && performance.now() - this.#waitsSince > most * 0.9
  }

  /** Tells whether it leads to a server that no longer accepts writes, as after a failover, and must not be reused. */
  get spoiled(): boolean {
    return this.#spoiled
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg's connect has two forms, and its pool uses the one with a callback.
  override connect(callback?: any): any {
    const opened = this.#open()
    if (callback === undefined) return opened
    opened.then(
      () => callback(null, this),
      error => callback(error),
    )
  }

  async #open(): Promise<void> {
    try {
      await super.connect()
      this.#watch.entered(this)
      const settings = Object.entries(this.#settings)
      const list = settings.map((_, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, false)`)
      const said = await super.query(`select ${list.join()}, pg_backend_pid() as backend`, settings.flat().map(String))
      // A pooler reports its own numbers, and uses another backend for each transaction.
      const { backend } = said.rows[0]
      if (backend === (this as unknown as { processID: number }).processID) this.#backend = backend
      this.#heardAt = performance.now()
    } catch (error) {
      this.abandon(error as Error)
      throw this.#refusal ?? error
    }
  }

  // biome-ignore-start lint/suspicious/noExplicitAny: pg's query has seven overloads; this passes all of them through.
  override query(text: string | pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult<any>>
  override query(first: any, ...rest: any[]): any
  override query(first: any, ...rest: any[]): any {
    // biome-ignore-end lint/suspicious/noExplicitAny: until here
    if (this.#waitsSince === 0) this.#waitsSince = performance.now()
    return super.query(first, ...rest)
  }

  /** Ends it at once, without telling the other side. */
  abandon(error: Error): void {
    // Before it connects nobody listens for errors, and an unhandled one ends the process.
    wireOf(this)
      .stream.on('error', () => {})
      .destroy(error)
  }

  /**
   * How long it has been waiting for data from the database, in milliseconds; 0 if it is not waiting. Ends it after too
   * long.
   */
  silentForMs(): number {
    const { bytesRead } = wireOf(this).stream
    if (bytesRead !== this.#heardBytes) {
      this.#heardBytes = bytesRead
      this.#heardAt = performance.now()
    }
    if (this.#waitsSince === 0) return 0
    const silent = performance.now() - Math.max(this.#waitsSince, this.#heardAt)
    if (silent > this.#answersWithinMs) this.abandon(silence(this.#answersWithinMs))
    return silent
  }

  /** Since when a statement has waited; 0 if none does. */
  get waitsSince(): number {
    return this.#waitsSince
  }

  /** When something last came, as of the last look. */
  get heardAt(): number {
    return this.#heardAt
  }

  /** The number of the server's process behind it; undefined behind a pooler. */
  get backend(): number | undefined {
    return this.#backend
  }
}

type Wire = {
  stream: Socket
  on(event: string, listener: (message: { code?: string; early?: true }) => void): void
  prependListener(event: string, listener: () => unknown): void
}
const wireOf = (client: pg.Client) => (client as unknown as { connection: Wire }).connection

const silence = (ms: number) =>
  Object.assign(new Error(`the database said nothing for ${Math.round(ms / 1000)} s`), { code: 'ETIMEDOUT' })

/** One for each URL. */
const known = new Map<string, Watch>()

const watchOf = (url: string): Watch => {
  const found = known.get(url)
  if (found) return found
  const watch = openWatch(readDatabaseAddress(url))
  known.set(url, watch)
  return watch
}

function openWatch(address: DatabaseAddress): Watch {
  const connections = new Set<Connection>()
  let knocking = false
  let looking: NodeJS.Timeout | undefined

  const isSuspect = (connection: Connection) => connection.silentForMs() > suspectAfterMs

  /**
   * A statement may take its time; but a host that twice fails even to answer a knock is gone, and a connection behind
   * which nothing is at work is lost: a firewall forgot it, say, while the network was away.
   */
  const knock = async () => {
    if (knocking) return
    knocking = true
    for (let times = 0; times < probes; times++) {
      if (!(await answersAt(address.at, probeWithinMs))) continue
      const lost = await lostAmong([...connections].filter(isSuspect)).catch(() => [])
      const since = Math.max(...lost.map(({ waitsSince }) => waitsSince)) + lookEveryMs
      // Idle connections are as likely lost, and would be the next to be waited for.
      const resting = [...connections].filter(({ waitsSince, heardAt }) => waitsSince === 0 && heardAt < since)
      for (const connection of [...lost, ...resting]) connection.abandon(silence(suspectAfterMs))
      return void setTimeout(
        () => {
          knocking = false
        },
        lost.length > 0 ? 0 : suspectAfterMs,
      ).unref()
    }
    knocking = false
    for (const connection of connections) connection.abandon(silence(probes * probeWithinMs))
  }

  const lostAmong = async (suspects: readonly Connection[]): Promise<Connection[]> => {
    const asked = suspects.filter(({ backend }) => backend !== undefined)
    if (asked.length === 0) return []
    const unwatched = { address, entered() {}, left() {} }
    const client = new Connection(
      configOf(unwatched, { name: 'afterglow looks for lost connections', answersWithinMs: probeWithinMs }),
    )
    try {
      await client.connect()
      return await findLost(client, asked, isSuspect, suspectAfterMs)
    } finally {
      client.end().catch(() => {})
    }
  }

  return {
    address,
    entered(connection) {
      connections.add(connection)
      looking ??= setInterval(() => {
        if ([...connections].filter(isSuspect).length > 0) void knock()
      }, lookEveryMs).unref()
    },
    left(connection) {
      connections.delete(connection)
      if (connections.size > 0) return
      clearInterval(looking)
      looking = undefined
    },
  }
}

/** For a host name with several addresses, Node reports one AggregateError without a message. */
export const reasonOf = (fault: unknown): string => {
  const first = fault instanceof AggregateError ? fault.errors[0] : fault
  return first instanceof Error ? first.message.replace(/\.$/, '') : String(first)
}
