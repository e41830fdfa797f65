import { tryMatrix } from '../../test/matrix-of.ts'

await tryMatrix('wall')
