/** Finds changes between two API documents that break a client written for the earlier one. */

type Json = { [key: string]: unknown }
type Direction = 'asked' | 'answered'
type Documents = { before: Json; after: Json }

/** The documented shapes are closed: additions go to `extra` only. */
const closed = new Set([
  ...['Account', 'AuthenticatedAccount', 'MinimalUser', 'MinimalUserWithFriend', 'SeenUser', 'GroupChat'],
  ...['LatestMessage', 'Message', 'RepliedMessage', 'RepliedMessageInChat', 'MessageReaction'],
  ...['MessageReactionInChat', 'MessageAttachment', 'GalleryPhoto', 'GalleryPhotoComment'],
  ...['GalleryCommentReactedUser'],
])

/**
 * Corrections of the last release’s document: the service always asked for the name, now asks for less proof,
 * answers a repeat as it did the first time, and knows no deleted photo that one may not restore. A release empties this.
 */
export const corrected: readonly string[] = [
  'POST /api/account/details/update: body.user_last_name is needed now',
  'POST /api/account/details/update: does not refuse as proveFirst any more',
  'PUT /api/event/cancel/{event_id}: does not refuse as cancelled any more',
  'PUT /api/gallery/photo/restore/{event_photo_id}: does not refuse as mayNotRestorePhoto any more',
]

export const breakingDifferences = (before: Json, after: Json): string[] => {
  const found: string[] = []
  const documents = { before, after }
  const paths = { before: before.paths as Record<string, Json>, after: after.paths as Record<string, Json> }
  for (const [path, methods] of Object.entries(paths.before))
    for (const [method, operation] of Object.entries(methods) as [string, Json][]) {
      const address = `${method.toUpperCase()} ${path}`
      const now = paths.after[path]?.[method] as Json | undefined
      if (now) found.push(...ofOperation(operation, now, documents).map(each => `${address}: ${each}`))
      else found.push(`${address} is gone`)
    }
  return found
}

/** A document without descriptions and examples, as kept for a release. Codes and the version stay. */
export const bare = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(bare)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => {
      if (key === 'info' && 'version' in each) return [[key, { version: each.version }]]
      if (
        ['description', 'summary', 'example', 'tags', 'info', 'servers', 'headers', 'x-codeSamples'].includes(key) &&
        isWords(each, key)
      )
        return []
      if (key === 'examples') return [[key, Object.fromEntries(Object.keys(each).map(code => [code, {}]))]]
      return [[key, bare(each)]]
    }),
  )
}

/** A resource's field may be named like an OpenAPI keyword. */
const isWords = (value: unknown, key: string) => key !== 'description' || typeof value === 'string'

const ofOperation = (before: Json, after: Json, documents: Documents): string[] => [
  ...(before.operationId === after.operationId
    ? []
    : [`is called ${after.operationId} in place of ${before.operationId}`]),
  ...ofParameters(withBodyInQuery(before, after), after, documents),
  ...ofBody(
    bodyIsInQuery(before, after) ? undefined : (before.requestBody as Json | undefined),
    after.requestBody as Json | undefined,
    documents,
  ),
  ...ofReplies(before.responses as Record<string, Json>, after.responses as Record<string, Json>, documents),
]

/** Body fields may move to the query: the service reads both. */
const bodyIsInQuery = (before: Json, after: Json) => before.requestBody !== undefined && after.requestBody === undefined

const withBodyInQuery = (before: Json, after: Json): Json => {
  if (!bodyIsInQuery(before, after)) return before
  const { content } = before.requestBody as { content: Record<string, { schema: Json }> }
  const { properties = {}, required = [] } = Object.values(content)[0]?.schema ?? {}
  const asParameters = Object.entries(properties as Record<string, Json>).map(([name, schema]) => ({
    in: 'query',
    name,
    required: (required as string[]).includes(name),
    schema,
  }))
  return { ...before, parameters: [...((before.parameters as Json[] | undefined) ?? []), ...asParameters] }
}

const parametersOf = ({ parameters = [] }: Json) =>
  new Map((parameters as Json[]).map(each => [`${each.in} ${each.name}`, each]))

const ofParameters = (before: Json, after: Json, documents: Documents): string[] => {
  const then = parametersOf(before)
  const now = parametersOf(after)
  const gone = [...then.keys()].filter(name => !now.has(name)).map(name => `${name} is not taken any more`)
  const needed = [...now].flatMap(([name, { required }]) =>
    required && !then.get(name)?.required ? [`${name} is needed now`] : [],
  )
  const changed = [...then].flatMap(([name, { schema }]) => {
    const later = now.get(name)
    return later ? ofSchema(schema as Json, later.schema as Json, { at: name, direction: 'asked', documents }) : []
  })
  return [...gone, ...needed, ...changed]
}

const ofBody = (before: Json | undefined, after: Json | undefined, documents: Documents): string[] => {
  if (!before) return after?.required ? ['needs a body now'] : []
  if (!after) return ['takes no body any more']
  const contents = { earlier: before.content as Record<string, Json>, later: after.content as Record<string, Json> }
  return Object.entries(contents.earlier).flatMap(([type, { schema }]) => {
    // JSON is accepted wherever a form is.
    const later =
      contents.later[type] ?? (type === 'application/json' ? contents.later['multipart/form-data'] : undefined)
    if (!later) return [`does not take ${type} any more`]
    return ofSchema(schema as Json, later.schema as Json, { at: 'body', direction: 'asked', documents })
  })
}

