import { limited } from '../platform/jobs/jobs.ts'
import { openVideoKeeping } from '../platform/video/store-upload.ts'
import type { Needs, Slice } from '../slice.ts'
import { endUploadsOf, endUploadsTo } from './account-deletion.ts'
import { uploadSessionRoutes } from './session-routes.ts'
import { uploadRoutes } from './upload-routes.ts'
import { endUploads, sweepSessions } from './upload-sessions.ts'

/** Bytes become photos: by a form, or by resumable sessions. */
export const uploads: Slice = {
  name: 'uploads',
  tables: { upload_sessions: { since: 'touched_at', lives: '1 day', prunedBy: 'its slice' } },
  opens: {
    'upload on its way': [
      ...(['leaving', 'removal', 'sending away'] as const),
      ...(['signing out everywhere', 'another password', 'deletion', 'suspension'] as const),
    ],
  },
  erasesEvent: endUploadsTo,
  deletion: { traces: endUploadsOf },
  async open(
    parts: Needs<
      | 'admit'
      | 'background'
      | 'db'
      | 'demandFreeDisk'
      | 'media'
      | 'numbers'
      | 'originOf'
      | 'serve'
      | 'server'
      | 'sessionFiles'
      | 'storage'
      | 'videos'
    >,
  ) {
    const { server, serve, background, storage, videos, sessionFiles, numbers } = parts
    uploadRoutes(serve, { ...parts, keepVideo: openVideoKeeping(videos, storage, numbers), limits: numbers })
    await server.register(uploadSessionRoutes({ ...parts, limits: numbers }))
    return {
      tasks: { endUploads: limited({ minutes: 30 }, endUploads(background, sessionFiles)) },
      prunes: { upload_sessions: () => sweepSessions(background, sessionFiles) },
    }
  },
}
