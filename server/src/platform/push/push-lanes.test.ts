import { expect, test } from 'vitest'
import { isOfStrangers, placesOf, pushLanes } from './push-lanes.ts'

const laneOf = pushLanes(['https://push.party.example:8443'])

test.each([
  ['web', 'https://fcm.googleapis.com/fcm/send/abc', 'push web googleapis.com'],
  ['web', 'https://updates.push.services.mozilla.com/wpush/v2/x', 'push web push.services.mozilla.com'],
  ['web', 'https://web.push.apple.com/Qx', 'push web push.apple.com'],
  ['web', 'https://wns2-am3p.notify.windows.com/w/?token=x', 'push web notify.windows.com'],
  ['web', 'https://push.party.example:8443/x', 'push web push.party.example:8443'],
  ['android', null, 'push android'],
  ['ios', null, 'push ios'],
] as const)('pushes to %s %s have a lane of their own', (platform, endpoint, lane) => {
  expect(laneOf(platform, endpoint)).toBe(lane)
  expect(placesOf(lane)).toBe(64)
})

test('all other hosts share a few narrow lanes, and all names of a domain the same one', () => {
  const endpoints = Array.from({ length: 2_000 }, (_, at) => `https://host${at}.example${at}.net/x`)
  const lanes = new Set(endpoints.map(endpoint => laneOf('web', endpoint)))
  expect(lanes.size).toBeLessThanOrEqual(16)
  expect([...lanes].every(isOfStrangers)).toBe(true)
  expect(new Set(endpoints.map((_, at) => laneOf('web', `https://a${at}.evil.example/x`))).size).toBe(1)
  for (const odd of ['https://googleapis.com.evil.example/x', 'https://notgoogleapis.com/x', 'nonsense', ''])
    expect(isOfStrangers(laneOf('web', odd))).toBe(true)
})
