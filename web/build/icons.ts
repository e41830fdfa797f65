import type { Plugin } from 'vite'

const ofIcon = /lucide-react\/dist\/esm\/icons\/[^/]+\.mjs$/
/** Names, sizes and keys for React: random letters that do not compress, and that `ui/icon.ts` does not need. */
const unread = [
  /^ {2}name: .*\n/m,
  /^ {2}size: .*\n/m,
  /,\n {2}aliases: \[[^\]]*\]/,
  /^__iconData\.node;\n/m,
  /, key: "\w+"/g,
]

const twoPaths = /\["path", \{ d: "([^"]*)" \}\],\s*\["path", \{ d: "([^"]*)" \}\]/

/** Reduces each icon to what is drawn, in as few elements as possible: every row of a list contains one. */
export const icons = (): Plugin => ({
  name: 'icons',
  apply: 'build',
  transform(code, id) {
    if (!ofIcon.test(id)) return undefined
    let drawn = unread.reduce((rest, part) => rest.replace(part, ''), code)
    while (twoPaths.test(drawn))
      drawn = drawn.replace(twoPaths, (_, one, other) => `["path", { d: "${joined(one, other)}" }]`)
    return { code: drawn, map: null }
  },
})

/** A path that begins with a relative move begins where the previous one ends, unless it is made absolute. */
const joined = (one: string, other: string) => one + (other.startsWith('m') ? 'M0 0' : '') + other
