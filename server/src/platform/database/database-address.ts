import { readFileSync } from 'node:fs'
import { getCACertificates, rootCertificates } from 'node:tls'
import type { ClientConfig } from 'pg'
import { CannotStart } from '../process/cannot-start.ts'

export type Host = { host: string; port: number }

/** Parses DATABASE_URL as libpq does, so that whatever works for psql works here. */
export type DatabaseAddress = {
  at: Host
  /** Without a password, for messages: `db.example:5432/party`. */
  place: string
  user?: string
  password?: string
  database?: string
  /** The operator's own startup options, such as `-c search_path=party`. */
  options?: string
  /** undefined: according to PGSSLMODE, or none. */
  ssl?: ClientConfig['ssl']
  sslNegotiation?: 'direct'
  channelBinding: boolean
  /** The server must prove that it knows the password too; nothing is sent that would reveal it. */
  scramOnly: boolean
}

const defaultPort = 5432
const form = /^postgres(?:ql)?:\/\/(?:([^/?]*)@)?([^@/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s

export const isDatabaseUrl = (url: string): boolean => {
  try {
    parse(url)
    return true
  } catch {
    return false
  }
}

/** Throws CannotStart for options we cannot honour, with a message that contains no password. */
export const readDatabaseAddress = (url: string): DatabaseAddress => {
  const { user, password, at, others, database, parameters } = parse(url)
  if (others.length > 0)
    throw new CannotStart(
      'DATABASE_URL names several hosts: name one that leads to whichever accepts writes (docs/operations/several-boxes.md).',
    )
  refuseStandbys(parameters.get('target_session_attrs'))
  const name = at.host.startsWith('/') ? 'the local socket' : `${at.host}:${at.port}`
  const options = parameters.get('options')
  const ssl = readTls(parameters)
  return {
    at,
    place: `${name}/${database ?? ''}`,
    ...(user && { user }),
    ...(password && { password }),
    ...(database && { database }),
    ...(options && { options }),
    ...(ssl !== undefined && { ssl }),
    ...(parameters.get('sslnegotiation') === 'direct' && { sslNegotiation: 'direct' }),
    channelBinding: ['prefer', 'require'].includes(parameters.get('channel_binding') ?? ''),
    scramOnly: parameters.get('require_auth') === 'scram-sha-256' || parameters.get('channel_binding') === 'require',
  }
}

function parse(url: string) {
  const [, login = '', authority = '', name = '', query = ''] = form.exec(url) ?? fail()
  const parameters = new URLSearchParams(query)
  const [user = '', ...rest] = login.split(':')
  const [first = '', ...others] = (parameters.get('host') ? withPort(parameters, authority) : authority).split(',')
  return {
    user: decodeURIComponent(user) || parameters.get('user'),
    password: decodeURIComponent(rest.join(':')) || parameters.get('password'),
    at: readHost(first),
    others,
    database: decodeURIComponent(name) || parameters.get('dbname'),
    parameters,
  }
}

/** `?host=a&port=1` */
function withPort(parameters: URLSearchParams, authority: string): string {
  const port = parameters.get('port') ?? /:(\d+)$/.exec(authority)?.[1]
  const hosts = (parameters.get('host') as string).split(',').map(encodeURIComponent)
  return `${hosts}${port ? `:${port}` : ''}`
}

function readHost(text: string): Host {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(text) ?? fail()
  const number = port === undefined ? defaultPort : Number(port)
  if (number < 1 || number > 65_535) fail()
  return { host: bracketed ?? (decodeURIComponent(plain ?? '') || process.env.PGHOST || 'localhost'), port: number }
}

function fail(): never {
  throw new CannotStart('DATABASE_URL is not a URL like postgres://user:password@host:5432/name.')
}

function refuseStandbys(wanted: string | null): void {
  if (wanted === null || ['any', 'read-write', 'primary'].includes(wanted)) return
  throw new CannotStart(
    `DATABASE_URL asks for target_session_attrs=${wanted}, but Afterglow writes: use read-write, or leave it out.`,
  )
}

/** libpq's modes, in which providers hand out their addresses; pg interprets them differently and warns. */
function readTls(parameters: URLSearchParams): ClientConfig['ssl'] {
  const mode = parameters.get('sslmode')
  const ca = readAuthorities(parameters.get('sslrootcert'))
  const own = keyPair(parameters)
  const unproven = { ...own, rejectUnauthorized: false }
  const proven = () => ({ ...own, ca: ca ?? everyAuthority() })
  /** By the certificate authority alone, whatever name the certificate has. */
  const byAuthority = () => ({ ...proven(), checkServerIdentity: () => undefined })
  switch (mode) {
    case null: {
      const ssl = parameters.get('ssl') ?? ''
      if (parameters.get('sslnegotiation') === 'direct' || ['true', '1'].includes(ssl)) return proven()
      return ['false', '0'].includes(ssl) ? false : undefined
    }
    case 'disable':
      return false
    case 'no-verify':
      return unproven
    case 'require':
      return ca ? byAuthority() : unproven
    case 'verify-ca':
      if (ca) return byAuthority()
      throw new CannotStart(
        'DATABASE_URL says sslmode=verify-ca without sslrootcert: name the file of the authority, or use verify-full.',
      )
    case 'verify-full':
      return proven()
    default:
      throw new CannotStart(
        `DATABASE_URL says sslmode=${mode}: use disable, require (encrypted), or verify-full (encrypted, and the server proves its name).`,
      )
  }
}

const everyAuthority = () => [...rootCertificates, ...getCACertificates('system')]

function readAuthorities(path: string | null): string | undefined {
  return path === null || path === 'system' ? undefined : read(path, 'sslrootcert')
}

function keyPair(parameters: URLSearchParams): { cert?: string; key?: string } {
  const [cert, key] = [parameters.get('sslcert'), parameters.get('sslkey')]
  return { ...(cert && { cert: read(cert, 'sslcert') }), ...(key && { key: read(key, 'sslkey') }) }
}

function read(path: string, parameter: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException
    throw new CannotStart(`${path}, which DATABASE_URL names as ${parameter}, cannot be read (${code}).`)
  }
}
