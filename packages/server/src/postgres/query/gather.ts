/**
 * Concurrent requests share a commit. Items that arrive while an earlier batch is under way are gathered and run as one
 * statement over many rows: one round trip and one flush for all of them. A single item is run at once. If a batch takes long,
 * the next one runs beside it. Small batches may be sent before earlier ones are answered. If more waits than a batch takes, its
 * callers are served in turns (take-turns.ts).
 *
 * If the database refuses a batch, or a batch waits too long for a lock, its items are tried one by one beside the following
 * batches, so that one bad row fails alone. Items with the same mark need the same lock: they wait for the first of them, outside
 * the batches, and if that one does not get its lock, they fail too. If the connection broke, it is unknown whether the batch was
 * committed: then it is not tried again.
 */
import { type CallContext, currentContext, runInContext, runShared } from '../../core/tracing/call-context.ts'
import { faultCode } from '../connection/database.ts'
import { callersInTurns } from './take-turns.ts'

export type Gather<I, O> = (item: I) => Promise<O>

type Waiting<I, O> = {
  item: I
  context: CallContext | undefined
  resolve: (value: O) => void
  reject: (fault: unknown) => void
}

/** Data, constraint, serialisation and lock faults, and rows of a frozen account: PostgreSQL rolled the statement back and said so. */
export const rolledBack = (fault: unknown): boolean => /^(21|22|23|40|55|SN002$)/.test(faultCode(fault) ?? '')

/** A deadlock or a serialisation failure: the same statement can succeed at the next try. */
const isTransient = (fault: unknown): boolean => /^40/.test(faultCode(fault) ?? '')
const mostTries = 4

/** Most batches end sooner; two concurrent batches on one table only delay each other. */
const soonDefault_ms = 5

/** Larger batches are not sent ahead. */
const mostAhead = 8

/** Runs a transaction again if PostgreSQL ended it because of a deadlock or a serialisation failure. */
export const withRetries = async <O>(run: () => Promise<O>): Promise<O> => {
  for (let tries = 1; ; tries++) {
    try {
      return await run()
    } catch (fault) {
      if (!isTransient(fault) || tries === mostTries) throw fault
    }
  }
}

