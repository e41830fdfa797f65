import type { Needs, Slice } from '../slice.ts'
import { albumRoutes } from './album-routes.ts'

export const albums: Slice = {
  name: 'albums',
  tables: { album_selections: { since: 'created_at', lives: '1 day' } },
  opens: {
    // And when any session of theirs ends.
    'address of the album': [
      ...(['leaving', 'removal', 'sending away', 'a block', 'the end of its maker’s role'] as const),
      ...(['a device signed out', 'signing out everywhere', 'another password', 'deletion', 'suspension'] as const),
    ],
  },
  open(parts: Needs<'admit' | 'db' | 'fullSizes' | 'limits' | 'serve' | 'server' | 'signer' | 'storage'>) {
    albumRoutes(parts.server, parts)
    return {}
  },
}
