export type Invariant = 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8' | 'I9' | 'I10' | 'I11' | 'I12'

/** The sentence for each invariant. */
export const invariants: Record<Invariant, string> = {
  I1: 'what was acknowledged is there, once, with the same content',
  I2: 'a chat has one order, for readers, sockets, pages and the database',
  I3: 'rows have their files, whole and decodable, and files have rows',
  I4: 'every due notification, and none that is not due',
  I5: 'nothing of an event to anybody outside of it',
  I6: 'stored counts are recounts',
  I7: 'pages make up the whole, also while people write',
  I8: 'a token that ended is refused',
  I9: 'no 5xx, except while a fault makes the work impossible',
  I10: 'no secret in logs and metrics',
  I11: 'what was loaded, with the events since, is what is loaded now',
  I12: 'what a fault did heals by itself: the service answers again, and leaves nothing behind',
}

export type Finding = { invariant: Invariant; words: string }

/** The work and the findings of one part. */
export type Report = {
  /** Records that a statement held for this many things, or the findings that contradict it. */
  checked(invariant: Invariant, things: number, findings?: readonly string[]): void
  found(invariant: Invariant, words: string): void
  /** Counts one more fault. */
  fault(): void
  /** Records a duration in milliseconds. */
  took(what: string, ms: number): void
  acts(count: number): void
  note(words: string): void
  readonly faults: number
  readonly acknowledged: number
  readonly findings: readonly Finding[]
  readonly things: ReadonlyMap<Invariant, number>
  readonly times: ReadonlyMap<string, readonly number[]>
  readonly notes: readonly string[]
}

export const openReport = (): Report => {
  const findings: Finding[] = []
  const things = new Map<Invariant, number>()
  const times = new Map<string, number[]>()
  const notes: string[] = []
  let faults = 0
  let acknowledged = 0
  return {
    checked(invariant, count, found = []) {
      things.set(invariant, (things.get(invariant) ?? 0) + count)
      for (const words of found) findings.push({ invariant, words })
    },
    found: (invariant, words) => findings.push({ invariant, words }),
    fault() {
      faults += 1
    },
    took: (what, ms) => times.set(what, [...(times.get(what) ?? []), ms]),
    acts(count) {
      acknowledged += count
    },
    note: words => notes.push(words),
    get faults() {
      return faults
    },
    get acknowledged() {
      return acknowledged
    },
    findings,
    things,
    times,
    notes,
  }
}

/** Expects sorted values. */
export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN
