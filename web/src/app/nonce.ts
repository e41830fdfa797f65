declare global {
  var __webpack_nonce__: string | undefined
}

// The library that keeps a page from scrolling under a dialog creates a style element, and looks here for the nonce.
globalThis.__webpack_nonce__ = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce

export {}
