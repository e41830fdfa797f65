const endings: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
  'image/heic': 'heic',
  'image/heif': 'heif',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/x-msvideo': 'avi',
  'video/vnd.avi': 'avi',
  'video/x-ms-wmv': 'wmv',
  'video/x-ms-asf': 'wmv',
}

/** What a file of this type is called at its end, outside of the service. */
export const endingOf = (type: string): string => endings[type] ?? 'bin'
