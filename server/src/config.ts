export type Limits = {
  /** Multiplies every rate limit; 1 in normal service. Load tests raise it, nothing else should. */
  rateFactor: number
  /** Sign-ins and registrations a minute from one network address, whatever the device. */
  signInsPerAddressPerMinute: number
  photosPerGuest: number
  photoBytesMax: number
  photoPixelsMax: number
  attachmentBytesMax: number
}

export type Config = {
  host: string
  port: number
  /** Origin that links and media URLs start with; null: the request's own host. */
  publicUrl: string | null
  /** Absolute path. Holds the embedded database, media and secrets. */
  dataDir: string
  /** null: the embedded PostgreSQL under dataDir. */
  databaseUrl: string | null
  /** Address ranges (CIDR) whose forwarded headers are believed. */
  trustedProxies: string[]
  corsOrigins: string[]
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent'
  limits: Limits
}
