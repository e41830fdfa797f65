import type { ComponentType } from 'react'
import { type OnDemand, onDemand } from './on-demand.ts'

/** A component by its name in a module that is loaded when it is needed. */
export type Part = { load(): Promise<object>; name: string }
/** The layouts around a page and the page itself, the outermost first: each shows the next as its `<Outlet />`. */
export type Page = readonly Part[]

const codes = new Map<Part, OnDemand<ComponentType>>()
const codeOf = (part: Part): OnDemand<ComponentType> => {
  const known = codes.get(part)
  if (known) return known
  const code = onDemand(async () => ((await part.load()) as Record<string, ComponentType | undefined>)[part.name])
  codes.set(part, code)
  return code
}

/** Requests the parts that have not arrived. */
export const loadPage = (page: Page) =>
  Promise.all(page.filter(part => !codeOf(part).arrived()).map(part => codeOf(part).request()))

/** The parts that have arrived, from the outside in. */
export const partsOf = (page: Page): ComponentType[] => {
  const parts: ComponentType[] = []
  for (const part of page) {
    const component = codeOf(part).arrived()
    if (!component) break
    parts.push(component)
  }
  return parts
}
