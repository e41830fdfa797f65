/**
 * Why a video cannot be converted, by its own fault: a retry would end the same. `no-picture`: it has no video stream;
 * `unsupported`: we do not decode its codec; `incomplete`: it lacks its end, without
 * which it cannot be read; `too-much-memory`: its frames and those they refer to would take more than
 * a conversion may.
 */
export type VideoFault =
  | 'no-picture'
  | 'unsupported'
  | 'too-many-streams'
  | 'too-long'
  | 'too-many-pixels'
  | 'too-much-memory'
  | 'damaged'
  | 'incomplete'
  | 'too-slow'

export class VideoRefused extends Error {
  override name = 'VideoRefused'
  fault: VideoFault

  constructor(fault: VideoFault, detail = '') {
    super(`The video was refused (${fault}).${detail && ` ${detail}`}`)
    this.fault = fault
  }
}
