import type { Plan } from './plan.ts'

/**
 * The filters for each upright frame, in FFmpeg's syntax: half pictures are joined, then scaling comes first, because
 * tone mapping is by far the most expensive step. `tonemaps`: the filters zscale and tonemap are available.
 */
export const filterOf = ({ width, height, interlaced, fps, hdr, colours }: Plan, tonemaps: boolean): string => {
  const whole = interlaced ? 'yadif=mode=send_frame:deint=interlaced,' : ''
  const sized = `${whole}fps=${fps},scale=${width}:${height}`
  const finished = 'format=yuv420p,setsar=1'
  // MJPEG uses brightness from 0 to 255 and says so; interpreted as 16 to 235 it would have too much contrast.
  if (hdr === null) return `${sized}:out_range=tv,${finished}`
  // A file that omits one of them would abort the mapping.
  if (tonemaps)
    return [
      `${sized},setparams=color_primaries=${colours.primaries}:color_trc=${hdr}:colorspace=${colours.matrix}`,
      'zscale=t=linear:npl=100',
      'format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv',
      finished,
    ].join(',')
  const named = 'setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709'
  return `${sized}:in_color_matrix=bt2020:out_color_matrix=bt709:out_range=tv,${finished},${named}`
}

/** The most expressive frame of the first ten seconds, because many videos begin black. */
export const stillFilter =
  "trim=duration=10,select='isnan(prev_selected_t)+gte(t-prev_selected_t,0.5)',thumbnail=20,format=rgb24"