const ofReplies = (before: Record<string, Json>, after: Record<string, Json>, documents: Documents): string[] =>
  Object.entries(before).flatMap(([status, reply]) => {
    const later = after[status]
    if (!later) return [`does not answer ${status} any more`]
    const then = (resolved(reply, documents.before).content ?? {}) as Record<string, Json>
    const now = (resolved(later, documents.after).content ?? {}) as Record<string, Json>
    return Object.entries(then).flatMap(([type, { schema, examples = {} }]) => {
      const content = now[type]
      if (!content) return [`does not answer ${status} as ${type} any more`]
      const codes = Number(status) < 400 ? [] : Object.keys(examples as Json)
      const missing = codes.filter(code => !(code in ((content.examples ?? {}) as Json)))
      return [
        ...missing.map(code => `does not refuse as ${code} any more`),
        ...ofSchema(schema as Json, content.schema as Json, { at: status, direction: 'answered', documents }),
      ]
    })
  })

const resolved = (value: Json, document: Json): Json => {
  if (typeof value.$ref !== 'string') return value
  const found = value.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((each, key) => (each as Json)[key], document)
  return found as Json
}

type Comparing = { at: string; direction: Direction; documents: Documents; within?: string }

const ofSchema = (before: Json, after: Json, comparing: Comparing): string[] => {
  const { at, direction, documents } = comparing
  const shape = typeof before.$ref === 'string' ? before.$ref.split('/').at(-1) : undefined
  const then = resolved(before, documents.before)
  const now = resolved(after, documents.after)
  const types = { earlier: typesOf(then), later: typesOf(now) }
  // Requests may become wider, responses narrower.
  const [inner, outer] = direction === 'asked' ? [types.earlier, types.later] : [types.later, types.earlier]
  if (!inner.every(type => outer.includes(type) || (type === 'integer' && outer.includes('number'))))
    return [`${at} is ${types.later.join(' or ')} in place of ${types.earlier.join(' or ')}`]
  const choices = { earlier: choicesOf(then), later: choicesOf(now) }
  const lost = choices.later && choices.earlier?.filter(each => !choices.later?.includes(each))
  return [
    ...(direction === 'asked'
      ? [...(lost ?? []).map(each => `${at} may not be ${each} any more`), ...tightened(then, now, at)]
      : []),
    ...ofProperties(then, now, comparing, shape),
    ...(then.items && now.items
      ? ofSchema(then.items as Json, now.items as Json, { ...comparing, at: `${at}[]` })
      : []),
    ...ofVariants(then, now, comparing),
  ]
}

const typesOf = (schema: Json): string[] => {
  if (Array.isArray(schema.anyOf)) return schema.anyOf.flatMap(each => typesOf(each as Json))
  if (typeof schema.$ref === 'string') return ['object']
  return [schema.type ?? typeof schema.const].flat().map(String)
}

const choicesOf = (schema: Json): unknown[] | undefined =>
  schema.const === undefined ? (schema.enum as unknown[] | undefined) : [schema.const]

const tightened = (then: Json, now: Json, at: string): string[] => {
  const lower = ['maxLength', 'maximum', 'maxItems'].filter(
    bound => typeof now[bound] === 'number' && (now[bound] as number) < ((then[bound] as number) ?? Infinity),
  )
  const higher = ['minLength', 'minimum', 'minItems'].filter(
    bound => typeof now[bound] === 'number' && (now[bound] as number) > ((then[bound] as number) ?? -Infinity),
  )
  return [...lower, ...higher].map(bound => `${at} has a stricter ${bound}`)
}

const ofProperties = (then: Json, now: Json, comparing: Comparing, shape: string | undefined): string[] => {
  const { at, direction } = comparing
  const properties = {
    earlier: (then.properties ?? {}) as Record<string, Json>,
    later: (now.properties ?? {}) as Record<string, Json>,
  }
  const needed = { earlier: (then.required ?? []) as string[], later: (now.required ?? []) as string[] }
  const gone = Object.keys(properties.earlier).filter(name => !(name in properties.later))
  const added = Object.keys(properties.later).filter(name => !(name in properties.earlier))
  const changed = Object.entries(properties.earlier).flatMap(([name, schema]) => {
    const later = properties.later[name]
    return later ? ofSchema(schema, later, { ...comparing, at: `${at}.${name}` }) : []
  })
  return [
    ...gone.map(name => `${at}.${name} is gone`),
    ...(direction === 'asked'
      ? needed.later.filter(name => !needed.earlier.includes(name)).map(name => `${at}.${name} is needed now`)
      : needed.earlier.filter(name => !needed.later.includes(name)).map(name => `${at}.${name} may be missing now`)),
    ...(direction === 'answered' && shape && closed.has(shape)
      ? added.map(name => `${at}.${name} is new in a closed shape`)
      : []),
    ...changed,
  ]
}

/** Nullable fields are compared without their null. */
const ofVariants = (then: Json, now: Json, comparing: Comparing): string[] => {
  const only = (schema: Json) =>
    Array.isArray(schema.anyOf) ? (schema.anyOf as Json[]).filter(each => each.type !== 'null') : []
  const [before, ...others] = only(then)
  const [after] = only(now)
  return before && after && others.length === 0 ? ofSchema(before, after, comparing) : []
}
