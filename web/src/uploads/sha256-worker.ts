/// <reference lib="webworker" />

/* Computes hashes in a worker, so that neither a photo's bytes nor the work burdens the page. */

declare const self: DedicatedWorkerGlobalScope

self.onmessage = async ({ data: { id, file } }: MessageEvent<{ id: number; file: File }>) => {
  try {
    const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))
    self.postMessage({ id, sum: Array.from(sum, byte => byte.toString(16).padStart(2, '0')).join('') })
  } catch {
    self.postMessage({ id })
  }
}

// A module, or its names would be global.
export {}
