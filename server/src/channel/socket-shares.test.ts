import { expect, test } from 'vitest'
import { openSocketShares } from './socket-shares.ts'

test('nobody holds more than half of the sockets', () => {
  const shares = openSocketShares<number>(10)
  for (let n = 0; n < 5; n++) {
    expect(shares.mayTake('a venue')).toBe(true)
    shares.add('a venue', n)
  }
  expect(shares.mayTake('a venue')).toBe(false)
  expect(shares.mayTake('a home')).toBe(true)
  shares.remove('a venue', 3)
  expect(shares.mayTake('a venue')).toBe(true)
})

test('when none is left, the newest of whoever holds most makes room for somebody who holds less', () => {
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
