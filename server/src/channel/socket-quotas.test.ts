import { expect, test } from 'vitest'
import { openSocketShares } from './socket-quotas.ts'

test('nobody holds more than half of the sockets', () => {
  const shares = openSocketShares<number>(10)
  for (let n = 0; n < 5; n++) {
    expect(shares.room('a venue', 7).for).toBe(true)
    shares.add('a venue', n, 7)
  }
  expect(shares.room('a venue', 7).for).toBe(false)
  expect(shares.room('a home', 8).for).toBe(true)
  shares.remove('a venue', 3, 7)
  expect(shares.room('a venue', 7)).toEqual({ for: true })
})

test('when none is left, the newest socket of the largest holder makes room for a smaller one', () => {
  const shares = openSocketShares<string>(10)
  for (let n = 0; n < 4; n++) shares.add('a bot', `bot ${n}`)
  shares.add('a home', 'phone')
  expect(shares.dispensable('elsewhere')).toBe('bot 3')
  expect(shares.dispensable('a home')).toBe('bot 3')
  expect(shares.dispensable('a bot')).toBeUndefined()
  shares.add('a home', 'tablet')
  shares.add('a home', 'laptop')
  expect(shares.dispensable('a home')).toBeUndefined()
})

test('five names with many sockets each close nobody else at the venue out', () => {
  const shares = openSocketShares<string>(100)
  for (let n = 0; n < 50; n++) shares.add('venue', `${n}`, 100 + (n % 5))
  const guests = Array.from({ length: 30 }, (_, n) => 200 + n)
  for (const guest of guests) {
    const { for: admitted, by } = shares.room('venue', guest)
    expect([admitted, by !== undefined]).toEqual([true, true])
    shares.remove('venue', by as string, 100 + (Number(by) % 5))
    shares.add('venue', `of ${guest}`, guest)
  }
})

test('new names with a socket each make room for an older account, and never the other way round', () => {
  const shares = openSocketShares<number>(10)
  for (const person of [50, 51, 52, 53, 54]) shares.add('venue', person, person)
  expect(shares.room('venue', 20)).toEqual({ for: true, by: 54 })
  expect(shares.room('venue', 90)).toEqual({ for: false })
})
