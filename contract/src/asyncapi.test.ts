import asyncApi31 from '@asyncapi/specs/schemas/3.1.0-without-$id.json' with { type: 'json' }
import spectral from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { asyncapi } from './asyncapi.ts'
import { channelExamples } from './channel-examples.ts'
import { notificationKinds } from './notifications.ts'
import { clearings, pushes } from './pushes.ts'
import { type ChannelEventKind, ChannelMeta, ChannelReady, channelEvents } from './realtime.ts'

const document = asyncapi('https://party.example')

const at = (pointer: string): unknown =>
  pointer
    .slice(2)
    .split('/')
    .reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], document)

const refsIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, each]) => (key === '$ref' ? [each as string] : refsIn(each)))

test("the document is valid by AsyncAPI 3.1's own schema", () => {
  const ajv = new Ajv({ strict: false })
  formats.default(ajv)
  const isValid = ajv.compile(asyncApi31)
  expect(isValid(document) ? null : isValid.errors).toBe(null)
  expect(isValid({ ...document, channels: { user: { messages: [] } } })).toBe(false)
})

test('the recommended rules of Spectral have nothing to say', async () => {
  const linter = new spectral.Spectral()
  linter.setRuleset({ extends: [[rulesets.asyncapi, 'recommended']] } as never)
  const problems = await linter.run(JSON.stringify(document))
  expect(problems.map(({ code, message, path }) => `${code}: ${message} ${path.join('/')}`)).toEqual([])
}, 300_000)

test('every event of the channel stands in it, every kind of push, what takes pushes away, and nothing else but the first event', () => {
  const { messages } = document.components as { messages: object }
  const rings = ['pushOnWeb', 'pushOnAndroid', 'pushOnIos', 'clearOnAndroid', 'clearOnIos']
  expect(Object.keys(messages)).toEqual(['ready', ...Object.keys(channelEvents), ...rings])
  const { channels, operations } = document as {
    channels: { user: { messages: object } }
    operations: { tell: { messages: unknown[] } }
  }
  expect([...Object.keys(channels.user.messages), ...rings]).toEqual(Object.keys(messages))
  expect(operations.tell.messages).toHaveLength(Object.keys(channels.user.messages).length)
})

describe('the examples, kept by `npm run examples`,', () => {
  test('show every event, in the shape that the contract has now', () => {
    const { events } = channelExamples
    expect(Object.keys({ ready: ChannelReady, ...channelEvents }).filter(kind => !events[kind])).toEqual([])
    for (const [kind, [payload, ...rest]] of Object.entries(events)) {
      const shape = kind === 'ready' ? ChannelReady : channelEvents[kind as ChannelEventKind]
      expect([kind, (shape as z.ZodType).safeParse(payload).error]).toEqual([kind, undefined])
      expect([kind, rest.map(meta => ChannelMeta.safeParse(meta).success)]).toEqual([
        kind,
        kind === 'ready' ? [] : [true],
      ])
    }
  })

  test('show what each kind of notification rings with on every platform', () => {
    expect(notificationKinds.filter(kind => !channelExamples.pushes[kind])).toEqual([])
    for (const [kind, seen] of Object.entries(channelExamples.pushes))
      for (const [platform, shape] of Object.entries(pushes))
        expect([kind, platform, shape.safeParse(seen[platform as keyof typeof pushes]).error]).toEqual([
          kind,
          platform,
          undefined,
        ])
    for (const [platform, shape] of Object.entries(clearings))
      expect(shape.safeParse(channelExamples.clearings[platform as keyof typeof clearings]).error).toBeUndefined()
  })
})

test('every reference in it leads somewhere', () => {
  const refs = refsIn(document)
  expect(refs.length).toBeGreaterThan(80)
  for (const ref of refs) expect([ref, at(ref)]).toEqual([ref, expect.any(Object)])
})
