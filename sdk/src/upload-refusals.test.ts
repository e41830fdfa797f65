import { describe, expect, test } from 'vitest'
import { AfterglowError } from './failure.ts'
import { uploadRefusal } from './upload-refusals.ts'

const refused = (fields: Record<string, string>) =>
  new AfterglowError(400, Object.fromEntries(Object.entries(fields).map(([name, said]) => [name, [said]])))

describe('a refusal', () => {
  test.each([
    [{ image: 'The image field must be an image.' }, 'video', 'other'],
    [{ video: 'The video field must be a file of type: mp4, mov, avi, wmv.' }, 'video', 'type'],
    [{ image: 'The image field must be an image.', video: 'It must not be longer than 5 minutes.' }, 'video', 'tooBig'],
    [{ live_session_id: 'The live field must not be greater than 5 kilobytes.' }, 'image', 'other'],
    [{ live_session_id: 'The live field must not be greater than 5 kilobytes.' }, 'live', 'tooBig'],
    [{ image: 'The image field must be an image.' }, 'image', 'type'],
    [{ video_session_id: 'The selected video session id is invalid.' }, 'image', 'other'],
  ] as const)('of %j is told of %s as %s', (fields, kind, reason) => {
    expect(uploadRefusal(refused(fields), kind).reason).toBe(reason)
  })

  test.each([
    [404, 'noSuchEvent', 'gone'],
    [404, 'noSuchPhoto', 'other'],
    [400, 'tooManyPhotos', 'quota'],
    [400, 'instanceFull', 'full'],
    [400, 'mayNotUpload', 'notAllowed'],
    [413, undefined, 'proxy'],
  ] as const)('%i %s is known by its code, whatever its words: %s', (status, code, reason) => {
    expect(uploadRefusal(new AfterglowError(status, 'In other words.', { code })).reason).toBe(reason)
  })

  test('a 413 of the service is told from one of a proxy', () => {
    const ofService = new AfterglowError(413, { error_message: 'The file is too large.' })
    expect(uploadRefusal(ofService, 'raw').reason).toBe('tooBig')
  })

  test('keeps the sentence that says more than the kind of file', () => {
    const video = 'The video field is not accepted, as this server has nothing to convert videos with.'
    expect(uploadRefusal(refused({ video }), 'video')).toEqual({ reason: 'type', sentence: video, field: 'video' })
    expect(uploadRefusal(refused({ image: 'The image field must be an image.' }), 'image').sentence).toBeUndefined()
  })
})
