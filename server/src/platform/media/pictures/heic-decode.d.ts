declare module 'heic-decode' {
  type Image = { width: number; height: number; data: Uint8ClampedArray }
  type Images = { width: number; height: number; decode(): Promise<Image> }[] & { dispose(): void }
  const decode: { (input: { buffer: Uint8Array }): Promise<Image>; all(input: { buffer: Uint8Array }): Promise<Images> }
  export default decode
}
