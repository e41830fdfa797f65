import { expect, test } from 'vitest'
import { hueAmong } from '../src/events/cover-hue.ts'
import { coloursOf } from '../src/events/hue-colours.ts'

const luminance = (hex: string) => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
const contrast = (one: string, other: string) => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

test('a cover of any hue leaves text a contrast of 4.5 to 1, by day and by night', () => {
  const grounds = [
    ['#ffffff', '#fff9f3'],
    ['#211a17', '#16110f'],
  ]
  const weak: unknown[] = []
  for (let hue = 0; hue < 360; hue++) {
    const colours = coloursOf(hue)
    for (const at of [0, 1]) {
      const [ember, on, glow, onGlow] = (['ember', 'on-ember', 'glow', 'on-glow'] as const).map(
        name => colours[name][at] as string,
      ) as [string, string, string, string]
      const pairs = [
        [on, ember],
        [on, colours['ember-deep'][at] as string],
        [onGlow, glow],
      ]
      for (const ground of grounds[at] ?? []) pairs.push([ember, ground])
      for (const [text = '', behind = ''] of pairs)
        if (contrast(text, behind) < 4.5) weak.push([hue, at, text, behind, contrast(text, behind)])
    }
  }
  expect(weak).toEqual([])
})

test('a blue evening is blue, and a grey one has no hue', () => {
  const all = (...pixel: number[]) => Array.from({ length: 64 }, () => pixel).flat()
  expect(hueAmong(all(30, 60, 200, 255))).toBeCloseTo(266, -1)
  expect(hueAmong(all(200, 60, 30, 255))).toBeCloseTo(33, -1)
  expect(hueAmong(all(120, 120, 121, 255))).toBeUndefined()
  expect(hueAmong([])).toBeUndefined()
})

test('lanterns by night are amber, however much of the picture is a violet sky', () => {
  const night = Array.from({ length: 500 }, () => [60, 40, 85, 255]).flat()
  const lanterns = Array.from({ length: 76 }, () => [255, 200, 110, 255]).flat()
  const hue = hueAmong([...night, ...lanterns])
  expect(hue).toBeGreaterThan(50)
  expect(hue).toBeLessThan(95)
})
