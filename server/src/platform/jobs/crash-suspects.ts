/** So long a suspect has its process to itself: what kills one mostly does so at once, and others wait meanwhile. */
const aloneMs = 800

/**
 * Shared by the queues of one process. A job that was running when its process died is a suspect: it runs alone at
 * first, so that the next death has a single cause, and one suspect runs at a time.
 */
class Company {
  #running = 0
  #suspect: string | undefined
  #aloneUntil = 0

  /** Tells whether a suspect may begin: `anyhow` if it has waited long enough for a quiet moment. */
  admitsSuspect(anyhow: boolean) {
    return this.#suspect === undefined && (anyhow || this.#running === 0)
  }

  /** How long nothing else may begin. */
  get closedForMs() {
    return this.#suspect === undefined ? 0 : Math.max(0, this.#aloneUntil - performance.now())
  }

  begin(id: string, isSuspect: boolean) {
    this.#running += 1
    if (!isSuspect) return
    this.#suspect = id
    this.#aloneUntil = performance.now() + aloneMs
  }

  end(id: string) {
    this.#running -= 1
    if (this.#suspect === id) this.#suspect = undefined
  }
}

export const company = new Company()
