/** Every operation of the interface by slice. The documents, the tests and the server iterate over it. */
import type { Route } from './route.ts'
import { entriesOfSlices, type SliceName } from './slices.ts'

const routesOf = (part: object) =>
  Object.values(part).filter(
    (value): value is Route => typeof value === 'object' && value !== null && 'perMinute' in value && 'input' in value,
  )

export const operationsBySlice = Object.fromEntries(
  entriesOfSlices.map(([name, { parts }]) => [name, parts.flatMap(routesOf)]),
) as Record<SliceName, Route[]>

export const operations: Route[] = Object.values(operationsBySlice).flat()
