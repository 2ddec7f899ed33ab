/**
 * Concurrent requests share a commit. Items that arrive while an earlier batch is under way are gathered and run as one
 * statement over many rows: one round trip and one flush for all of them. An item that comes alone is run at once. A batch that
 * takes long does not delay the next, which then runs beside it. Small batches may be sent ahead of the answers to earlier ones.
 *
 * If the database refuses a batch, or it waits too long for a lock, its items are tried one by one beside the following batches,
 * so that one bad row fails alone. Items with the same mark need the same lock: they wait for the first of them, outside the
 * batches, and if that one fails to get its lock, they fail too. If the connection broke, it is unknown whether the batch was
 * committed: then it is not tried again.
 */
import { faultCode } from '../connection/database.ts'

export type Gather<I, O> = (item: I) => Promise<O>

type Waiting<I, O> = { item: I; resolve: (value: O) => void; reject: (fault: unknown) => void }

/** Data, constraint, serialisation and lock faults: PostgreSQL rolled the statement back and said so. */
export const rolledBack = (fault: unknown): boolean => /^(21|22|23|40|55)/.test(faultCode(fault) ?? '')

/** A deadlock or a serialisation failure: it passes when it is tried again. */
const gaveWay = (fault: unknown): boolean => /^40/.test(faultCode(fault) ?? '')
const mostTries = 4

/** A batch of one statement is usually done sooner; two at once on one table only delay each other. */
const soonDefault_ms = 5

/** Larger batches are not sent ahead. */
const mostAhead = 8

const persistently = async <O>(run: () => Promise<O>): Promise<O> => {
  for (let tries = 1; ; tries++) {
    try {
      return await run()
    } catch (fault) {
      if (!gaveWay(fault) || tries === mostTries) throw fault
    }
  }
}

