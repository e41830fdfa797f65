import { readFileSync } from 'node:fs'

/** Empty if there is no such file, or none that may be read. */
export function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
