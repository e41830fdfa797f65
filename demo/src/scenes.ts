/** Numbers from 0 to 1 that a seed decides. */
export type Roll = () => number
type Sized = { width: number; height: number; roll: Roll }

/** One evening's views, each drawn as the inside of an SVG. */
export const scenes = {
  /** Paper lanterns on a lake at night. */
  night: ({ width, height, roll }: Sized) => {
    const shore = height * (0.46 + roll() * 0.08)
    const lanterns = Array.from({ length: 26 }, () => {
      const depth = roll() ** 1.6
      return { x: width * (roll() * 1.1 - 0.05), y: shore + (height - shore) * (0.03 + depth * 0.8), depth }
    }).sort((one, other) => one.depth - other.depth)
    return [
      sky(width, height, ['#070b1e', '#1a2350', '#5b3a63', '#c06a4a'], shore / height),
      stars(roll, width, shore * 0.8),
      ridge(roll, width, shore, shore * 0.2, '#1c2143', shore + 4),
      ridge(roll, width, shore, shore * 0.09, '#10142e', shore + 4),
      `<rect y="${shore}" width="${width}" height="${height - shore}" fill="url(#water)"/>`,
      linear('water', ['#4a3350', '#161b3e', '#070a18']),
      `<g filter="url(#soft)">${lanterns.map(({ x, y, depth }) => mirrored(x, y, size(height, depth))).join('')}</g>`,
      lanterns.map(({ x, y, depth }) => lantern(x, y, size(height, depth))).join(''),
      roll() < 0.5 ? pier(width, height) : '',
    ]
  },
  /** The sun behind the hills, and its way over the water. */
  sunset: ({ width, height, roll }: Sized) => {
    const shore = height * (0.58 + roll() * 0.06)
    const sun = { x: width * (0.25 + roll() * 0.5), y: shore - height * (0.1 + roll() * 0.06) }
    const glitter = Array.from({ length: 90 }, () => {
      const down = roll()
      const x = sun.x + (roll() - 0.5) * width * (0.06 + down * 0.22)
      return `<ellipse cx="${x}" cy="${shore + down * (height - shore)}" rx="${width * (0.006 + down * 0.028)}" ry="${height * (0.0008 + down * 0.0026)}" fill="#ffe3b0" opacity="${0.7 - down * 0.5}"/>`
    })
    return [
      sky(width, height, ['#33295f', '#8b3f74', '#e8735a', '#ffc979'], shore / height),
      clouds(roll, width, shore * 0.7, '#ffd9b8'),
      halo('sun', '#fff1c9'),
      `<circle cx="${sun.x}" cy="${sun.y}" r="${height * 0.42}" fill="url(#sun)" opacity=".75"/>`,
      `<circle cx="${sun.x}" cy="${sun.y}" r="${height * 0.045}" fill="#fff6dc"/>`,
      ridge(roll, width, shore, height * 0.17, '#a5547a', shore + 4),
      ridge(roll, width, shore, height * 0.11, '#6f3a68', shore + 4),
      ridge(roll, width, shore, height * 0.05, '#3c2450', shore + 4),
      linear('water', ['#f0946a', '#8a4272', '#2a1c45']),
      `<rect y="${shore}" width="${width}" height="${height - shore}" fill="url(#water)"/>`,
      glitter.join(''),
      reeds(roll, width, height),
      roll() < 0.7 ? people(roll, width, height, '#170f24', 2) : '',
    ]
  },
  /** The afternoon before: hills, trees and bunting. */
  meadow: ({ width, height, roll }: Sized) => [
    sky(width, height, ['#5aa9dd', '#a9d6f0', '#fdf2d8'], 0.6),
    clouds(roll, width, height * 0.35, '#ffffff'),
    ridge(roll, width, height * 0.56, height * 0.12, '#a9c9b4', height),
    ridge(roll, width, height * 0.62, height * 0.1, '#7fb07d', height),
    trees(roll, width, height * 0.64, height, 14, '#4f8a57'),
    ridge(roll, width, height * 0.72, height * 0.07, '#6ca14f', height),
    trees(roll, width, height * 0.76, height, 5, '#2f6b45'),
    ridge(roll, width, height * 0.84, height * 0.05, '#86b64c', height),
    blossoms(roll, width, height),
    bunting(roll, width, height),
  ],
  /** Light over a crowd. */
  dance: ({ width, height, roll }: Sized) => {
    const hues = [330, 275, 200, 20]
    const beams = Array.from({ length: 7 }, (_, at) => {
      const [from, to, wide] = [width * ((at + 0.5) / 7), width * (roll() * 1.4 - 0.2), width * (0.06 + roll() * 0.1)]
      const id = `beam${at}`
      return `<linearGradient id="${id}" x2="0" y2="1"><stop stop-color="hsl(${hues[at % 4]} 100% 80%)" stop-opacity=".75"/><stop offset="1" stop-color="hsl(${hues[at % 4]} 90% 55%)" stop-opacity="0"/></linearGradient>
        <path d="M${from - 6} 0h12L${to + wide} ${height}H${to - wide}z" fill="url(#${id})"/>`
    })
    return [
      sky(width, height, ['#10031f', '#3d0b55', '#8f1c66'], 1),
      `<g filter="url(#soft)">${beams.join('')}</g>`,
      bokeh(roll, width, height * 0.5, 30, 300),
      people(roll, width, height * 0.99, '#2a0a3a', 11),
      people(roll, width, height * 1.08, '#0a0210', 8),
    ]
  },
  /** Bulbs on a line, and everything behind them out of focus. */
  garland: ({ width, height, roll }: Sized) => {
    const lines = Array.from({ length: 3 }, (_, at) => {
      const [left, right, sag] = [height * roll() * 0.35, height * roll() * 0.35, height * (0.2 + at * 0.18)]
      const bulbs = Array.from({ length: 9 }, (_, bulb) => {
        const along = (bulb + 0.5) / 9
        const y = (1 - along) ** 2 * left + 2 * (1 - along) * along * (sag + height * 0.2) + along ** 2 * right
        return `<circle cx="${along * width}" cy="${y + height * 0.03}" r="${height * 0.1}" fill="url(#bulb)"/><ellipse cx="${along * width}" cy="${y + height * 0.03}" rx="${height * 0.014}" ry="${height * 0.02}" fill="#fff6da"/>`
      })
      return `<path d="M0 ${left}Q${width / 2} ${sag + height * 0.2} ${width} ${right}" fill="none" stroke="#120b0a" stroke-width="${height * 0.004}"/>${bulbs.join('')}`
    })
    return [
      sky(width, height, ['#1b1530', '#4c2a3c', '#8a4a2c'], 1),
      halo('bulb', '#ffd08a'),
      bokeh(roll, width, height, 60, 25),
      lines.join(''),
      people(roll, width, height * 1.02, '#1a0f14', 4),
    ]
  },
} satisfies Record<string, (sized: Sized) => string[]>

