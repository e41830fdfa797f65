import { rootCause } from '../../platform/observability/root-cause.ts'
import { definitionsOf } from '../../platform/openid/definition.ts'
import { openPublished } from '../../platform/openid/published.ts'
import type { Config } from '../../settings/config.ts'
import { type Finding, fault, good } from './finding.ts'

/** Requests each provider's published configuration, as the first sign-in would. */
export const examineProviders = ({ providers }: Config): Promise<Finding[]> =>
  Promise.all(
    definitionsOf(providers).map(async definition => {
      const { name, issuer } = definition
      try {
        await openPublished(definition)()
        return good('sign-in', `${name} answers at ${issuer}.`)
      } catch (error) {
        return fault(
          'sign-in',
          `${name} cannot be asked at ${issuer}: ${rootCause(error)}.`,
          'Mend its settings, or let this machine reach it: nobody can sign in by it meanwhile.',
        )
      }
    }),
  )
