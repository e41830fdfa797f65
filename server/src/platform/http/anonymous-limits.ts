import type { AnyRoute } from '@afterglow/contract/route'
import { type RateLimits, type Spent, windowSeconds } from './limits.ts'
import { TooMany } from './refusals.ts'

/** A request without a bearer token, admitted for now. */
export type Admission = {
  spent: Spent
  /** It failed. Throws TooMany instead of its refusal if too many from its network have. */
  failed(): Promise<void>
}

type AnonymousRequest = {
  operation: Pick<AnyRoute, 'name' | 'perMinute' | 'at' | 'crowd' | 'guesses'>
  network: string
  /** The device or mailbox it names; '' for none. */
  subject: string
}

/** A wedding of a thousand behind one address, within a minute. */
const crowdFactor = 4

/**
 * The limits for callers without a token. Nothing they say is proven, so no caller may lock out the others behind their
 * address: successes and failures are counted separately for each operation, and beyond either there is a reserve,
 * renewed every second, for those not seen within this minute.
 */
export const openAnonymousLimits = (limits: RateLimits, perNetwork: number) => ({
  async admit({
    operation: { name, perMinute, at, crowd, guesses },
    network,
    subject,
  }: AnonymousRequest): Promise<Admission> {
    const placesPerNetwork = crowd ? perNetwork * crowdFactor : perNetwork
    let fromReserve = false
    const reserve = async () => {
      if (!fromReserve) await limits.spend(`reserve ${name}`, network, Math.ceil(perNetwork / windowSeconds), 1)
      fromReserve = true
    }

    // Callers that nothing tells apart count as one network.
    const own = await settled(
      crowd && subject === ''
        ? limits.spend(`crowd ${name}`, network, placesPerNetwork)
        : limits.spend(name, `${network} ${subject}`, perMinute),
    )
    // If nothing tells callers apart, successful ones are let through: one caller must not use the budget up for all.
    if (own instanceof TooMany && subject !== '') throw own
    const isNew = own instanceof TooMany || own.remaining === own.limit - 1
    if (own instanceof TooMany && at[0]?.[0] === 'GET') await reserve()

    const place = await settled(limits.spend(`network ${name}`, network, placesPerNetwork))
    if (place instanceof TooMany) {
      if (!isNew) throw place
      await reserve()
    }
    if (guesses) {
      const left = await settled(limits.demandLeft(`failed ${name}`, network, perNetwork))
      if (left instanceof TooMany) {
        if (!isNew) throw left
        await reserve()
      }
    }
    return {
      spent: own instanceof TooMany ? { limit: own.limit, remaining: 0 } : own,
      async failed() {
        if (!(place instanceof TooMany)) await limits.giveBack(`network ${name}`, network, placesPerNetwork)
        if (own instanceof TooMany) throw own
        const left = await settled(limits.spend(`failed ${name}`, network, perNetwork))
        if (left instanceof TooMany && !fromReserve) throw left
      },
    }
  },
})

const settled = <Result>(work: Promise<Result>): Promise<Result | TooMany> =>
  work.catch(error => {
    if (error instanceof TooMany) return error
    throw error
  })
