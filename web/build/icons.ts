import type { Plugin } from 'vite'

const ofIcon = /lucide-react\/dist\/esm\/icons\/[^/]+\.mjs$/
/** Names, sizes and keys for React: random letters that no compression shortens, and that `ui/icon.ts` does not need. */
const unread = [
  /^ {2}name: .*\n/m,
  /^ {2}size: .*\n/m,
  /,\n {2}aliases: \[[^\]]*\]/,
  /^__iconData\.node;\n/m,
  /, key: "\w+"/g,
]

const twoPaths = /\["path", \{ d: "([^"]*)" \}\],\s*\["path", \{ d: "([^"]*)" \}\]/

/** Leaves of each icon what is drawn, as few elements: a list has an icon in every row. */
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

/** A path that begins at a place relative to nothing begins where the one before it ends, unless it is put back. */
const joined = (one: string, other: string) => one + (other.startsWith('m') ? 'M0 0' : '') + other