const size = (height: number, depth: number) => height * (0.012 + depth * 0.062)

const stops = (colours: string[], end = 1) =>
  colours.map((colour, at) => `<stop offset="${(at / (colours.length - 1)) * end}" stop-color="${colour}"/>`).join('')
const linear = (id: string, colours: string[], end?: number) =>
  `<linearGradient id="${id}" x2="0" y2="1">${stops(colours, end)}</linearGradient>`
const halo = (id: string, colour: string) =>
  `<radialGradient id="${id}"><stop stop-color="${colour}" stop-opacity=".95"/><stop offset=".25" stop-color="${colour}" stop-opacity=".35"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>`
const sky = (width: number, height: number, colours: string[], end: number) =>
  `${linear('sky', colours, end)}<rect width="${width}" height="${height}" fill="url(#sky)"/>`

const stars = (roll: Roll, width: number, height: number) =>
  Array.from(
    { length: 130 },
    () =>
      `<circle cx="${roll() * width}" cy="${roll() * height}" r="${0.6 + roll() ** 4 * 3}" fill="#fff" opacity="${0.2 + roll() * 0.6}"/>`,
  ).join('')

const clouds = (roll: Roll, width: number, height: number, colour: string) => {
  const puffs = Array.from({ length: 16 }, () => {
    const wide = width * (0.06 + roll() * 0.16)
    return `<ellipse cx="${roll() * width}" cy="${height * (0.25 + roll() * 0.75)}" rx="${wide}" ry="${wide * (0.07 + roll() * 0.1)}" fill="${colour}" opacity="${0.12 + roll() * 0.3}"/>`
  })
  return `<g filter="url(#far)">${puffs.join('')}</g>`
}

