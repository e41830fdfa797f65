import { examples } from '../examples.ts'
import type { Json } from '../json-schemas.ts'
import { invalidCode } from '../refusal-codes.ts'
import { refusalPages } from '../refusal-pages.ts'
import type { Refusal, Route } from '../route.ts'
import { limited, refs, schemaRef } from './components.ts'

/** The replies of an operation that refuse. */
export const refusalsOf = ({ name, refusals }: Pick<Route, 'name' | 'refusals'>, open: boolean): Json => {
  const entries = Object.entries<Refusal>(refusals)
  const bodyOf = (refusal: Refusal): unknown => {
    const { status, ...body } = refusal
    return 'text' in refusal ? refusal.text : body
  }
  const summaryOf = (code: string) => refusalPages[code as keyof typeof refusalPages].cause
  const of = (status: number) => entries.filter(([, refusal]) => refusal.status === status)
  const shown = (status: number) =>
    Object.fromEntries(
      of(status).map(([code, refusal]) => [code, { summary: summaryOf(code), value: bodyOf(refusal) }]),
    )
  const invalid = examples[name]?.refusals[invalidCode]?.body
  const wrong = {
    ...(invalid !== undefined && { [invalidCode]: { summary: summaryOf(invalidCode), value: invalid } }),
    ...shown(400),
  }
  const refusing = (description: string, type: string, schema: Json, seen: Json) => ({
    description,
    headers: refs('headers', ['X-Refusal', ...limited]),
    content: { [type]: { schema, ...(Object.keys(seen).length > 0 && { examples: seen }) } },
  })
  const codesIn = (status: number) => of(status).map(([code]) => `\`${code}\``)
  return {
    400: refusing(
      [`\`${invalidCode}\``, ...codesIn(400)].join(' · '),
      'application/json',
      schemaRef('ValidationError'),
      wrong,
    ),
    ...(of(401).length > 0
      ? { 401: refusing(codesIn(401).join(' · '), 'application/json', schemaRef('ValidationError'), shown(401)) }
      : !open && { 401: refs('responses', ['Unauthenticated']).Unauthenticated }),
    ...(of(404).length > 0 && {
      404: refusing(codesIn(404).join(' · '), 'text/plain', { type: 'string' }, shown(404)),
    }),
    429: refs('responses', ['TooManyRequests']).TooManyRequests,
    500: refs('responses', ['Fault']).Fault,
    503: refs('responses', ['Unavailable']).Unavailable,
  }
}
