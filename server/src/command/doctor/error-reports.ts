import { rootCause } from '../../platform/observability/root-cause.ts'
import type { Config } from '../../settings/config.ts'
import { type Finding, fault, good } from './finding.ts'

const withinMs = 5000

/** Sends an empty envelope to the error report server. */
export async function examineErrorReports({ sentryDsn }: Config): Promise<Finding[]> {
  if (sentryDsn === null) return []
  const { origin, host, username, pathname } = new URL(sentryDsn)
  const [, folder = '', project = ''] = /^(.*)\/(\d+)$/.exec(pathname) ?? []
  const advice = 'Mend SENTRY_DSN: faults stand in the log alone meanwhile.'
  try {
    const { status } = await fetch(`${origin}${folder}/api/${project}/envelope/?sentry_key=${username}`, {
      method: 'POST',
      body: '{}\n',
      headers: { 'Content-Type': 'application/x-sentry-envelope' },
      signal: AbortSignal.timeout(withinMs),
    })
    // An empty envelope may be refused as such; a wrong key or project is refused before it is read.
    if ([401, 403, 404].includes(status) || status >= 500)
      return [fault('error reports', `${host} refuses them (${status}).`, advice)]
    return [good('error reports', `${host} takes them.`)]
  } catch (error) {
    return [fault('error reports', `${host} cannot be reached: ${rootCause(error)}.`, advice)]
  }
}