/** A line of hills from edge to edge, as high as `rise` above `y`, filled down to `floor`. */
const ridge = (roll: Roll, width: number, y: number, rise: number, colour: string, floor: number) => {
  const steps = 40
  const [one, two, three] = [roll() * 7, roll() * 7, roll() * 7]
  const points = Array.from({ length: steps + 1 }, (_, at) => {
    const wave = Math.sin(one + at * 0.16) * 0.5 + Math.sin(two + at * 0.37) * 0.3 + Math.sin(three + at * 0.9) * 0.12
    return `${(at / steps) * width} ${y - rise * (0.55 + wave * 0.5)}`
  })
  return `<path d="M0 ${floor}L${points.join('L')}L${width} ${floor}z" fill="${colour}"/>`
}

const lantern = (x: number, y: number, tall: number) => `
  <defs><radialGradient id="paper" cy=".75"><stop stop-color="#fffbe0"/><stop offset=".45" stop-color="#ffc257"/><stop offset="1" stop-color="#d9571a"/></radialGradient>${halo('lit', '#ff9d45')}</defs>
  <circle cx="${x}" cy="${y - tall * 0.5}" r="${tall * 2.2}" fill="url(#lit)" opacity=".55"/>
  <path d="M${x - tall * 0.36} ${y}q${-tall * 0.14} ${-tall * 0.6} ${tall * 0.06} ${-tall}h${tall * 0.6}q${tall * 0.2} ${tall * 0.4} ${tall * 0.06} ${tall}z" fill="url(#paper)"/>
  <path d="M${x - tall * 0.42} ${y}h${tall * 0.84}v${tall * 0.09}h${-tall * 0.84}z" fill="#5a1f10"/>`
const mirrored = (x: number, y: number, tall: number) =>
  `<ellipse cx="${x}" cy="${y + tall * 1.3}" rx="${tall * 0.3}" ry="${tall * 1.25}" fill="#ffab4e" opacity=".5"/>`

const pier = (width: number, height: number) =>
  `<path d="M0 ${height * 0.93}L${width * 0.56} ${height * 0.8}l${width * 0.05} ${height * 0.02}L${width * 0.2} ${height}H0z" fill="#05060d"/>${[0.2, 0.36, 0.5].map(at => `<rect x="${width * at}" y="${height * (0.86 - at * 0.18)}" width="${width * 0.012}" height="${height * 0.2}" fill="#05060d"/>`).join('')}`

const reeds = (roll: Roll, width: number, height: number) =>
  Array.from({ length: 46 }, () => {
    const x = roll() < 0.5 ? roll() * width * 0.3 : width * (0.74 + roll() * 0.26)
    const [tall, lean] = [height * (0.08 + roll() * 0.16), (roll() - 0.5) * width * 0.03]
    return `<path d="M${x} ${height}q0 ${-tall * 0.6} ${lean} ${-tall}" fill="none" stroke="#1a1026" stroke-width="${width * 0.0022}"/>`
  }).join('')

