import { passed, type Result } from './conform.ts'

const count = (results: readonly Result[], outcome: Result['outcome']) =>
  results.filter(each => each.outcome === outcome).length

export const asLine = ({ id, says, outcome, seen }: Result): string =>
  `${{ holds: '✓', broken: '✗', 'not tried': '–' }[outcome]} ${id}: ${says}${seen ? `\n    ${seen}` : ''}`

export const summaryOf = (results: readonly Result[]): string =>
  `${count(results, 'holds')} of ${results.length} statements hold, ${count(results, 'broken')} are broken, ${count(results, 'not tried')} were not tried.${passed(results) || count(results, 'broken') > 0 ? '' : ' Most were not tried, so it has not passed.'}`

export const asJson = (baseUrl: string, results: readonly Result[]): string =>
  `${JSON.stringify(
    {
      service: baseUrl,
      passed: passed(results),
      holds: count(results, 'holds'),
      broken: count(results, 'broken'),
      not_tried: count(results, 'not tried'),
      statements: results,
    },
    null,
    2,
  )}\n`

const escaped = (text: string) =>
  text
    // XML cannot express control characters.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed here.
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '?')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

export const asJunit = (results: readonly Result[]): string => {
  const cases = results.map(({ id, says, outcome, seen = '', ms }) => {
    const inside =
      outcome === 'broken'
        ? `<failure message="${escaped(seen)}"/>`
        : outcome === 'not tried'
          ? `<skipped message="${escaped(seen)}"/>`
          : ''
    return `  <testcase classname="${escaped(id.split('.')[0] ?? '')}" name="${escaped(`${id}: ${says}`)}" time="${ms / 1000}">${inside}</testcase>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="conformance" tests="${results.length}" failures="${count(results, 'broken')}" skipped="${count(results, 'not tried')}">
${cases.join('\n')}
</testsuite>
`
}

export const asBadge = (results: readonly Result[]): string => {
  const words = `${count(results, 'holds')} / ${results.length}`
  const width = 92 + words.length * 7 + 12
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="conformance: ${words}">
  <rect width="92" height="20" fill="#444"/><rect x="92" width="${width - 92}" height="20" fill="${passed(results) ? '#2a7' : '#c33'}"/>
  <g fill="#fff" font-family="Verdana,sans-serif" font-size="11"><text x="8" y="14">conformance</text><text x="98" y="14">${words}</text></g>
</svg>
`
}
