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

/** Leaves of each icon what is drawn. */
export const icons = (): Plugin => ({
  name: 'icons',
  apply: 'build',
  transform: (code, id) =>
    ofIcon.test(id) ? { code: unread.reduce((rest, part) => rest.replace(part, ''), code), map: null } : undefined,
})
