import type { Json } from '../json-schemas.ts'
import type { StreamRoute } from '../streams.ts'
import { titleOf } from './describe-operation.ts'
import { refusalsOf } from './describe-refusals.ts'
import { described } from './parameters.ts'

export const describeStream = (route: StreamRoute): Json => ({
  operationId: route.name,
  summary: titleOf(route.name),
  description: `${route.summary} At most ${route.perMinute} requests per minute.`,
  ...(route.signed && { security: [] }),
  parameters: route.parameters.map(each => described({ ...each }, route.name)),
  ...(route.at[0] === 'PATCH' && {
    requestBody: {
      required: true,
      content: {
        'application/offset+octet-stream': {
          schema: { type: 'string', contentMediaType: 'application/offset+octet-stream' },
        },
      },
    },
  }),
  responses: {
    ...Object.fromEntries(
      Object.entries(route.replies).map(([status, { description, headers: told = [], body }]) => [
        status,
        {
          description,
          ...(told.length > 0 && {
            headers: Object.fromEntries(told.map(name => [name, { schema: { type: 'string' } }])),
          }),
          ...(body && { content: { [body]: { schema: { type: 'string', contentMediaType: body } } } }),
        },
      ]),
    ),
    ...refusalsOf(route, route.signed === true),
  },
})