export const gather = <I, O>(options: {
  /** Runs the items as one statement; the results are in the same order. It may call `next` before it is done, when the next
   *  batch can run beside it. The callers that it names then pause (`pause_ms`). */
  readonly together: (items: readonly I[], next: (pausing?: ReadonlySet<string>) => void) => Promise<readonly O[]>
  /** Runs one item alone, and may wait for a lock as long as allowed. */
  readonly alone: (item: I) => Promise<O>
  /** The mark of an item. Two items with the same mark are never in one batch. */
  readonly mark?: (item: I) => string | undefined
  /** Whose item it is: an account. Callers with items that wait get one into a batch in turn. Left out: first come, first served. */
  readonly caller?: (item: I) => string
  /** How many batches with items of one caller may be under way at once; left out: no limit of its own. */
  readonly parallelOfCaller?: number
  /** Items of a caller are not run beside an earlier batch of the same caller until that one has called `next` or is done. For
   *  items that must be decided in the order of arrival, where batches may run beside one another (`soon_ms`). */
  readonly keepsOrder?: boolean
  /** For so long no batch takes items of a caller that pauses, so that what comes meanwhile is one batch. Only with `keepsOrder`. */
  readonly pause_ms?: number
  /** The most weight of a batch. */
  readonly most: number
  /** The weight of an item; by default 1. An item with more weight than a batch may have is a batch by itself. */
  readonly weigh?: (item: I) => number
  /** How many batches may be under way at once. */
  readonly parallel: number
  /** How many items may wait; further items are rejected. */
  readonly waiting?: number
  /** How long a batch may take before the next runs beside it. 0: at once, for transactions that wait for their commit.
   *  Infinity: until it calls `next`. */
  readonly soon_ms?: number
  /** How long the first item of a batch waits for others, unless the batch is full; for work that no request waits for. */
  readonly linger_ms?: number
  /** How many batches may be sent while an earlier one is under way, on its connection (`Db.pipelined`): the next one is sent as
   *  soon as it is as large as the last. With 4 concurrent requests: 1.2 times as many requests a second. Only for batches of at
   *  most 8: with 32 concurrent requests it gains nothing. */
  readonly ahead?: number
}): Gather<I, O> => {
  const {
    together,
    alone,
    mark,
    caller = () => '',
    parallelOfCaller = Number.POSITIVE_INFINITY,
    keepsOrder = false,
    pause_ms = 0,
    most,
    weigh = () => 1,
    parallel,
    waiting: mostWaiting = 10_000,
    soon_ms = soonDefault_ms,
    linger_ms = 0,
    ahead = 0,
  } = options
  let waiting: Waiting<I, O>[] = []
  let underWay = 0
  let lastSize = 0
  /** How many of the batches under way began a short time ago. */
  let fresh = 0
  let planned = false
  const singles: Waiting<I, O>[] = []
  let singlesUnderWay = 0
  /** Marks of the items that run alone now, and marks of the items that wait to run alone. */
  const runningMarks = new Set<string>()
  const queuedMarks = new Set<string>()

  const queueSingles = (items: readonly Waiting<I, O>[]): void => {
    for (const one of items) {
      const ownMark = mark?.(one.item)
      if (ownMark !== undefined) queuedMarks.add(ownMark)
      singles.push(one)
    }
    runSingles()
  }

  const runSingles = (): void => {
    for (let i = 0; i < singles.length && singlesUnderWay < parallel; ) {
      const one = singles[i]!
      const ownMark = mark?.(one.item)
      if (ownMark !== undefined && runningMarks.has(ownMark)) i++
      else {
        singles.splice(i, 1)
        void runAlone(one, ownMark)
      }
    }
  }

  const runAlone = async (one: Waiting<I, O>, ownMark: string | undefined): Promise<void> => {
    singlesUnderWay++
    if (ownMark !== undefined) runningMarks.add(ownMark)
    try {
      one.resolve(await runInContext(one.context, () => withRetries(() => alone(one.item))))
    } catch (fault) {
      one.reject(fault)
      if (ownMark !== undefined && faultCode(fault) === '55P03') rejectAllWith(ownMark, fault)
    }
    singlesUnderWay--
    if (ownMark !== undefined) {
      runningMarks.delete(ownMark)
      if (!singles.some(({ item }) => mark?.(item) === ownMark)) queuedMarks.delete(ownMark)
    }
    runSingles()
  }

  const rejectAllWith = (ownMark: string, fault: unknown): void => {
    for (let i = singles.length - 1; i >= 0; i--)
      if (mark?.(singles[i]!.item) === ownMark) singles.splice(i, 1)[0]!.reject(fault)
  }

  const runBatch = async (batch: Waiting<I, O>[], next: (pausing?: ReadonlySet<string>) => void): Promise<void> => {
    try {
      const contexts = batch.map((one) => one.context)
      const items = batch.map((one) => one.item)
      const answers = await runShared(contexts, () => together(items, next))
      if (answers.length !== batch.length)
        throw new Error('a batch returned another number of results than it has items')
      batch.forEach((one, i) => {
        one.resolve(answers[i]!)
      })
    } catch (fault) {
      if (rolledBack(fault)) queueSingles(batch)
      else for (const one of batch) one.reject(fault)
    }
  }

  /** How many batches of each caller are under way, and how many of these later ones must wait for. */
  const batchesOf = new Map<string, number>()
  const undecidedOf = new Map<string, number>()
  const countBatches = (counts: Map<string, number>, callers: ReadonlySet<string>, change: 1 | -1): void => {
    for (const whose of callers) {
      const count = (counts.get(whose) ?? 0) + change
      if (count === 0) counts.delete(whose)
      else counts.set(whose, count)
    }
  }
  const nobody: ReadonlySet<string> = new Set()
  const isCounted = keepsOrder || parallelOfCaller !== Number.POSITIVE_INFINITY
  const callersOf = (batch: readonly Waiting<I, O>[]): ReadonlySet<string> =>
    isCounted ? new Set(batch.map(({ item }) => caller(item))) : nobody

  const turns = callersInTurns<Waiting<I, O>>(({ item }) => caller(item))

  const waitingWeight = (): number =>
    options.weigh === undefined ? waiting.length : waiting.reduce((sum, { item }) => sum + weigh(item), 0)

  const nextBatch = (): Waiting<I, O>[] => {
    const taken = new Set<Waiting<I, O>>()
    const delayed = new Set<Waiting<I, O>>()
    const marks = new Set<string>()
    const full = new Set<string>()
    let capacity = most
    for (const one of waitingWeight() > most ? turns.order(waiting) : waiting) {
      const ownMark = mark?.(one.item)
      const weight = weigh(one.item)
      const whose = caller(one.item)
      // Later items of a caller do not overtake one that is too heavy for this batch.
      if (weight > capacity && taken.size > 0) full.add(whose)
      if ((batchesOf.get(whose) ?? 0) >= parallelOfCaller || undecidedOf.has(whose)) full.add(whose)
      if (ownMark !== undefined && queuedMarks.has(ownMark)) delayed.add(one)
      else if (capacity > 0 && !full.has(whose) && (ownMark === undefined || !marks.has(ownMark))) {
        if (ownMark !== undefined) marks.add(ownMark)
        capacity -= weight
        taken.add(one)
      }
    }
    // A batch keeps the order of arrival.
    const batch = waiting.filter((one) => taken.has(one))
    const late = waiting.filter((one) => delayed.has(one))
    waiting = waiting.filter((one) => !taken.has(one) && !delayed.has(one))
    if (waiting.length > 0) turns.served(batch)
    else turns.forget()
    if (late.length > 0) queueSingles(late)
    return batch
  }

  /** Until its callers' next items may run: counted as undecided. Returns the function to call then. */
  const countAsUndecided = (callers: ReadonlySet<string>): ((pausing?: ReadonlySet<string>) => void) => {
    if (!keepsOrder) return () => {}
    countBatches(undecidedOf, callers, 1)
    let counted = true
    return (pausing = nobody) => {
      if (!counted) return
      counted = false
      countBatches(undecidedOf, callers.difference(pausing), -1)
      const later = callers.intersection(pausing)
      if (later.size === 0) return
      setTimeout(() => {
        countBatches(undecidedOf, later, -1)
        plan()
      }, pause_ms)
    }
  }

  /** Counts a batch as fresh until it is done or takes long. Returns the function to call when it is done. */
  const countAsFresh = (): (() => void) => {
    if (soon_ms === 0) return () => {}
    fresh++
    let counted = true
    const stopCounting = (): void => {
      if (!counted) return
      counted = false
      fresh--
    }
    const timer =
      soon_ms === Number.POSITIVE_INFINITY
        ? undefined
        : setTimeout(() => {
            stopCounting()
            dispatch()
          }, soon_ms)
    return () => {
      clearTimeout(timer)
      stopCounting()
    }
  }

  /** Only a small batch that is not smaller than the last one: batches of one item would cost more than they save. */
  const isWorthSendingAhead = (): boolean => fresh <= ahead && lastSize <= mostAhead && waiting.length >= lastSize

  const mayStart = (): boolean => (fresh === 0 || isWorthSendingAhead()) && underWay < parallel

  const dispatch = (): void => {
    planned = false
    while (waiting.length > 0 && mayStart()) {
      const batch = nextBatch()
      // Nothing that waits may run now: the end of another batch comes back to it.
      if (batch.length === 0) break
      lastSize = batch.length
      underWay++
      const callers = callersOf(batch)
      countBatches(batchesOf, callers, 1)
      const endFresh = countAsFresh()
      const endUndecided = countAsUndecided(callers)
      runBatch(batch, (pausing) => {
        endFresh()
        endUndecided(pausing)
        plan()
      }).finally(() => {
        underWay--
        countBatches(batchesOf, callers, -1)
        endFresh()
        endUndecided()
        if (linger_ms === 0) dispatch()
        else plan()
      })
    }
  }

  let lingering: NodeJS.Timeout | undefined
  /** Runs after this turn of the event loop has read its input, so that requests of the same packet share a batch. */
  const plan = (): void => {
    if (waiting.length === 0 || !mayStart()) return
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
      if (waiting.length + singles.length >= mostWaiting)
        return reject(new Error(`more than ${mostWaiting} requests wait for the database`))
      waiting.push({ item, context: currentContext(), resolve, reject })
      plan()
    })
}
