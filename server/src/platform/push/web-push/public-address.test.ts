import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type NameServer, openNameServer } from '../../../../test/push/name-server.ts'
import { isPublicAddress, NotPublic, publicLookup } from './public-address.ts'

test.each([
  '1.1.1.1',
  '142.250.74.106',
  '172.15.255.255',
  '172.32.0.1',
  '2001:4860:4860::8888',
  '2a00:1450:400f:80d::200a',
  '64:ff9b::8.8.8.8',
])('%s is public', address => expect(isPublicAddress(address)).toBe(true))

test.each([
  ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1'],
  ...[
    '172.31.255.255',
    '192.0.0.8',
    '192.168.1.1',
    '198.18.0.1',
    '203.0.113.9',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
  ],
  ...[
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd12::1',
    'ff02::1',
  ],
  ...['64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1'],
  ...['', 'localhost', '127.1', '2130706433', '1.1.1.1.1'],
])('%j is not public', address => expect(isPublicAddress(address)).toBe(false))

describe('the lookup', () => {
  let nameServer: NameServer
  let lookup: (hostname: string, options: { all?: boolean }) => Promise<unknown>
  beforeAll(async () => {
    nameServer = await openNameServer({
      'push.example': ['142.250.74.106', '142.250.74.107'],
      'inside.example': ['10.0.0.1'],
      'mixed.example': ['142.250.74.106', '127.0.0.1'],
    })
    lookup = promisify(publicLookup([nameServer.address])) as typeof lookup
  })
  afterAll(() => nameServer.close())

  test('the lookup gives the public addresses of a name', async () => {
    expect(await lookup('push.example', { all: true })).toEqual([
      { address: '142.250.74.106', family: 4 },
      { address: '142.250.74.107', family: 4 },
    ])
    expect(await lookup('push.example', {})).toBe('142.250.74.106')
  })

  test.each(['inside.example', 'mixed.example'])('the lookup refuses %s, which leads inside', async name => {
    await expect(lookup(name, { all: true })).rejects.toBeInstanceOf(NotPublic)
  })

  test('the lookup reports an unknown name', async () => {
    await expect(lookup('nowhere.example', { all: true })).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })
})