export const gather = <I, O>(options: {
  /** Runs the items as one statement; the results are in their order. It may call `next` when the next batch can run beside
   *  it, before it is done. */
  readonly together: (items: readonly I[], next: () => void) => Promise<readonly O[]>
  /** Runs one item alone, and may wait for a lock as long as allowed. */
  readonly alone: (item: I) => Promise<O>
  /** Two items with the same mark do not go into one batch. */
  readonly mark?: (item: I) => string | undefined
  /** How much a batch holds. */
  readonly most: number
  /** How much of it an item takes; by default 1. An item that takes more than a batch holds goes alone. */
  readonly weigh?: (item: I) => number
  readonly parallel: number
  readonly waiting?: number
  /** How long a batch may take before the next runs beside it. 0: at once, for transactions that wait for their commit.
   *  Infinity: until it calls `next`. */
  readonly soon_ms?: number
  /** How long the first of a batch waits for others, unless it is full before; for work that no request waits for. */
  readonly linger_ms?: number
  /** How many batches may be sent while an earlier one is under way, on its connection (`Db.pipelined`): the next goes as soon as
   *  it is as large as the last. With 4 requests at a time: 1.2 times as many a second. Only for batches of at most 8: with 32
   *  requests at a time it gains nothing. */
  readonly ahead?: number
}): Gather<I, O> => {
  const {
    together,
    alone,
    mark,
    most,
    weigh = () => 1,
    parallel,
    waiting: bound = 10_000,
    soon_ms = soonDefault_ms,
    linger_ms = 0,
    ahead = 0,
  } = options
  let waiting: Waiting<I, O>[] = []
  let underWay = 0
  let lastSize = 0
  /** Those of them that began a short time ago. */
  let fresh = 0
  let planned = false
  const patient: Waiting<I, O>[] = []
  let patientUnderWay = 0
  /** Marks whose item runs alone now, and marks with waiting items. */
  const tried = new Set<string>()
  const inLine = new Set<string>()

  const lineUp = (ones: readonly Waiting<I, O>[]): void => {
    for (const one of ones) {
      const own = mark?.(one.item)
      if (own !== undefined) inLine.add(own)
      patient.push(one)
    }
    tryAlone()
  }

  const tryAlone = (): void => {
    for (let i = 0; i < patient.length && patientUnderWay < parallel; ) {
      const one = patient[i]!
      const own = mark?.(one.item)
      if (own !== undefined && tried.has(own)) i++
      else {
        patient.splice(i, 1)
        void runAlone(one, own)
      }
    }
  }

  const runAlone = async (one: Waiting<I, O>, own: string | undefined): Promise<void> => {
    patientUnderWay++
    if (own !== undefined) tried.add(own)
    try {
      one.resolve(await persistently(() => alone(one.item)))
    } catch (fault) {
      one.reject(fault)
      if (own !== undefined && faultCode(fault) === '55P03') giveUp(own, fault)
    }
    patientUnderWay--
    if (own !== undefined) {
      tried.delete(own)
      if (!patient.some(({ item }) => mark?.(item) === own)) inLine.delete(own)
    }
    tryAlone()
  }

  const giveUp = (own: string, fault: unknown): void => {
    for (let i = patient.length - 1; i >= 0; i--)
      if (mark?.(patient[i]!.item) === own) patient.splice(i, 1)[0]!.reject(fault)
  }

  const runBatch = async (batch: Waiting<I, O>[], next: () => void): Promise<void> => {
    try {
      const answers = await together(
        batch.map((one) => one.item),
        next,
      )
      if (answers.length !== batch.length) throw new Error('a gathered statement answered another number of items')
      batch.forEach((one, i) => {
        one.resolve(answers[i]!)
      })
    } catch (fault) {
      if (rolledBack(fault)) lineUp(batch)
      else for (const one of batch) one.reject(fault)
    }
  }

  const nextBatch = (): Waiting<I, O>[] => {
    const batch: Waiting<I, O>[] = []
    const left: Waiting<I, O>[] = []
    const behind: Waiting<I, O>[] = []
    const marks = new Set<string>()
    let capacity = most
    for (const one of waiting) {
      const own = mark?.(one.item)
      const weight = weigh(one.item)
      // A later item does not overtake because it is light.
      if (weight > capacity && batch.length > 0) capacity = 0
      if (own !== undefined && inLine.has(own)) behind.push(one)
      else if (capacity <= 0 || (own !== undefined && marks.has(own))) left.push(one)
      else {
        if (own !== undefined) marks.add(own)
        capacity -= weight
        batch.push(one)
      }
    }
    waiting = left
    if (behind.length > 0) lineUp(behind)
    return batch
  }

  /** Counts a batch as fresh until it is done or takes long. Returns what to call when it is done. */
  const growOld = (): (() => void) => {
    if (soon_ms === 0) return () => {}
    fresh++
    let counted = true
    const age = (): void => {
      if (!counted) return
      counted = false
      fresh--
    }
    const timer =
      soon_ms === Number.POSITIVE_INFINITY
        ? undefined
        : setTimeout(() => {
            age()
            dispatch()
          }, soon_ms)
    return () => {
      clearTimeout(timer)
      age()
    }
  }

  /** Small, and no smaller than the last: one by one they would cost more than they save. */
  const isWorthSendingAhead = (): boolean => fresh <= ahead && lastSize <= mostAhead && waiting.length >= lastSize

  const mayGo = (): boolean => (fresh === 0 || isWorthSendingAhead()) && underWay < parallel

  const dispatch = (): void => {
    planned = false
    while (waiting.length > 0 && mayGo()) {
      const batch = nextBatch()
      if (batch.length === 0) continue
      lastSize = batch.length
      underWay++
      const grown = growOld()
      runBatch(batch, () => {
        grown()
        plan()
      }).finally(() => {
        underWay--
        grown()
        if (linger_ms === 0) dispatch()
        else plan()
      })
    }
  }

  let lingering: NodeJS.Timeout | undefined
  /** After the input of this turn of the event loop has been read: requests of the same packet go together. */
  const plan = (): void => {
    if (waiting.length === 0 || !mayGo()) return
    if (linger_ms === 0) {
      if (planned) return
      planned = true
      setImmediate(dispatch)
    } else if (waiting.length >= most) dispatchNow()
    else lingering ??= setTimeout(dispatchNow, linger_ms)
  }
  const dispatchNow = (): void => {
    clearTimeout(lingering)
    lingering = undefined
    dispatch()
  }

  return (item) =>
    new Promise<O>((resolve, reject) => {
      if (waiting.length + patient.length >= bound)
        return reject(new Error(`more than ${bound} requests wait for the database`))
      waiting.push({ item, resolve, reject })
      plan()
    })
}
