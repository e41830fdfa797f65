/**
 * Why a video cannot become a playable one, by its own fault: asking again would end alike.
 * `no-picture` it has no moving picture, `unsupported` its codec is none that we decode, `too-much-memory` its pictures and
 * those they lean on would take more than a conversion may.
 */
export type VideoFault =
  | 'no-picture'
  | 'unsupported'
  | 'too-many-streams'
  | 'too-long'
  | 'too-many-pixels'
  | 'too-much-memory'
  | 'damaged'
  | 'too-slow'

export class VideoRefused extends Error {
  override name = 'VideoRefused'
  fault: VideoFault

  constructor(fault: VideoFault, detail = '') {
    super(`The video was refused (${fault}).${detail && ` ${detail}`}`)
    this.fault = fault
  }
}
