/*
 * Everything that is compared is normalized when it is read. Names and addresses are composed (NFC), the domain of a
 * mailbox is the same in letters and in their ASCII form, and a digit is a digit.
 */

/** Digits of every script are in tens, and this is how far into its ten one is. */
const digitOf = (digit: string) => {
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint((digit.codePointAt(0) as number) - value - 1))) value++
  return String(value)
}

/** A text with the digits of every script as `0` to `9`: `٤٨٢١` is 4821. */
export const asciiDigits = (text: string): string =>
  text.replaceAll(/\p{Nd}/gu, digit => (digit <= '9' ? digit : digitOf(digit)))

/** How far apart the code points of a Punycode label are from one to the next (RFC 3492, 6.1). */
const adapted = (delta: number, points: number, first: boolean) => {
  let rest = first ? Math.floor(delta / 700) : delta >> 1
  rest += Math.floor(rest / points)
  let steps = 0
  for (; rest > 455; steps += 36) rest = Math.floor(rest / 35)
  return steps + Math.floor((36 * rest) / (rest + 38))
}

/** The letters of a label in ASCII (RFC 3492, 6.2). Browsers and servers only have the other way. */
const lettersOf = (label: string): string => {
  if (!label.startsWith('xn--')) return label
  const plain = label.lastIndexOf('-')
  const points = plain > 3 ? [...label.slice(4, plain)].map(letter => letter.codePointAt(0) as number) : []
  let [point, at, bias] = [128, 0, 72]
  const digits = [...label.slice(Math.max(plain, 3) + 1)]
  while (digits.length > 0) {
    const before = at
    for (let weight = 1, k = 36; ; k += 36) {
      const digit = Number.parseInt(digits.shift() ?? '', 36)
      const value = digit > 9 ? digit - 10 : digit + 26
      if (Number.isNaN(value)) return label
      at += value * weight
      const threshold = Math.min(26, Math.max(1, k - bias))
      if (value < threshold) break
      weight *= 36 - threshold
    }
    bias = adapted(at - before, points.length + 1, before === 0)
    point += Math.floor(at / (points.length + 1))
    at %= points.length + 1
    if (point > 0x10ffff) return label
    points.splice(at++, 0, point)
  }
  const letters = String.fromCodePoint(...points)
  return /\p{C}/u.test(letters) ? label : letters
}

const asciiOf = (domain: string) => {
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return undefined
  }
}

/** An e-mail address as its mailbox is called: `jörg@xn--mnchen-3ya.de` is `jörg@münchen.de`. */
export const mailboxOf = (email: string): string => {
  const composed = email.normalize()
  const domain = composed.slice(composed.lastIndexOf('@') + 1)
  if (!/[^\0-\x7f]|xn--/i.test(domain)) return composed
  const ascii = asciiOf(domain)
  if (ascii === undefined) return composed
  return composed.slice(0, -domain.length) + ascii.split('.').map(lettersOf).join('.')
}

/** A sign-in name: an address, or a username as others mention it. */
export const loginName = (typed: string): string =>
  typed.lastIndexOf('@') > 0 ? mailboxOf(typed) : typed.normalize().replace(/^@/, '')

/** How a password may have been typed when its hash was made, the form of today first. */
export const compositionsOf = (password: string): string[] => [
  ...new Set([password.normalize('NFC'), password, password.normalize('NFD')]),
]
