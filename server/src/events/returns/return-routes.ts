import * as contract from '@afterglow/contract/returns'
import type { Person } from '../../accounts/persons.ts'
import { personsById } from '../../accounts/persons-sql.ts'
import { presentMinimalUser } from '../../accounts/present-person.ts'
import { presentTransfer } from '../../accounts/returns/present-transfer.ts'
import type { RateLimits } from '../../platform/http/limits.ts'
import { rangeOf } from '../../platform/http/pages.ts'
import type { Serve, ServeOpen } from '../../platform/http/serve.ts'
import type { Urls } from '../../platform/http/urls.ts'
import { eventFor, requireCapability } from '../access.ts'
import type { LinkCodes } from '../links/link-codes.ts'
import { claimPerson } from './claims.ts'
import * as requests from './return-requests.ts'
import * as store from './return-requests-store.ts'
import { makeReturnKey } from './returns.ts'

const done = { done: true } as const
type Routes = { serve: Serve; serveOpen: ServeOpen }
type Introduced = {
  code: string
  pin?: string | undefined
  user_first_name: string
  user_last_name?: string | undefined
}

const visitorOf = (input: Introduced & { device_id?: string | undefined }, network: string) => ({
  code: input.code,
  pin: input.pin,
  firstName: input.user_first_name,
  lastName: input.user_last_name ?? '',
  network,
  device: input.device_id ?? '',
})

const presentState = ({ status, expires_at }: Awaited<ReturnType<typeof requests.readReturn>>) => ({
  return_status: status,
  return_expires_at: expires_at.toISOString(),
})

const presentReturn = (row: store.WaitingReturn, persons: ReadonlyMap<number, Person>, urls: Urls) => ({
  id: row.id,
  asked_by: row.asked_by === null ? null : presentMinimalUser(persons.get(row.asked_by) as Person, urls),
  user_first_name: row.firstName,
  user_last_name: row.lastName,
  user_device_platform: row.platform,
  created_at: row.asked_at.toISOString(),
  candidates: row.candidates.map(({ user_id, joined_at, last_used_at }) => ({
    user: presentMinimalUser(persons.get(user_id) as Person, urls),
    joined_at: new Date(joined_at).toISOString(),
    last_used_at: last_used_at && new Date(last_used_at).toISOString(),
  })),
})

export const returnRoutes = ({ serve, serveOpen }: Routes, tools: { codes: LinkCodes; limits: RateLimits }) => {
  serve(contract.makeReturnKey, async ({ db, viewer, input }) => {
    await makeReturnKey(db, viewer, input.event_id, input.return_key)
    return done
  })

  serveOpen(contract.findNamesake, async ({ db, input, network }) => ({
    namesake: await requests.isNamesakeThere(db, tools, visitorOf(input, network)),
  }))

  serveOpen(contract.askToReturn, async ({ db, input, network }) =>
    presentState(
      await requests.askToReturn(db, tools, {
        ...visitorOf(input, network),
        returnCode: input.return_code,
        platform: input.user_device_platform,
      }),
    ),
  )

  serveOpen(contract.readReturn, async ({ db, input }) =>
    presentState(await requests.readReturn(db, input.return_code)),
  )

  serve(contract.claimPerson, async ({ db, viewer, input }) => {
    await claimPerson(db, viewer, input.event_id, input.user_id)
    return done
  })

  serve(contract.listReturns, async ({ db, viewer, input, urls, page }) => {
    requireCapability(await eventFor(db, viewer, input.event_id), 'invite')
    const rows = await store.listReturns(db, input.event_id, rangeOf(input))
    const persons = await personsById(
      db,
      rows.flatMap(row => [row.asked_by ?? [], row.candidates.map(({ user_id }) => user_id)].flat()),
    )
    return page(rows, row => presentReturn(row, persons, urls))
  })

  serve(contract.approveReturn, async ({ db, viewer, input }) => {
    await requests.approveReturn(db, viewer, input.return_id, input.user_id)
    return done
  })

  serve(contract.rejectReturn, async ({ db, viewer, input }) => {
    await requests.rejectReturn(db, viewer, input.return_id)
    return done
  })

  serve(contract.letInAgain, async ({ db, viewer, input, urls }) =>
    presentTransfer(await requests.letInAgain(db, viewer, input.event_id, input.user_id), urls),
  )
}
