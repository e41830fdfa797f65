/** Where to show the place: in the phone's own maps app if it handles such addresses, otherwise on an open map. */
export const mapOf = (place: string): string => {
  // A place may be a call.
  if (/^https?:\/\/\S+$/i.test(place)) return place
  const asked = encodeURIComponent(place)
  if (/iPhone|iPad|Macintosh/.test(navigator.userAgent)) return `https://maps.apple.com/?q=${asked}`
  if (/Android/.test(navigator.userAgent)) return `geo:0,0?q=${asked}`
  return `https://www.openstreetmap.org/search?query=${asked}`
}
