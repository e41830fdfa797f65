import type { Answer } from './caller.ts'
import { faultsOf, listOf, type Shape } from './shapes.ts'
import type { World } from './world.ts'

/** A sentence of the documented interface, and a check that it holds. */
export type Statement = { id: string; says: string; of: 'document' | 'additions'; hold(world: World): Promise<void> }

/** The statement does not hold; the message says what was seen instead. */
export class Broken extends Error {}

export const broken = (answer: Answer | undefined, what: string): never => {
  throw new Broken(answer ? `${answer.asked}: ${what}` : what)
}

/** Creates the statements of one part. IDs are `part.name`. */
export const part = (
  name: string,
  statements: Record<string, [says: string, hold: Statement['hold']]>,
  of: Statement['of'] = 'document',
) => Object.entries(statements).map(([id, [says, hold]]): Statement => ({ id: `${name}.${id}`, says, of, hold }))

// ---- assertions ----

export const answers = (answer: Answer, status: number): Answer => {
  if (answer.status !== status) broken(answer, `answers ${answer.status}, not ${status}: ${answer.text.slice(0, 200)}`)
  return answer
}

export const shaped = (answer: Answer, shape: Shape, status = 200): Answer => {
  answers(answer, status)
  if (!answer.type.startsWith('application/json'))
    broken(answer, `is ${answer.type || 'of no type'}, not application/json`)
  const faults = faultsOf(answer.json, shape)
  if (faults.length > 0) broken(answer, faults.slice(0, 5).join('; '))
  return answer
}

type Listed = {
  data: Record<string, unknown>[]
  next_page_url: string | null
  prev_page_url: string | null
  first_page_url: string
  path: string
}
export const listed = (answer: Answer, item: Shape): Listed => shaped(answer, listOf(item)).json as Listed

/** Expects a plain 404 with exactly this text. */
export const missing = (answer: Answer, text: string): void => {
  answers(answer, 404)
  if (!answer.type.startsWith('text/plain')) broken(answer, `is ${answer.type || 'of no type'}, not text/plain`)
  if (answer.text !== text) broken(answer, `says ${JSON.stringify(answer.text)}, not ${JSON.stringify(text)}`)
}

/** Expects a refusal with exactly this sentence and nothing else. */
export const refuses = (answer: Answer, sentence: string, field = 'error_message', status = 400): void => {
  answers(answer, status)
  const expected = JSON.stringify({ [field]: sentence })
  if (JSON.stringify(answer.json) !== expected) broken(answer, `says ${answer.text.slice(0, 200)}, not ${expected}`)
}

/** Expects a validation error with sentences for at least these fields. */
export const faults = (answer: Answer, ...fields: string[]): void => {
  answers(answer, 400)
  const body = Object(answer.json) as Record<string, unknown>
  for (const field of fields) {
    const sentences = body[field]
    if (!Array.isArray(sentences) || sentences.length === 0 || !sentences.every(each => typeof each === 'string'))
      broken(answer, `does not name ${field} with a list of sentences: ${answer.text.slice(0, 200)}`)
  }
}

export const same = (answer: Answer, seen: unknown, expected: unknown, what: string): void => {
  if (JSON.stringify(seen) !== JSON.stringify(expected))
    broken(answer, `${what} is ${JSON.stringify(seen)}, not ${JSON.stringify(expected)}`)
}
