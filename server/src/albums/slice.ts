import type { Needs, Slice } from '../slice.ts'
import { albumRoutes } from './album-routes.ts'

export const albums: Slice = {
  name: 'albums',
  tables: { album_selections: { since: 'created_at', lives: '1 day' } },
  open(parts: Needs<'admit' | 'db' | 'fullSizes' | 'limits' | 'serve' | 'server' | 'signer' | 'storage'>) {
    albumRoutes(parts.server, parts)
    return {}
  },
}
