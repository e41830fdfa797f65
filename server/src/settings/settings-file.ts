import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import leven from 'leven'
import { CannotStart } from '../platform/process/cannot-start.ts'
import { settings } from './config.ts'
import type { Environment } from './setting.ts'

/** The settings in effect, and warnings for the operator about how they were given. */
export type GivenSettings = {
  env: Environment
  /** null: there is none. */
  file: string | null
  /** Names set by the file and not by the environment. */
  inFile: ReadonlySet<string>
  hints: string[]
}

const usualFile = '/etc/afterglow.env'

/**
 * Merges the environment with the settings file shared by the service, its unit and the command line: the one named in
 * AFTERGLOW_ENV, or else /etc/afterglow.env if it exists. The environment takes precedence. Throws CannotStart for a
 * named file that cannot be read.
 */
export function gatherSettings(environment: Environment): GivenSettings {
  const hints = misspelled(Object.keys(environment))
  const without = { env: environment, file: null, inFile: new Set<string>(), hints }
  const named = environment.AFTERGLOW_ENV
  const file = named === undefined ? usualFile : named.trim()
  if (file === '') return without
  try {
    const given = parseEnv(readFileSync(file, 'utf8'))
    const names = Object.keys(given)
    hints.push(...unknownIn(file, names))
    const inFile = new Set(names.filter(name => environment[name] === undefined))
    // The AWS client reads its profile and roles from the process itself.
    for (const name of inFile) if (name.startsWith('AWS_')) process.env[name] = given[name]
    return { env: { ...given, ...environment }, file, inFile, hints }
  } catch (fault) {
    const sentence = `The settings in ${file} cannot be read (${(fault as NodeJS.ErrnoException).code})`
    if (named !== undefined) throw new CannotStart(`${sentence}: AFTERGLOW_ENV names that file.`)
    if (existsSync(file)) hints.push(`${sentence}: let the group of the service's user read it (mode 0640).`)
    return without
  }
}

const isKnown = (name: string) => name === 'AFTERGLOW_ENV' || name in settings || /^OPENID_[1-9]\d_[A-Z_]+$/.test(name)
/** Variables allowed besides our settings: Node's own, the locale's, the AWS client's, OpenTelemetry's. */
const isOthers = (name: string) => /^(NODE_|OTEL_|AWS_|PG|LC_|LANG$|TZ$|PATH$|HOME$|npm_)/.test(name)

/** The setting meant by a name with at most two wrong letters; short names are too close to too many others. */
const meantBy = (name: string): string | undefined =>
  Object.keys(settings)
    .filter(known => known.length >= 6)
    .map(known => ({ known, distance: leven(known, name, { maxDistance: 3 }) }))
    .filter(({ distance }) => distance <= 2)
    .sort((one, other) => one.distance - other.distance)[0]?.known

const hintOf = (name: string, where = '') => {
  const meant = meantBy(name)
  return `${name}${where} is not known${meant ? `; did you mean ${meant}?` : ' here.'}`
}

/** The environment is shared: only names that resemble a setting of ours are reported. */
const misspelled = (names: readonly string[]) =>
  names.filter(name => !isKnown(name) && !isOthers(name) && meantBy(name)).map(name => hintOf(name))

/** The file is ours alone: every unknown name is reported. */
const unknownIn = (file: string, names: readonly string[]) =>
  names.filter(name => !isKnown(name) && !isOthers(name)).map(name => hintOf(name, ` in ${file}`))
