import type pg from 'pg'
import type { Connection } from './connection.ts'
import type { DatabaseAddress } from './database-address.ts'

export type ConnectionOptions = {
  /** The name of this connection in the database's own views. */
  name: string
  /** Set after connecting, because a pooler rejects them among the startup parameters. */
  settings?: Record<string, string | number>
  answersWithinMs?: number
}

export type ConnectionConfig = pg.ClientConfig & { watch: Watch } & ConnectionOptions

/** Without these, a peer that lost power would hold its locks for two hours. */
export const deadPeers = { tcp_keepalives_idle: 10, tcp_keepalives_interval: 5, tcp_keepalives_count: 3 }

/** All connections of this process to one URL. */
export type Watch = {
  address: DatabaseAddress
  entered(connection: Connection): void
  left(connection: Connection): void
}

export const configOf = (watch: Watch, options: ConnectionOptions): ConnectionConfig => {
  const { at, user, password, database, options: startup, ssl, sslNegotiation, channelBinding } = watch.address
  return {
    ...options,
    ...at,
    watch,
    ...(user && { user }),
    ...(password && { password }),
    ...(database && { database }),
    ...(startup && { options: startup }),
    ...(ssl !== undefined && { ssl }),
    ...(sslNegotiation && { sslnegotiation: sslNegotiation }),
    enableChannelBinding: channelBinding,
    application_name: options.name,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  }
}
