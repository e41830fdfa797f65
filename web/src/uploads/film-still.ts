const edgeMax = 1280
const openMs = 8000

/** A poster image from a video; a plain one if this browser cannot play it. */
export const stillOf = async (film: File): Promise<Blob> => {
  const url = URL.createObjectURL(film)
  try {
    return await drawn(await opened(url))
  } catch {
    return drawn(undefined)
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** Seeks shortly after the beginning, which is often black. */
const opened = (url: string) =>
  new Promise<HTMLVideoElement>((resolve, reject) => {
    const video = document.createElement('video')
    const timer = setTimeout(() => reject(new Error('The film did not open in time')), openMs)
    const settle = (act: () => void) => () => {
      clearTimeout(timer)
      act()
    }
    video.muted = true
    video.playsInline = true
    video.preload = 'auto'
    video.onloadedmetadata = () => {
      video.currentTime = Math.min(1, video.duration / 3 || 0)
    }
    video.onseeked = settle(() => resolve(video))
    video.onerror = settle(() => reject(video.error))
    video.src = url
  })

const drawn = (video: HTMLVideoElement | undefined) => {
  const { videoWidth: width = 0, videoHeight: height = 0 } = video ?? {}
  const shrink = Math.min(1, edgeMax / Math.max(width, height, 1))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(width * shrink) || edgeMax
  canvas.height = Math.round(height * shrink) || (edgeMax * 9) / 16
  const brush = canvas.getContext('2d')
  if (brush && video && width > 0) brush.drawImage(video, 0, 0, canvas.width, canvas.height)
  else if (brush) drawPlain(brush, canvas)
  return new Promise<Blob>((resolve, reject) =>
    canvas.toBlob(still => (still ? resolve(still) : reject(new Error('No still'))), 'image/jpeg', 0.85),
  )
}

const drawPlain = (brush: CanvasRenderingContext2D, { width, height }: HTMLCanvasElement) => {
  const dusk = brush.createLinearGradient(0, 0, 0, height)
  dusk.addColorStop(0, '#472414')
  dusk.addColorStop(1, '#0f0b0a')
  brush.fillStyle = dusk
  brush.fillRect(0, 0, width, height)
}