const trees = (roll: Roll, width: number, y: number, height: number, number: number, colour: string) =>
  Array.from({ length: number }, () => {
    const [x, tall] = [roll() * width, height * (0.05 + roll() * 0.07)]
    const crowns = Array.from(
      { length: 6 },
      () =>
        `<circle cx="${x + (roll() - 0.5) * tall * 0.9}" cy="${y - tall * (0.4 + roll() * 0.6)}" r="${tall * (0.22 + roll() * 0.16)}"/>`,
    )
    return `<g fill="${colour}"><rect x="${x - tall * 0.05}" y="${y - tall * 0.5}" width="${tall * 0.1}" height="${tall * 0.9}"/>${crowns.join('')}</g>`
  }).join('')

const blossoms = (roll: Roll, width: number, height: number) =>
  Array.from({ length: 150 }, () => {
    const near = roll()
    return `<circle cx="${roll() * width}" cy="${height * (0.84 + near * 0.17)}" r="${height * (0.002 + near ** 2 * 0.008)}" fill="${['#fff7e0', '#ffd166', '#ef6f6c'][Math.floor(roll() * 3)]}" opacity=".9"/>`
  }).join('')

const bunting = (roll: Roll, width: number, height: number) => {
  const [left, right, sag] = [height * (0.06 + roll() * 0.1), height * (0.04 + roll() * 0.1), height * 0.34]
  const flags = Array.from({ length: 15 }, (_, at) => {
    const along = (at + 0.5) / 15
    const y = (1 - along) ** 2 * left + 2 * (1 - along) * along * sag + along ** 2 * right
    const wide = width * 0.02
    return `<path d="M${along * width - wide} ${y}h${wide * 2}l${-wide} ${height * 0.065}z" fill="${['#e4572e', '#f3a712', '#fff3dc', '#2e86ab'][at % 4]}"/>`
  })
  return `<path d="M0 ${left}Q${width / 2} ${sag} ${width} ${right}" fill="none" stroke="#5b4636" stroke-width="4"/>${flags.join('')}`
}

const bokeh = (roll: Roll, width: number, height: number, number: number, hue: number) => {
  const discs = Array.from({ length: number }, () => {
    const colour = `hsl(${hue + roll() * 50} 95% ${58 + roll() * 25}%)`
    const place = `cx="${roll() * width}" cy="${roll() * height}" r="${width * (0.008 + roll() ** 2 * 0.04)}"`
    return `<circle ${place} fill="${colour}" opacity="${0.12 + roll() * 0.3}" stroke="${colour}" stroke-width="3"/>`
  })
  return `<g filter="url(#near)">${discs.join('')}</g>`
}

/** Some who stand with their backs to the light; who has an arm up is dancing. */
const people = (roll: Roll, width: number, floor: number, colour: string, number: number) =>
  Array.from({ length: number }, (_, at) => {
    const tall = floor * (0.24 + roll() * 0.1)
    const x = width * ((at + 0.2 + roll() * 0.6) / number)
    const [head, top, wide] = [tall * 0.105, floor - tall, tall * 0.19]
    const arm =
      roll() < 0.45
        ? `<path d="M${x + wide * 0.8} ${top + head * 3.2}q${wide * 0.8} ${-head * 2} ${wide * 0.5} ${-head * 5}" fill="none" stroke="${colour}" stroke-width="${tall * 0.065}" stroke-linecap="round"/>`
        : ''
    return `<g fill="${colour}"><ellipse cx="${x}" cy="${top + head}" rx="${head * 0.82}" ry="${head}"/><path d="M${x - head * 0.35} ${top + head * 1.6}h${head * 0.7}v${head * 0.6}q${wide} ${head * 0.2} ${wide * 1.05} ${head * 1.8}l${wide * 0.1} ${tall * 0.8}H${x - wide * 1.15}l${wide * 0.1} ${-tall * 0.8}q0 ${-head * 1.6} ${wide * 0.7} ${-head * 1.8}z"/>${arm}</g>`
  }).join('')
