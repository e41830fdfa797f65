import { accountStatements } from './account-statements.ts'
import { additionStatements } from './addition-statements.ts'
import { callerOf, Unreachable } from './caller.ts'
import { chatStatements } from './chat-statements.ts'
import { commentStatements } from './comment-statements.ts'
import { galleryStatements } from './gallery-statements.ts'
import { limitStatements } from './limit-statements.ts'
import { requestStatements } from './request-statements.ts'
import { Broken, type Statement } from './statement.ts'
import { NobodySignedIn, NotTried, openWorld, type ProvidedWorld } from './world.ts'

export type Outcome = 'holds' | 'broken' | 'not tried'
export type Result = { id: string; says: string; outcome: Outcome; seen?: string; ms: number }

export type Choice = {
  /** Ids or parts: `chats`, `chats.read`. All when empty. */
  only?: readonly string[]
  /** Our additions too. */
  additions?: boolean
  /** An event with its people, for a server that cannot create them by this interface. */
  world?: ProvidedWorld
  send?: typeof fetch
  /** Called with each result as it comes. */
  tell?(result: Result): void
}

/** Nothing is broken and most was tried: an untried statement has not passed. */
export const passed = (results: readonly Result[]): boolean =>
  results.every(({ outcome }) => outcome !== 'broken') &&
  results.filter(({ outcome }) => outcome === 'holds').length > results.length / 2

export const statements: readonly Statement[] = [
  ...accountStatements,
  ...chatStatements,
  ...galleryStatements,
  ...commentStatements,
  ...requestStatements,
  ...additionStatements,
  ...limitStatements,
]

export const chosen = ({ only = [], additions = false }: Pick<Choice, 'only' | 'additions'>): Statement[] =>
  statements.filter(
    ({ id, of }) =>
      (of === 'document' || additions) &&
      (only.length === 0 || only.some(each => id === each || id.startsWith(`${each}.`))),
  )

/** Nothing at the address could speak the interface. */
export class NoService extends Error {}

/** Tries each chosen statement, one after the other, and cleans up. Throws NoService if there is no service. */
export const conform = async (baseUrl: string, choice: Choice = {}): Promise<Result[]> => {
  const send = choice.send ?? fetch
  await demandService(baseUrl, send)
  const world = openWorld(baseUrl, send, choice.world)
  const results: Result[] = []
  /** The statement that first reported a cause. */
  const told = new Map<unknown, string>()
  try {
    for (const statement of chosen(choice)) {
      const started = Date.now()
      const result = { id: statement.id, says: statement.says, ...(await tried(statement, world, told)), ms: 0 }
      result.ms = Date.now() - started
      results.push(result)
      choice.tell?.(result)
    }
  } finally {
    await world.cleanUp()
  }
  return results
}

const tried = async (
  statement: Statement,
  world: ReturnType<typeof openWorld>,
  told: Map<unknown, string>,
): Promise<{ outcome: Outcome; seen?: string }> => {
  try {
    await statement.hold(world)
    return { outcome: 'holds' }
  } catch (error) {
    const before = told.get(error)
    if (before !== undefined) return { outcome: 'not tried', seen: `for the reason told at ${before}` }
    told.set(error, statement.id)
    if (error instanceof NotTried) return { outcome: 'not tried', seen: error.message }
    if (error instanceof Broken || error instanceof Unreachable || error instanceof NobodySignedIn)
      return { outcome: 'broken', seen: error.message }
    // An answer of a completely different shape breaks the code that reads it.
    return { outcome: 'broken', seen: `cannot be read: ${(error as Error).message}` }
  }
}

/**
 * An account without a bearer is 401 wherever the interface is spoken: this rules out web pages and servers that accept
 * everything.
 */
const demandService = async (baseUrl: string, send: typeof fetch) => {
  if (!/^https?:\/\//.test(baseUrl)) throw new NoService(`${baseUrl} is no address like https://party.example`)
  const call = callerOf(baseUrl, send)
  const reply = await call('GET', 'api/account').catch(error => {
    throw new NoService(`nobody answers: ${error.message}`)
  })
  if (reply.status === 401) return
  const registering = await call('POST', 'api/account/register', { json: {} })
  if (registering.status === 400 && registering.type.startsWith('application/json')) return
  throw new NoService(
    `${baseUrl} does not speak the interface: ${reply.asked} without a token answers ${reply.status}, and registering without fields ${registering.status} (${registering.type || 'no type'})`,
  )
}
